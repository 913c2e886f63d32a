//! The heads of a folder's auctions that are over, in the order of a checkpoint's tree.
//!
//! Only the table of the auctions is read, whose rows are by id, so they are sorted here: 48 bytes
//! an auction stay in memory.

use std::path::Path;

use super::columns::{File, Form};
use super::instant::instant;
use super::manifest::Manifest;
use super::parquet::{ParquetFolder, sha256};
use super::parse::column;
use super::reader::Stop;
use super::table::{Order, Places, Row, Table, field};
use crate::auction::{AuctionId, Digest, Status};
use crate::ledger::AuditError;
use crate::store::{AuctionRow, Damage, EndedHead, HeadRead};

/// What a folder says of the auctions that are over.
#[derive(Debug)]
pub struct FolderHeads {
    /// The folder's manifest.
    pub manifest: Manifest,
    /// By instant and id, those of load generation left out.
    pub heads: Vec<EndedHead>,
    /// Rows that cannot be read.
    pub damage: Vec<Damage>,
    /// The table is the file that the manifest was made for.
    pub as_manifest: bool,
}

/// Reads them.
pub fn ended_of(folder: &Path) -> Result<FolderHeads, AuditError> {
    let manifest = Manifest::read(folder)?;
    if manifest.form() == Form::Parquet {
        return read_typed(folder, manifest);
    }
    for order in [Order::Streamed, Order::Sorted] {
        match read(folder, &manifest, order) {
            Ok(found) => return Ok(found),
            Err(Stop::Failed(error)) => return Err(error),
            Err(Stop::Disorder) => {}
        }
    }
    // Sorted rows are in order.
    Err(AuditError::NotABundle(folder.to_owned()))
}

fn read(folder: &Path, manifest: &Manifest, order: Order) -> Result<FolderHeads, Stop> {
    let mut table = Table::open(folder, File::Auctions, manifest.public, order)?;
    let columns = Columns::of(table.places());
    let (mut heads, mut damage) = (Vec::new(), Vec::new());
    while let Some(row) = table.next()? {
        match columns.head(&row) {
            None => {}
            Some(Ok(head)) => heads.push(head),
            Some(Err(damaged)) => damage.push(damaged),
        }
    }
    heads.sort_unstable();
    let name = File::Auctions.name();
    let seen = table.seen()?;
    let entry = manifest.file(name);
    let as_manifest =
        entry.is_some_and(|entry| (entry.rows, &entry.sha256) == (seen.rows, &seen.sha256));
    Ok(FolderHeads {
        manifest: manifest.clone(),
        heads,
        damage,
        as_manifest,
    })
}

fn read_typed(folder: &Path, manifest: Manifest) -> Result<FolderHeads, AuditError> {
    let mut reader = ParquetFolder::open_auctions(folder, &manifest)?;
    let (mut heads, mut damage) = (Vec::new(), Vec::new());
    while let Some(sheaf) = reader.next()? {
        for (dossier, _) in sheaf.open().auctions {
            match dossier.row.as_ref().map(row_head) {
                None => damage.extend(dossier.damage),
                Some(None) => {}
                Some(Some(Ok(head))) => heads.push(head),
                Some(Some(Err(damaged))) => damage.push(damaged),
            }
        }
    }
    heads.sort_unstable();
    let name = File::Auctions.name_in(Form::Parquet);
    let found = sha256(&folder.join(name))?;
    let as_manifest = manifest
        .file(name)
        .is_some_and(|entry| entry.sha256 == found);
    Ok(FolderHeads {
        manifest,
        heads,
        damage,
        as_manifest,
    })
}

/// None for an auction that is not over, or of load generation.
fn row_head(row: &AuctionRow) -> Option<HeadRead> {
    let over = row.status.is_closed() || row.status == Status::Cancelled;
    if !over || row.auction_id.get() >= AuctionId::BURST_MIN {
        return None;
    }
    let head = |ended| EndedHead {
        ended,
        auction_id: row.auction_id,
        head: row.head,
    };
    let absent = || Damage::row(row.auction_id.get(), "closed_at", "nothing");
    Some(row.ended_at().map(head).ok_or_else(absent))
}

/// Where the columns stand that are needed here.
struct Columns {
    places: Places,
    status: usize,
    last_at: usize,
    head: usize,
    closed_at: usize,
}

impl Columns {
    fn of(places: Places) -> Self {
        let column = |name| column(File::Auctions, name);
        Self {
            places,
            status: column("status"),
            last_at: column("last_at"),
            head: column("head"),
            closed_at: column("closed_at"),
        }
    }

    /// None for an auction that is not over, or of load generation.
    fn head(&self, row: &Row) -> Option<HeadRead> {
        let text = |column| field(&row.record, &self.places, column);
        let ended = match Status::from_stored(text(self.status)) {
            Some(Status::Cancelled) => self.last_at,
            Some(Status::Closed | Status::ClosedReserveNotMet) => self.closed_at,
            _ => return None,
        };
        if row.auction_id >= AuctionId::BURST_MIN {
            return None;
        }
        let damaged = |column, found: String| {
            let found = format!("{found} ({} line {})", File::Auctions.name(), row.line);
            Damage::row(row.auction_id, column, found)
        };
        let read = || {
            let mut head = Digest::default();
            hex::decode_to_slice(text(self.head), &mut head)
                .map_err(|error| damaged("head", error.to_string()))?;
            Ok(EndedHead {
                ended: instant(text(ended)).map_err(|why| damaged("closed_at", why))?,
                auction_id: AuctionId::new(row.auction_id)
                    .map_err(|error| damaged("auction_id", error.to_string()))?,
                head,
            })
        };
        Some(read())
    }
}
