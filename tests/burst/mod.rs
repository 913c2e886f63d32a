//! Load generation, with the real binary on both databases.

mod faults;
mod scenarios;
mod stage;
