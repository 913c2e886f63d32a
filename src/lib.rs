//! gavel administers auctions and audits them.
//!
//! Layers, one-way: `cli` → `output`, services (`closer`, `ledger`, `checkpoint`, `history`, `watch`, `top`, `burst`, `demo`) → `store`
//! → `auction`. The rules are pure; SQL lives in `store` only; services return plain reports that `output`
//! renders; only `cli` and `output` touch the terminal.

pub mod auction;
pub mod burst;
pub mod checkpoint;
pub mod cli;
pub mod clock;
pub mod closer;
pub mod demo;
pub mod history;
pub mod ledger;
mod output;
pub mod shutdown;
pub mod store;
pub mod top;
pub mod watch;
