//! Texts that are no database URL, and passwords that must not be repeated.

use super::witness::{Before, refused, told};
use crate::support::cli::Desk;

const FORM: &str = "--database-url: a database URL is sqlite:PATH or postgres://USER@HOST/DATABASE";
const DRIVER: &str = "the database URL is not one of PostgreSQL's";

/// Texts, and what is said about each.
pub(super) const URLS: [(&str, &str); 21] = [
    ("mysql://host/db", FORM),
    ("http://host/db", FORM),
    ("sqlite", FORM),
    ("sqlite3:lots.db", FORM),
    ("file:lots.db", FORM),
    ("lots.db", FORM),
    ("postgres:", FORM),
    ("postgres:/host/db", FORM),
    ("POSTGRES://host/db", FORM),
    ("localhost:5432/db", FORM),
    (" sqlite:lots.db", FORM),
    ("sqlite:", "sqlite: needs the path of a file"),
    ("sqlite://", "sqlite: needs the path of a file"),
    ("sqlite::memory:", "sqlite: needs the path of a file"),
    ("sqlite://lots.db?mode=rwc", "without ? and options"),
    ("postgres://host:99999/db", DRIVER),
    ("postgres://host:port/db", DRIVER),
    ("postgres://[::1/db", DRIVER),
    ("postgres://host/db?sslmode=nonsense", DRIVER),
    (
        "postgres://host/db?sslmod=require",
        "unknown option after the ?",
    ),
    (
        "postgres://me:x#y@host/db",
        "write / ? # and @ in a user or password as",
    ),
];

#[test]
fn a_text_that_is_no_database_url_is_refused() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    for (url, why) in URLS {
        for line in [
            &["list"][..],
            &["migrate"],
            &["bid", "7731", "--bidder", "ann", "--max", "5000"],
        ] {
            let said = desk.run_words(&[line, &["--database-url", url]].concat());
            refused(&said, url, &[why]);
        }
    }
    before.still_is(&desk);
}

/// Hosts that are not there, by whatever way: temporary, and told so.
#[test]
fn a_server_that_is_not_there_is_a_temporary_failure() {
    let desk = Desk::with_guitar();
    let before = Before::of(&desk);
    for url in [
        "postgres://me@127.0.0.1:1/db",
        "postgres://me@no-such-host.invalid/db",
        "postgres:///db?host=/no/such/folder",
    ] {
        for line in ["list", "bid 7731 --bidder ann --max 5000"] {
            let said = desk.run(&format!("{line} --database-url {url}"));
            told(&said, 75, url, &["cannot be reached", "hint: try again"]);
        }
    }
    before.still_is(&desk);
}

/// In no form of output and with no more talk than asked for.
#[test]
fn no_password_is_repeated_in_any_form() {
    let desk = Desk::bare();
    for url in [
        "postgres://me:pa55word@127.0.0.1:1/db",
        "postgres://me:pa55word@127.0.0.1:99999/db",
        "postgres://me:x&pa55word@127.0.0.1:1/db?x=y",
        "postgres://me@127.0.0.1:1/db?password=pa55word",
        "postgres://me@127.0.0.1:1/db?passwort=pa55word",
        "postgres://me@127.0.0.1:1/db?user=me&pa55word",
        "mysql://me:pa55word@host/db",
    ] {
        for format in ["table", "json", "csv"] {
            for command in ["list", "doctor", "migrate", "close-sweep"] {
                let output = desk
                    .command(&[command, "--format", format])
                    .env("DATABASE_URL", url)
                    .env("RUST_BACKTRACE", "full")
                    .env("RUST_LOG", "trace")
                    .output()
                    .unwrap();
                assert!(!output.status.success(), "{command} {url}");
                let all = [output.stdout, output.stderr].concat();
                let all = String::from_utf8_lossy(&all);
                assert!(!all.contains("pa55word"), "{command}: {all}");
            }
        }
    }
}
