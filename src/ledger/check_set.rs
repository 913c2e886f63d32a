//! Some of the checks: those that a replay was asked for.

use super::finding::Check;

/// A set of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckSet([bool; Check::ALL.len()]);

impl Default for CheckSet {
    /// All.
    fn default() -> Self {
        Self([true; Check::ALL.len()])
    }
}

impl CheckSet {
    /// These only.
    pub fn only(checks: &[Check]) -> Self {
        let mut set = Self([false; Check::ALL.len()]);
        set.put(checks, true);
        set
    }

    /// All but these.
    pub fn without(checks: &[Check]) -> Self {
        let mut set = Self::default();
        set.put(checks, false);
        set
    }

    /// Of these, the ones that need no more than a ledger.
    pub(super) fn of_ledger(mut self) -> Self {
        for check in Check::ALL.into_iter().filter(|check| !check.is_of_ledger()) {
            self.put(&[check], false);
        }
        self
    }

    fn put(&mut self, checks: &[Check], is_in: bool) {
        for check in checks {
            if let Some(place) = self.0.get_mut(check.index()) {
                *place = is_in;
            }
        }
    }

    /// Whether a check is in it.
    pub fn holds(&self, check: Check) -> bool {
        self.0.get(check.index()).copied().unwrap_or(false)
    }

    /// Whether commitments or hashes have to be computed.
    pub(super) fn needs_hashes(&self) -> bool {
        self.holds(Check::HashChain) || self.holds(Check::Commitment)
    }
}
