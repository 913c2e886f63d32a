//! How long a database that does not answer is tried again.

use crate::auction::{Micros, Span};

/// Counts from the first failure; an answer ends the count.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    limit: Span,
    failing_since: Option<Micros>,
}

impl Patience {
    /// As long as this.
    pub fn new(limit: Span) -> Self {
        Self {
            limit,
            failing_since: None,
        }
    }

    /// A failure, at an instant of this machine's clock: whether it is worth another try.
    pub fn allows(&mut self, now: Micros) -> bool {
        let since = *self.failing_since.get_or_insert(now);
        now.since(since) < self.limit.get()
    }

    /// Whether the last try failed.
    pub fn is_tried(&self) -> bool {
        self.failing_since.is_some()
    }

    /// An answer; whether it is the first after failures.
    pub fn answered(&mut self) -> bool {
        self.failing_since.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_starts_with_the_first_failure_and_ends_with_an_answer() {
        let at = |us| Micros::new(us).unwrap();
        let mut patience = Patience::new(Span::new(10).unwrap());
        assert!(!patience.answered() && !patience.is_tried());
        assert!(patience.allows(at(100)) && patience.allows(at(109)));
        assert!(patience.is_tried() && !patience.allows(at(110)));
        assert!(patience.answered() && !patience.is_tried());
        assert!(patience.allows(at(110)));
    }
}
