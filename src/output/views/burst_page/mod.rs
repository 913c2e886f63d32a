//! What a run of generated load gave, as one HTML page: nothing else is needed to see it, no script
//! runs in it, and it can be printed.
//!
//! The markup is made by `maud`, so that every text is escaped and every element closed. Plots are
//! SVG of our own: colours come from the page's style, for light, dark and paper.

mod axis;
mod document;
mod figures;
mod plot;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use document::page;
