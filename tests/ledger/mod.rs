//! The auditor: every check is provoked, clean histories give nothing, and a folder carries
//! auctions without loss.

mod bundle;
pub(crate) mod clean;
mod corruptions;
mod explained;
mod folder_faults;
mod needle;
mod own_story;
mod public;
mod quick_look;
mod real_data;
mod round_trip;
mod selected;
mod shill;
mod store;
mod story;
mod tampered;
mod twin;
mod what_if;
