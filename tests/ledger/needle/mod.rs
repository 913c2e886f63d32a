//! The needle in the haystack: ten thousand auctions, of which a superuser changes one, and the
//! replay names it and nothing else. One list of changes for both databases and both forms of a
//! folder.

mod cases;
mod databases;
mod folders;
pub(super) mod haystack;
