//! What the tests are made with: values in short, a reference model, a generator of commands, and
//! the databases under test.

pub(crate) mod audit;
pub(crate) mod backend;
pub(crate) mod cli;
pub(crate) mod commands;
pub(crate) mod crosscheck;
pub(crate) mod drive;
pub(crate) mod lot;
pub(crate) mod make;
pub(crate) mod model;
pub(crate) mod postgres;
pub(crate) mod screen;
pub(crate) mod sound;
pub(crate) mod superuser;
