//! Which files of a folder a finding about an auction can come from.
//!
//! Who changes a cell changes the file's sha256 as well: that is one corruption, and it is named
//! at the cell. Only a file whose change shows nowhere else is named by the manifest.

use super::columns::File;
use crate::ledger::{Check, Finding};

/// The names of the files whose change this finding can tell.
pub(in crate::ledger) fn files_of(finding: &Finding) -> impl Iterator<Item = &'static str> {
    files(finding).iter().map(|file| file.name())
}

fn files(finding: &Finding) -> &'static [File] {
    match (finding.check, finding.seq) {
        // Work left undone is so in an honest folder too.
        (check, _) if !check.is_damage() || check.is_of_manifest() => &[],
        (Check::Head, _) | (Check::MissingCreate, None) => &[File::Ledger, File::Auctions],
        (_, Some(_)) => &[File::Ledger],
        (Check::Unreadable, None) => &[File::Auctions, File::Outbox, File::Watchers],
        (Check::MissingRow, None) => &File::ALL,
        // Its closing time is compared with the row's.
        (Check::EventContent, None) => &[File::Outbox, File::Auctions],
        (Check::EventMissing | Check::EventDuplicate | Check::EventUnexpected, None) => {
            &[File::Outbox]
        }
        (_, None) => &[File::Auctions],
    }
}
