//! The live view of a database: [`Scene`] is what is drawn, [`Screen`] the terminal it is drawn on.

mod charts;
mod figures;
mod scene;
mod screen;

pub(crate) use scene::Scene;
pub(crate) use screen::{Press, Screen};
