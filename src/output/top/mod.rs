//! The live view of a database: [`Scene`] is what is drawn, [`Screen`] the terminal it is drawn on.

mod charts;
mod figures;
#[cfg(test)]
mod looks;
mod scene;
mod screen;

pub(crate) use scene::Scene;
pub(crate) use screen::{Press, Screen};
