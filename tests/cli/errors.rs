//! Errors: a heading, causes, a hint, and the documented exit code.

use crate::support::cli::{Desk, masking};

#[test]
fn a_database_that_is_not_ready_says_what_to_run() {
    let desk = Desk::bare();
    let said = desk.transcript(&[
        "list",
        "list --database-url mysql://host/db",
        "list --database-url sqlite:",
        "migrate --dry-run",
        "migrate",
        "migrate",
        "list",
    ]);
    masking(|| {
        insta::assert_snapshot!(said, @r"
        $ gavel list
        ! error: cannot use sqlite:[folder]/home/data/gavel/gavel.db
        !   caused by: there is no database at [folder]/home/data/gavel/gavel.db
        ! hint: run gavel migrate first
        [exit 1]
        $ gavel list --database-url mysql://host/db
        ! error: --database-url: a database URL is sqlite:PATH or postgres://USER@HOST/DATABASE
        ! hint: the default, without the option, is an SQLite file of your own
        [exit 2]
        $ gavel list --database-url sqlite:
        ! error: --database-url: sqlite: needs the path of a file, such as sqlite:auctions.db
        ! hint: the default, without the option, is an SQLite file of your own
        [exit 2]
        $ gavel migrate --dry-run
        dry run: 1 migration would be applied; nothing was written
          database  sqlite:[folder]/home/data/gavel/gavel.db
        $ gavel migrate
        the database is ready: 1 migration applied
          database  sqlite:[folder]/home/data/gavel/gavel.db
          schema    1
        ! making a new database: sqlite:[folder]/home/data/gavel/gavel.db
        $ gavel migrate
        the database is up to date
          database  sqlite:[folder]/home/data/gavel/gavel.db
          schema    1
        $ gavel list
        ! 0 auctions
        ");
    });
}

#[test]
fn a_password_is_never_repeated() {
    let desk = Desk::bare();
    for url in [
        "mysql://me:pa55word@host/db",
        "postgres://me:pa55word@127.0.0.1:1/db",
        "postgres://me:x/pa55word@127.0.0.1:1/db",
        "postgres://me:1/pa55word@127.0.0.1:1/db",
        "postgres://me:x#pa55word@127.0.0.1:1/db",
        "postgres://me:1?pa55word@127.0.0.1:1/db",
        "postgres://me:x@pa55word@127.0.0.1:1/db",
        "postgres://me@127.0.0.1:1/db?password=pa55word",
        "postgres://me@127.0.0.1:1/db?password=x@pa55word",
    ] {
        for command in ["list", "migrate", "doctor"] {
            let said = desk.run(&format!("{command} --database-url {url}"));
            assert_ne!(said.code, 0, "{command} {url}");
            let all = said.stdout + &said.stderr;
            assert!(!all.contains("pa55word"), "{all}");
        }
    }
}

/// The failing commands and what all of them must say.
fn all_say(desk: &Desk, url: &str, code: i32, expected: &[&str]) {
    for command in ["list", "migrate", "bid 1 --bidder ann --max 5", "replay"] {
        let said = desk.run(&format!("{command} --database-url {url}"));
        assert_eq!(said.code, code, "{command}: {}", said.stderr);
        for text in expected {
            assert!(said.stderr.contains(text), "{command}: {}", said.stderr);
        }
    }
    let doctor = desk.run(&format!("doctor --database-url {url}"));
    assert_eq!(doctor.code, 1, "{}", doctor.stdout);
    let all = doctor.stdout + &doctor.stderr;
    for text in expected {
        assert!(all.contains(text), "doctor: {all}");
    }
    assert!(!all.contains("gavel migrate"), "doctor: {all}");
    let failures = all.lines().filter(|line| line.contains("  fail  ")).count();
    assert_eq!(failures, 1, "doctor: {all}");
}

#[test]
fn an_unusable_file_is_told_apart() {
    let desk = Desk::bare();
    let garbage = "not a database, by any measure ".repeat(100);
    desk.write("garbage.db", &garbage);
    let expected = ["is not an SQLite database", "name another file"];
    all_say(&desk, "sqlite:garbage.db", 1, &expected);
    assert_eq!(
        std::fs::read_to_string(desk.path("garbage.db")).unwrap(),
        garbage
    );
    // A folder where the file should be.
    std::fs::create_dir(desk.path("folder.db")).unwrap();
    all_say(&desk, "sqlite:folder.db", 2, &["folder.db is a folder"]);
}

#[test]
fn a_damaged_file_is_told_with_the_way_out() {
    let desk = Desk::with_guitar();
    let path = desk.database();
    let mut bytes = std::fs::read(&path).unwrap();
    // The first page says it is a database; everything after it is gone.
    bytes[4_096..].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let url = format!("sqlite:{}", path.display());
    all_say(&desk, &url, 1, &["damaged", ".recover", "backup"]);
}

#[test]
fn a_migration_of_another_text_is_told() {
    let desk = Desk::with_guitar();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = format!("sqlite:{}", desk.database().display());
    runtime.block_on(async {
        use sqlx::Connection as _;
        let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("update _sqlx_migrations set checksum = x'00' where version = 1")
            .execute(&mut other)
            .await
            .unwrap();
        other.close().await.unwrap();
    });
    let expected = [
        "migration 1 of this database is another one",
        "the gavel that made",
    ];
    all_say(&desk, &url, 1, &expected);
}

#[test]
fn a_server_that_is_not_there_cannot_be_reached() {
    let desk = Desk::bare();
    let begun = std::time::Instant::now();
    for command in ["list", "migrate", "doctor"] {
        let said = desk.run(&format!(
            "{command} --database-url postgres://me@127.0.0.1:1/db"
        ));
        let all = said.stdout + &said.stderr;
        assert_eq!(said.code, if command == "doctor" { 1 } else { 75 }, "{all}");
        assert!(all.contains("cannot be reached"), "{command}: {all}");
        assert!(all.contains("refused"), "{command}: {all}");
        assert!(!all.contains("became free"), "{command}: {all}");
    }
    assert!(begun.elapsed().as_secs() < 8, "{:?}", begun.elapsed());
}

#[test]
fn the_environment_names_the_database_and_the_option_wins() {
    let desk = Desk::bare();
    let migrate = |args: &[&str]| {
        let output = desk
            .command(args)
            .env("DATABASE_URL", "sqlite:from-environment.db")
            .output()
            .unwrap();
        assert!(output.status.success());
    };
    migrate(&["migrate"]);
    assert!(desk.path("from-environment.db").exists());
    migrate(&["migrate", "--database-url", "sqlite:from-option.db"]);
    assert!(desk.path("from-option.db").exists());
}

#[test]
fn a_database_that_another_process_holds_is_a_temporary_failure() {
    let desk = Desk::with_guitar();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let held = runtime.block_on(async {
        use sqlx::Connection as _;
        let url = format!("sqlite:{}", desk.database().display());
        let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("pragma locking_mode = exclusive")
            .execute(&mut other)
            .await
            .unwrap();
        sqlx::query("begin exclusive")
            .execute(&mut other)
            .await
            .unwrap();
        other
    });
    let said = desk.run("bid 7731 --bidder ann --max 2000");
    assert_eq!(said.code, 75, "{}", said.stderr);
    assert!(said.stderr.contains("try again"), "{}", said.stderr);
    assert!(said.stdout.is_empty());
    drop(held);
}

#[test]
fn quiet_keeps_results_and_errors() {
    let desk = Desk::with_guitar();
    let said = desk.run("list --quiet");
    assert!(said.stdout.contains("7731") && said.stderr.is_empty());
    let refused = desk.run("bid 7731 --bidder ann --max 1 --quiet");
    assert!(refused.stderr.contains("below-start"), "{}", refused.stderr);
}

#[test]
fn colour_is_asked_for_or_absent() {
    let desk = Desk::with_guitar();
    assert!(!desk.ok("show 7731").contains('\u{1b}'));
    assert!(desk.ok("show 7731 --color always").contains('\u{1b}'));
}

/// The file holds every maximum.
#[cfg(unix)]
#[test]
fn only_its_owner_reads_a_new_database() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::with_guitar();
    let mode = std::fs::metadata(desk.database())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}
