//! The one place that asks the operating system for the time.
//!
//! An embedded store reads its clock after it has taken the write lock. The settable clock exists
//! for the demo's story and for tests; no option of the command line reaches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

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

/// What a store's clock said, and when that was here: so an instant of the store's can be awaited
/// without asking again, whatever this machine's clock says.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    said: Micros,
    heard: Instant,
}

impl Reading {
    /// The answer was heard at this instant. The store's clock has gone on since it was read, so
    /// what is reckoned from it is late by the answer's way, and never early.
    pub fn new(said: Micros, heard: Instant) -> Self {
        Self { said, heard }
    }

    /// What the store's clock says at a later instant, at least.
    pub fn at(&self, instant: Instant) -> Micros {
        let since = instant.saturating_duration_since(self.heard).as_micros();
        match Span::new(i64::try_from(since).unwrap_or(Span::MAX)) {
            Ok(since) => self.said.plus(since),
            Err(_) => self.said,
        }
    }

    /// When the store's clock has come to an instant.
    pub fn instant_of(&self, at: Micros) -> Instant {
        let us = u64::try_from(at.since(self.said)).unwrap_or(0);
        self.heard + Duration::from_micros(us)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_goes_on_with_this_machines_time() {
        let (said, heard) = (Micros::new(1_000_000).unwrap(), Instant::now());
        let reading = Reading::new(said, heard);
        let later = heard + Duration::from_micros(2_500);
        assert_eq!(reading.at(heard), said);
        assert_eq!(reading.at(later).get(), 1_002_500);
        assert_eq!(reading.instant_of(reading.at(later)), later);
        // What is past is now.
        assert_eq!(reading.instant_of(Micros::new(5).unwrap()), heard);
        assert_eq!(reading.at(heard - Duration::from_secs(1)), said);
    }
}
