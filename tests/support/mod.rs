//! What the tests are made with: values in short, a reference model, a generator of commands.

pub(crate) mod commands;
pub(crate) mod crosscheck;
pub(crate) mod lot;
pub(crate) mod make;
pub(crate) mod model;
