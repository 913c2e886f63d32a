//! What a daemon does when the database fails: which failures pass, and how long it waits.

use std::time::Duration;

use rand::RngExt as _;

use crate::store::StoreErrorKind;

/// The first pause, milliseconds; each failure doubles it.
const FIRST_MS: u64 = 100;
/// The longest.
const LONGEST_MS: u64 = 5_000;

/// Counts failures until all goes well again: one that comes back after every answer is waited for
/// as one that lasts.
#[derive(Debug, Default)]
pub(super) struct Outage {
    failures: u32,
    on: bool,
}

impl Outage {
    /// A failure: which one in a row, and the pause after it, up to a third shorter by chance so
    /// that closers do not come back together.
    pub(super) fn failed(&mut self) -> (u32, Duration) {
        let full_ms = FIRST_MS << self.failures.min(16);
        let full_ms = full_ms.min(LONGEST_MS);
        self.failures = self.failures.saturating_add(1);
        self.on = true;
        let pause_ms = rand::rng().random_range(full_ms * 2 / 3..=full_ms);
        (self.failures, Duration::from_millis(pause_ms))
    }

    /// Whether the last try failed.
    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// The database does what it is asked.
    pub(super) fn answered(&mut self) {
        self.on = false;
    }

    /// It did so for a whole tick.
    pub(super) fn over(&mut self) {
        *self = Self::default();
    }
}

/// Whether a failure may pass while the daemon waits. No catch-all: a new kind must choose.
pub(super) fn may_pass(kind: StoreErrorKind) -> bool {
    match kind {
        StoreErrorKind::Contended
        | StoreErrorKind::Unreachable
        | StoreErrorKind::TimedOut
        | StoreErrorKind::Full
        | StoreErrorKind::Damaged
        | StoreErrorKind::Conflict
        | StoreErrorKind::Failed => true,
        // Somebody has to change something, and to look at it.
        StoreErrorKind::Tls
        | StoreErrorKind::NotMigrated
        | StoreErrorKind::NewerSchema
        | StoreErrorKind::OtherSchema
        | StoreErrorKind::BadUrl
        | StoreErrorKind::NotDatabase
        | StoreErrorKind::Corrupt
        | StoreErrorKind::Denied => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_and_begin_anew() {
        let mut outage = Outage::default();
        assert!(!outage.is_on());
        for (nth, full_ms) in (1..).zip([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]) {
            let (failures, pause) = outage.failed();
            assert_eq!(failures, nth);
            let pause_ms = u64::try_from(pause.as_millis()).unwrap();
            assert!(
                (full_ms * 2 / 3..=full_ms).contains(&pause_ms),
                "{pause_ms}"
            );
        }
        assert!(outage.is_on());
        outage.answered();
        assert!(!outage.is_on() && outage.failed().0 == 9 && outage.is_on());
        outage.over();
        assert!(!outage.is_on() && outage.failed().1 <= Duration::from_millis(100));
    }
}
