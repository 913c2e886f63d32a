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
    ] {
        for command in ["list", "migrate", "doctor"] {
            let said = desk.run(&format!("{command} --database-url {url}"));
            assert_ne!(said.code, 0, "{command} {url}");
            let all = said.stdout + &said.stderr;
            assert!(!all.contains("pa55word"), "{all}");
        }
    }
}

#[test]
fn an_unusable_file_is_told_apart() {
    let desk = Desk::bare();
    desk.write("garbage.db", "not a database, by any measure ".repeat(100));
    let said = desk.run("list --database-url sqlite:garbage.db");
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("cannot use sqlite:garbage.db"),
        "{}",
        said.stderr
    );
    // A folder where the file should be.
    std::fs::create_dir(desk.path("folder.db")).unwrap();
    let said = desk.run("migrate --database-url sqlite:folder.db");
    assert!(
        matches!(said.code, 1 | 75),
        "{}: {}",
        said.code,
        said.stderr
    );
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
