//! The `gavel` command.

fn main() {}
