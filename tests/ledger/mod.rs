//! The ledger's service: audits, folders, and histories of real sites.

mod real_data;
