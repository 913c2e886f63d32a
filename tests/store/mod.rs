//! The conformance suite of the store contract: by theme, every test on every backend; and what
//! only PostgreSQL has: its catalogue, its roles, its locks.

mod as_of;
mod bid;
mod burst;
mod claims;
mod close;
mod closings;
mod concurrency;
mod create;
mod dossiers;
mod equivalence;
mod extend;
mod list;
mod migrate;
mod operator;
mod postgres_catalogue;
mod postgres_doctor;
mod postgres_limits;
mod postgres_order_plans;
mod postgres_plans;
mod postgres_races;
mod postgres_roles;
mod repeat;
mod sqlite_file;
mod sweep;
mod top;
mod watch;
mod watcher;
