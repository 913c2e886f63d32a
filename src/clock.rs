//! The one place that asks the operating system for the time.
//!
//! An embedded store reads its clock after it has taken the write lock. The settable clock exists
//! for the demo's story and for tests; no option of the command line reaches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::auction::{Micros, Span};

/// Where a store's time comes from.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// This machine's clock.
    #[default]
    System,
    /// Stands still until it is set; may be set back.
    Settable(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at an instant.
    pub fn settable(at: Micros) -> Self {
        Self::Settable(Arc::new(AtomicI64::new(at.get())))
    }

    /// Sets a settable clock; the system's is left alone.
    pub fn set(&self, at: Micros) {
        if let Self::Settable(us) = self {
            us.store(at.get(), Ordering::SeqCst);
        }
    }

    /// Moves a settable clock on; the system's is left alone.
    pub fn advance(&self, by: Span) {
        if let Self::Settable(us) = self {
            us.fetch_add(by.get(), Ordering::SeqCst);
        }
    }

    /// Now. Before 1970 or after 9999 the nearest instant is given.
    pub fn now(&self) -> Micros {
        let us = match self {
            Self::Settable(us) => us.load(Ordering::SeqCst),
            Self::System => system_us(),
        };
        Micros::new(us.max(1)).unwrap_or(Micros::MAX)
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "this is the clock the lint points to"
)]
fn system_us() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
