//! SQLite files that cannot be used, each with its code, its reason and the way out.

use std::process::Output;

use sqlx::{Connection as _, SqliteConnection};

use super::surroundings::{bound_by_rights, in_a_small_folder, with_files_of_at_most};
use super::witness::{Before, told};
use crate::support::cli::Desk;

/// How a file is made unusable, the code, and what is said.
pub(super) const STATES: [(&str, i32, &[&str]); 12] = [
    (
        "absent",
        1,
        &["there is no database at", "hint: run gavel migrate first"],
    ),
    (
        "absent folder",
        1,
        &["there is no database at", "hint: run gavel migrate first"],
    ),
    (
        "empty",
        1,
        &["is not migrated", "hint: run gavel migrate first"],
    ),
    (
        "another program's",
        1,
        &["is not migrated", "hint: run gavel migrate first"],
    ),
    (
        "newer",
        1,
        &["was migrated by a newer gavel", "hint: use the newer gavel"],
    ),
    (
        "other schema",
        1,
        &["migration 1 of this database is another one"],
    ),
    (
        "text",
        1,
        &["is not an SQLite database", "was left as it is"],
    ),
    ("torn", 1, &["damaged", ".recover"]),
    ("folder", 2, &["is a folder, not a database"]),
    ("pipe", 2, &["is no file, not a database"]),
    ("through a file", 2, &["a part of its path is a file"]),
    ("long name", 2, &["no file can have such a name"]),
];

fn execute(desk: &Desk, path: &str, text: &'static str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite:{}?mode=rwc", desk.path(path).display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::raw_sql(text).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

/// Brings a database about; gives its path.
fn make(desk: &Desk, state: &str) -> String {
    let name = "lots.db";
    let migrated = || {
        desk.ok("migrate --database-url sqlite:lots.db");
        desk.ok(
            "create --id 1 --seller s --title T --start-price 5 --ends-in 7d \
             --database-url sqlite:lots.db",
        );
    };
    match state {
        "absent" => {}
        "absent folder" => return "no/such/lots.db".to_owned(),
        "empty" => desk.write(name, ""),
        "another program's" => execute(desk, name, "create table auctions (x integer)"),
        "newer" => {
            migrated();
            let later = "insert into _sqlx_migrations
                         select 9999, 'later', installed_on, success, checksum, execution_time
                         from _sqlx_migrations where version = 1";
            execute(desk, name, later);
        }
        "other schema" => {
            migrated();
            let other = "update _sqlx_migrations set checksum = x'00' where version = 1";
            execute(desk, name, other);
        }
        "text" => desk.write(name, "not a database, by any measure ".repeat(200)),
        "torn" => {
            migrated();
            let mut bytes = std::fs::read(desk.path(name)).unwrap();
            bytes[4_096..].fill(0xa5);
            desk.write(name, bytes);
        }
        "folder" => std::fs::create_dir(desk.path(name)).unwrap(),
        "pipe" => {
            let made = std::process::Command::new("mkfifo")
                .arg(desk.path(name))
                .status();
            assert!(made.unwrap().success());
        }
        "through a file" => {
            desk.write("plain", "text");
            return "plain/lots.db".to_owned();
        }
        "long name" => return "x".repeat(300) + ".db",
        other => panic!("{other}"),
    }
    name.to_owned()
}

#[test]
fn a_database_that_cannot_be_used_is_told_and_left_as_it_is() {
    for (state, code, expected) in STATES {
        let desk = Desk::with_guitar();
        let path = make(&desk, state);
        desk.write(
            "lots.csv",
            "id,seller,title,start_price,ends_at\n2,s,T,5,2099-01-01T00:00Z\n",
        );
        let content = std::fs::metadata(desk.path(&path)).is_ok_and(|about| about.is_file());
        let content = content.then(|| std::fs::read(desk.path(&path)).unwrap());
        let before = Before::of(&desk);
        for line in [
            "list",
            "bid 1 --bidder ann --max 50",
            "create --seller s --title T --start-price 5 --ends-in 7d",
            "create --file lots.csv",
            "close-sweep",
            "replay",
            "export out",
        ] {
            let said = desk.run(&format!("{line} --database-url sqlite:{path}"));
            told(&said, code, &format!("{state}, {line}"), expected);
        }
        // SQLite may leave the empty log of a file that it cannot make sense of.
        for log in ["lots.db-wal", "lots.db-shm"]
            .iter()
            .filter(|_| state == "torn")
        {
            std::fs::remove_file(desk.path(log)).ok();
        }
        before.still_is(&desk);
        if let Some(content) = content {
            assert!(
                std::fs::read(desk.path(&path)).unwrap() == content,
                "{state}"
            );
        }
    }
}

#[test]
fn a_migration_that_cannot_be_is_told() {
    let desk = Desk::bare();
    desk.write("plain", "text");
    std::fs::create_dir(desk.path("folder")).unwrap();
    let before = Before::of(&desk);
    for (url, code, expected) in [
        ("sqlite:plain/lots.db", 2, "plain is a file, not a folder"),
        (
            "sqlite:plain/more/lots.db",
            2,
            "plain is a file, not a folder",
        ),
        ("sqlite:folder", 2, "is a folder, not a database"),
        ("sqlite:/dev/null", 2, "is no file, not a database"),
        ("sqlite:/proc/no-such/lots.db", 1, "cannot make the folder"),
    ] {
        told(
            &desk.run(&format!("migrate --database-url {url}")),
            code,
            url,
            &[expected],
        );
    }
    before.still_is(&desk);
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Rights that are missing: of a file that is read, of the database, of the folder of either.
#[cfg(target_os = "linux")]
#[test]
fn rights_that_are_missing_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::with_guitar();
    desk.write(
        "lots.csv",
        "id,seller,title,start_price,ends_at\n2,s,T,5,2099-01-01T00:00Z\n",
    );
    desk.ok("migrate --database-url sqlite:closed.db");
    desk.ok("migrate --database-url sqlite:fixed.db");
    std::fs::create_dir(desk.path("locked")).unwrap();
    for (name, mode) in [
        ("lots.csv", 0),
        ("closed.db", 0),
        ("fixed.db", 0o444),
        ("locked", 0o555),
    ] {
        let rights = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(desk.path(name), rights).unwrap();
    }
    let before = Before::of(&desk);
    let create = "create --seller s --title T --start-price 5 --ends-in 7d --database-url";
    for (line, code, expected) in [
        (
            "create --file lots.csv",
            2,
            "cannot read lots.csv: Permission denied",
        ),
        (
            "bid --file lots.csv",
            2,
            "cannot read lots.csv: Permission denied",
        ),
        (
            "list --database-url sqlite:closed.db",
            1,
            "hint: check the rights",
        ),
        (
            "replay --database-url sqlite:closed.db",
            1,
            "hint: check the rights",
        ),
        (
            &format!("{create} sqlite:closed.db"),
            1,
            "hint: check the rights",
        ),
        (
            &format!("{create} sqlite:fixed.db"),
            1,
            "hint: check the rights",
        ),
        (
            "migrate --database-url sqlite:locked/new.db",
            1,
            "hint: check the rights",
        ),
        (
            "migrate --database-url sqlite:locked/more/new.db",
            1,
            "cannot make the folder",
        ),
        ("export locked", 1, "locked"),
        ("export locked/out", 1, "cannot make locked/out"),
        ("man --output locked", 1, "locked"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let output = bound_by_rights(&desk, &words);
        let (stdout, stderr) = texts(&output);
        assert_eq!(output.status.code(), Some(code), "{line}: {stdout}{stderr}");
        assert!(
            stderr.contains(expected) && stdout.is_empty(),
            "{line}: {stderr}"
        );
    }
    before.still_is(&desk);
    let read = bound_by_rights(&desk, &["list", "--database-url", "sqlite:fixed.db"]);
    assert_eq!(read.status.code(), Some(0));
}

/// Reading works, whether the file or only its folder is read-only; and everything that would
/// write says that it cannot.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_database_is_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt as _;
    for (file_mode, why) in [
        (0o444, "Permission denied"),
        (0o644, "nothing can be made in shelf"),
    ] {
        let desk = Desk::bare();
        std::fs::create_dir(desk.path("shelf")).unwrap();
        desk.ok("migrate --database-url sqlite:shelf/lots.db");
        desk.ok(
            "create --id 1 --seller s --title T --start-price 5 --ends-in 7d \
             --database-url sqlite:shelf/lots.db",
        );
        for (name, mode) in [("shelf/lots.db", file_mode), ("shelf", 0o555)] {
            let rights = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(desk.path(name), rights).unwrap();
        }
        let before = Before::of(&desk);
        let run = |line: &str| {
            let line = format!("{line} --database-url sqlite:shelf/lots.db");
            let output = bound_by_rights(&desk, &line.split(' ').collect::<Vec<_>>());
            let (stdout, stderr) = texts(&output);
            (output.status.code().unwrap(), stdout + &stderr)
        };
        for line in [
            "list",
            "show 1",
            "history 1",
            "replay",
            "migrate",
            "export out",
        ] {
            let (code, said) = run(line);
            assert_eq!(code, 0, "{line}: {said}");
        }
        std::fs::remove_dir_all(desk.path("out")).unwrap();
        for line in [
            "bid 1 --bidder ann --max 50",
            "create --seller s --title T --start-price 5 --ends-in 7d",
            "cancel 1 --reason r",
            "watchlist add 1 --watcher w",
        ] {
            let (code, said) = run(line);
            assert_eq!(code, 1, "{line}: {said}");
            for text in [
                "the database cannot be written",
                why,
                "hint: check the rights",
            ] {
                assert!(said.contains(text), "{line}: {said}");
            }
        }
        let (code, said) = run("doctor");
        assert_eq!(code, 1, "{said}");
        for text in ["folder         fail", "durability     fail"] {
            assert!(said.contains(text), "{said}");
        }
        before.still_is(&desk);
        let rights = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(desk.path("shelf"), rights).unwrap();
    }
}

/// A device without room: all or nothing, told as that, and fine again when there is room.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_leaves_the_database_whole() {
    let desk = Desk::bare();
    let folder = desk.path("small");
    std::fs::create_dir(&folder).unwrap();
    let rows: String = (2..4_000)
        .map(|id| format!("{id},s,A lot with a title that takes some room,5,2099-01-01T00:00Z\n"))
        .collect();
    desk.write(
        "lots.csv",
        format!("id,seller,title,start_price,ends_at\n{rows}"),
    );
    let script = r"
        gavel() { echo \# $1; $GAVEL $@ --database-url sqlite:lots.db 2>&1; echo exit $?; }
        gavel migrate -q
        gavel create --id 1 --seller s --title T --start-price 5 --steps 1 --ends-in 7d -q
        gavel create --file ../lots.csv --format csv
        gavel list --format csv
        cat /dev/zero >fill 2>&1
        gavel bid 1 --bidder ann --max 50
        gavel export out
        ls -A
        rm fill
        gavel bid 1 --bidder ann --max 60 -q --format csv
        gavel replay
        ls -A
    ";
    let Some(output) = in_a_small_folder(&folder, script) else {
        // Where nobody may mount a folder, at least files that may not grow.
        return a_file_that_may_not_grow_leaves_the_database_whole(&desk);
    };
    let (stdout, stderr) = texts(&output);
    let all = format!("{stdout}{stderr}");
    let parts: Vec<&str> = stdout.split("# ").collect();
    assert_eq!(parts.len(), 9, "{all}");
    let says = |part: usize, expected: &[&str]| {
        for text in expected {
            assert!(parts[part].contains(text), "{text}: {}: {all}", parts[part]);
        }
    };
    says(1, &["exit 0"]);
    says(2, &["exit 0"]);
    says(
        3,
        &[
            "the file is written whole or not at all",
            "no room left",
            "exit 1",
        ],
    );
    // Not one row of the file.
    says(4, &["\n1,open", "\n1 auction\n", "exit 0"]);
    says(
        5,
        &[
            "there is no room left for the database",
            "hint: make room",
            "exit 1",
        ],
    );
    says(6, &["exit 1"]);
    assert!(!parts[6].contains("\nout\n"), "{}", parts[6]);
    says(7, &["accepted", "exit 0"]);
    says(
        8,
        &["1 auction and 2 entries: clean", "exit 0", "\nlots.db"],
    );
    assert!(!parts[8].contains("out"), "{}", parts[8]);
}

/// A daemon waits for room, more and more patiently, blames no auction, and then goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_daemon_waits_for_room() {
    let desk = Desk::bare();
    let folder = desk.path("small");
    std::fs::create_dir(&folder).unwrap();
    desk.write(
        "lots.csv",
        "id,seller,title,start_price,ends_in\n1,s,A,5,5s\n2,s,B,5,5s\n3,s,C,5,5s\n",
    );
    let script = r#"
        export DATABASE_URL=sqlite:lots.db
        says() { timeout 60 sh -c "until grep -q '$1' ../$2 2>/dev/null; do :; done"; }
        $GAVEL migrate -q
        $GAVEL create --file ../lots.csv -q
        $GAVEL close-sweep --daemon --interval 100ms >../out 2>../err & daemon=$!
        says closing err
        cat /dev/zero >fill 2>../full
        says "failure 4, next try" err
        rm fill
        says "answers again" err
        kill $daemon; wait $daemon; echo exit $?
        $GAVEL replay
    "#;
    let Some(output) = in_a_small_folder(&folder, script) else {
        return;
    };
    let (stdout, _) = texts(&output);
    let file = |name| std::fs::read_to_string(desk.path(name)).unwrap();
    let said = file("err");
    assert!(stdout.contains("\nexit 0\n"), "{stdout}{said}");
    assert!(
        stdout.contains("replayed 3 auctions and 3 entries: clean"),
        "{stdout}{said}"
    );
    assert!(said.ends_with("stopped: 3 auctions closed\n"), "{said}");
    assert!(!said.contains("cannot be closed"), "{said}");
    for (words, times) in [("there is no room left", 3), ("answers again", 1)] {
        assert_eq!(said.matches(words).count(), times, "{said}");
    }
}

fn a_file_that_may_not_grow_leaves_the_database_whole(desk: &Desk) {
    desk.ok("migrate");
    desk.ok("create --id 1 --seller s --title T --start-price 5 --steps 1 --ends-in 7d");
    let said = with_files_of_at_most(desk, 200, "create --file lots.csv");
    let (stdout, stderr) = texts(&said);
    assert_eq!(said.status.code(), Some(1), "{stdout}{stderr}");
    assert!(stdout.is_empty(), "{stdout}");
    let whole = "the file is written whole or not at all";
    assert!(stderr.contains(whole), "{stderr}");
    assert_eq!(desk.ok("list --format csv").lines().count(), 2);
    desk.ok("bid 1 --bidder ann --max 60");
    assert!(desk.ok("replay").contains("1 auction and 2 entries: clean"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_may_not_grow() {
    let desk = Desk::bare();
    let rows: String = (2..4_000)
        .map(|id| format!("{id},s,A lot with a title that takes some room,5,2099-01-01T00:00Z\n"))
        .collect();
    desk.write(
        "lots.csv",
        format!("id,seller,title,start_price,ends_at\n{rows}"),
    );
    a_file_that_may_not_grow_leaves_the_database_whole(&desk);
}
