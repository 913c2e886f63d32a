//! One report a file: the fields that may be shown, and how people read them.

pub(crate) mod action;
pub(crate) mod aliases;
pub(crate) mod auction;
pub(crate) mod bid;
pub(crate) mod bundle;
pub(crate) mod burst;
pub(crate) mod burst_page;
#[cfg(test)]
mod burst_sample;
pub(crate) mod burst_words;
pub(crate) mod checkpoint;
pub(crate) mod close;
pub(crate) mod create;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod extension;
pub(crate) mod foreign;
pub(crate) mod history;
pub(crate) mod migrate;
pub(crate) mod mine;
pub(crate) mod own_story;
pub(crate) mod refusal;
pub(crate) mod replay;
pub(crate) mod shill;
pub(crate) mod status;
pub(crate) mod steps;
pub(crate) mod story;
pub(crate) mod sweep;
pub(crate) mod tick;
pub(crate) mod top;
pub(crate) mod watching;
pub(crate) mod watchlist;
pub(crate) mod what_if;
