//! The rules, one theme a file. Expected values are worked out by hand from the design.

mod closing;
mod create;
mod extend;
mod fold;
mod ids;
mod money;
mod operator;
mod price;
mod properties;
mod refusals;
mod repeat;
mod reserve;
mod soft_close;
mod steps;
mod time;
mod vectors;
