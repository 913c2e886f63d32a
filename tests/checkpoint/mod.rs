//! Checkpoints: the formats by their specifications, the tree by a second implementation, the
//! settled cut on both databases, and what a forged record looks like to whoever kept something.

mod forged;
mod formats;
mod program;
mod settled;
mod tree;
