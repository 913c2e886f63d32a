//! Inputs that cannot be used, as tables: each is tried with the real binary as an option and as a
//! cell of a file, must be named with its place and the reason, and must leave everything as it was.

mod amounts;
mod count;
mod currencies;
mod databases;
mod files;
mod ids;
mod postgres;
mod sheet;
mod surroundings;
mod times;
mod urls;
mod witness;
