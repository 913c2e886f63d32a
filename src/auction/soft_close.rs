//! Soft close: whether an accepted bid moves the end, and to where.

use super::terms::{ExtendMode, ExtendTrigger, SoftClose};
use super::time::Micros;

/// What kind of bid was accepted, as far as the trigger asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BidKind {
    /// The leader raised the own maximum.
    pub own_raise: bool,
    /// The bid changed the leader; the first bid does.
    pub leader_change: bool,
}

/// The end after a bid at `t`: max(end, min(result of the mode, cap)) if less than the window is
/// left, strictly; else the end as it is.
pub fn end_after_bid(soft: Option<SoftClose>, end: Micros, t: Micros, kind: BidKind) -> Micros {
    let Some(soft) = soft else { return end };
    let triggers = match soft.trigger {
        ExtendTrigger::Any => true,
        ExtendTrigger::NotOwnRaise => !kind.own_raise,
        ExtendTrigger::LeaderChange => kind.leader_change,
    };
    if !triggers || end.since(t) >= soft.window.get() {
        return end;
    }
    let moved = match soft.mode {
        ExtendMode::Reset => t.plus(soft.extend_by),
        ExtendMode::Add => end.plus(soft.extend_by),
    };
    end.max(moved.min(soft.cap.unwrap_or(Micros::MAX)))
}
