//! What a refusal must look like, and that it left nothing behind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::cli::{Desk, Said};

/// A desk as it was: the bytes of its database and the names of all its files.
pub(super) struct Before {
    database: Option<Vec<u8>>,
    files: BTreeSet<PathBuf>,
}

impl Before {
    pub(super) fn of(desk: &Desk) -> Self {
        Self {
            database: std::fs::read(desk.database()).ok(),
            files: files(&desk.path("")),
        }
    }

    /// Not a byte and not a file is different.
    pub(super) fn still_is(&self, desk: &Desk) {
        assert_eq!(files(&desk.path("")), self.files);
        let now = std::fs::read(desk.database()).ok();
        assert!(now == self.database, "the database was written to");
    }
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        found.insert(path);
    }
    found
}

/// Exit 2 with one heading that names everything expected, and no result.
pub(super) fn refused(said: &Said, input: &str, expected: &[&str]) {
    told(said, 2, input, expected);
    let heading = said.stderr.lines().next().unwrap_or_default();
    assert!(heading.starts_with("error: "), "{input}: {heading}");
}

/// A failure with this code that says all of this, and gives no result.
pub(super) fn told(said: &Said, code: i32, input: &str, expected: &[&str]) {
    assert_eq!(said.code, code, "{input}: {}{}", said.stdout, said.stderr);
    assert!(said.stdout.is_empty(), "{input}: {}", said.stdout);
    assert!(
        !said.stderr.contains("panicked"),
        "{input}: {}",
        said.stderr
    );
    for text in expected {
        assert!(
            said.stderr.contains(text),
            "{input}, {text}: {}",
            said.stderr
        );
    }
}
