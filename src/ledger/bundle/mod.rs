//! The folder that carries auctions without a database: `auctions.csv`, `ledger.csv`,
//! `outbox.csv`, `watchers.csv` and `manifest.json`.
//!
//! Amounts are decimals with exactly the currency's places, instants RFC 3339 in UTC with
//! microseconds, spans whole microseconds, hashes hexadecimal; empty is none. Rows are ordered by
//! auction and seq, so the same auctions give the same bytes. The manifest has the row count and
//! the sha256 of each file; it is written last, so a folder with a manifest is whole. A public
//! folder has no maxima, reserves, nonces or watchers; the commitments stay, and with them the
//! hash chain verifies.
//!
//! [`BundleWriter`] is public for programs that bring foreign histories into gavel.

mod columns;
mod ended;
mod export;
mod import;
mod instant;
mod lookup;
mod manifest;
mod origin;
mod parquet;
mod parse;
mod reader;
mod table;
mod table_out;
mod text;
mod values;
mod writer;

pub use columns::Form;
pub use ended::{FolderHeads, ended_of};
pub use export::{ExportOptions, ExportReport, export};
pub use import::{ImportOptions, ImportPhase, import};
pub use lookup::dossier_of;
pub use manifest::{FileEntry, Manifest};
pub use writer::{BundleOptions, BundleWriter};

pub(super) use origin::files_of;
pub(super) use parquet::{ParquetFolder, TypedSheaf};
pub(super) use parse::Layout;
pub(super) use reader::{FolderReader, RawDossier, Stop};
pub(super) use text::{TextFolder, TextSheaf};
