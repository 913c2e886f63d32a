//! How a live database stands, look by look: what is due, how fast and how late it is closed, what
//! ends next, what waits to be told.
//!
//! It only reads, and little: each look takes up the ends since the last one and asks again after
//! what was not closed then. No printing, no waiting: the caller decides how often to look.

mod minute;
mod reading;
mod sampler;
mod waiting;

pub use reading::{Lag, Next, Pace, Reading, Second};
pub use sampler::Sampler;
