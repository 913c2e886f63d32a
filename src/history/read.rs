//! Files and a mapping in, auctions and a report out.

use super::error::HistoryError;
use super::form::Layout;
use super::lot::{Gathered, gather};
use super::mapping::Mapping;
use super::play::play;
use super::report::HistoryReport;
use super::sheet::{self, Source};
use crate::auction::Micros;
use crate::store::Dossier;

/// The auctions of a history, by ascending id, and what is to be said of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histories {
    /// The auctions, closed.
    pub dossiers: Vec<Dossier>,
    /// Sums, differences, rows left out.
    pub report: HistoryReport,
}

/// Reads the files: one, or that of the auctions and that of the bids, as the mapping says. `now`
/// is the present: an auction that has not ended is left out.
pub fn read(mapping: &Mapping, sources: &[Source], now: Micros) -> Result<Histories, HistoryError> {
    let mut report = HistoryReport::default();
    let Gathered { lots, bad } = match (mapping.layout(), sources) {
        (Layout::OneFile, [source]) => {
            let mut fields = mapping.auction_fields();
            fields.extend(mapping.bid_fields());
            let sheet = sheet::read(source, &fields, mapping.delimiter)?;
            report.left_out.extend(sheet.bad);
            gather(mapping, &sheet.rows, None)
        }
        (Layout::TwoFiles, [auctions, bids]) => {
            let delimiter = mapping.delimiter;
            let auctions = sheet::read(auctions, &mapping.auction_fields(), delimiter)?;
            let bids = sheet::read(bids, &mapping.bid_fields(), delimiter)?;
            report.left_out.extend(auctions.bad);
            report.left_out.extend(bids.bad);
            gather(mapping, &auctions.rows, Some(&bids.rows))
        }
        (Layout::OneFile, _) => {
            let why = "the mapping is for one file that holds auctions and bids";
            return Err(HistoryError::Files(why));
        }
        (Layout::TwoFiles, _) => {
            let why = "the mapping is for two files, of auctions and of bids";
            return Err(HistoryError::Files(why));
        }
    };
    report.left_out.extend(bad);
    let mut dossiers = Vec::with_capacity(lots.len());
    for lot in lots.values() {
        dossiers.extend(play(mapping, lot, now, &mut report)?);
    }
    let place = |source: &str| sources.iter().position(|known| known.name == source);
    report
        .left_out
        .sort_by_key(|bad| (place(&bad.file), bad.line));
    Ok(Histories { dossiers, report })
}
