//! Whether a pooled connection can still be used.
//!
//! Not one that SQLite has left in the middle of a transaction: it ends one by itself where the
//! device is full, the driver goes on counting it, and every later transaction would be refused.
//! And not one to a file that is gone: who restores a database puts another file in its place, and
//! what is written to the old one is seen by nobody.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnectionMetadata;
use sqlx::{Connection as _, SqliteConnection};

/// What tells a file from another at the same path.
type Identity = (u64, u64);

/// The file at a path.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    /// What stood there last, and since when, if another did before.
    seen: Mutex<(Option<Identity>, Option<Instant>)>,
}

impl Place {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            seen: Mutex::new((identity(path), None)),
        }
    }

    /// Whether a connection has no transaction left over, and is to the file that stands here now.
    pub(super) fn serves(
        &self,
        connection: &SqliteConnection,
        about: &PoolConnectionMetadata,
    ) -> bool {
        !connection.is_in_transaction() && about.age < self.seen_for()
    }

    fn seen_for(&self) -> Duration {
        let now = identity(&self.path);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if now != seen.0 {
            *seen = (now, Some(Instant::now()));
        }
        seen.1.map_or(Duration::MAX, |since| since.elapsed())
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let about = std::fs::metadata(path).ok()?;
    Some((about.dev(), about.ino()))
}

/// Elsewhere a file that is open cannot be replaced.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}
