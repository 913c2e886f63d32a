//! The closer's daemon as a process, on both databases and by their real clocks: what it closes,
//! and what is left of its work when it, or its database, is stopped. Order and exactly-once are
//! asserted, never how fast.

mod clocks;
mod daemon;
mod faults;
pub(crate) mod hall;
mod model;
mod observed;
mod walks;
