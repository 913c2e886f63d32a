//! Where the heads come from: a database, or an exported folder.

use std::path::Path;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::error::CheckpointError;
use crate::auction::{Micros, Span};
use crate::ledger::AuditError;
use crate::ledger::bundle::{FolderHeads, ended_of};
use crate::store::{Contract, HeadRead, StoreError};

/// Chunks that wait between the reader and the tree.
const CHUNKS_WAITING_MAX: usize = 4;
/// An export's clock is read before its snapshot, and a closing that ran then is not in it: by
/// default a folder's cut is a minute before the export.
const FOLDER_MARGIN_US: i64 = 60_000_000;

/// What is recorded.
#[derive(Debug)]
pub enum Record<'a, S> {
    /// In a database; reading rights suffice.
    Store(&'a S),
    /// In a folder.
    Folder(Box<FolderHeads>),
}

/// The cut that a record allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CutRange {
    /// Where nothing else is asked for.
    pub(super) usual: Micros,
    /// None may be later.
    pub(super) latest: Micros,
}

impl<S: Contract> Record<'_, S> {
    /// Reads a folder.
    pub async fn folder(folder: &Path) -> Result<Self, CheckpointError> {
        let path = folder.to_owned();
        let mut reading = JoinSet::new();
        reading.spawn_blocking(move || ended_of(&path));
        match reading.join_next().await {
            Some(read) => Ok(Self::Folder(Box::new(read??))),
            None => Err(AuditError::NotABundle(folder.to_owned()).into()),
        }
    }

    /// Whose record it is.
    pub async fn installation(&self) -> Result<Uuid, StoreError> {
        match self {
            Self::Store(store) => store.installation().await,
            Self::Folder(folder) => Ok(folder.manifest.installation),
        }
    }

    pub(super) async fn cuts(&self) -> Result<CutRange, StoreError> {
        match self {
            Self::Store(store) => {
                let settled = store.heads_settled().await?;
                Ok(CutRange {
                    usual: settled,
                    latest: settled,
                })
            }
            Self::Folder(folder) => {
                let latest = latest_of(folder);
                let margin = Span::new(FOLDER_MARGIN_US).ok();
                // Nothing is under way in the history of another site.
                let margin = margin.filter(|_| !folder.manifest.installation.is_nil());
                let usual = margin.map_or(latest, |margin| latest.minus(margin));
                Ok(CutRange { usual, latest })
            }
        }
    }

    /// Refuses a folder that was exported before a cut, or is not as it was exported.
    pub(super) fn check_reaches(&self, cut: Micros) -> Result<(), CheckpointError> {
        match self {
            Self::Folder(folder) if latest_of(folder) < cut => {
                let at = folder.manifest.exported_at;
                let why = format!("the folder was exported at {at}, before the cut at {cut}");
                Err(CheckpointError::Input(why))
            }
            Self::Folder(_) | Self::Store(_) => Ok(()),
        }
    }

    /// Visits what ended before an instant, in the order of the tree, until a visit fails.
    pub(super) async fn walk(
        &self,
        before: Micros,
        mut visit: impl FnMut(HeadRead) -> Result<(), CheckpointError>,
    ) -> Result<(), CheckpointError> {
        let store = match self {
            Self::Store(store) => store,
            Self::Folder(folder) => {
                let damage = folder.damage.iter().cloned().map(Err);
                let heads = folder.heads.iter().take_while(|head| head.ended < before);
                return damage
                    .chain(heads.copied().map(Ok))
                    .try_for_each(&mut visit);
            }
        };
        let (out, mut chunks) = mpsc::channel::<Vec<HeadRead>>(CHUNKS_WAITING_MAX);
        let walking = async move {
            while let Some(chunk) = chunks.recv().await {
                chunk.into_iter().try_for_each(&mut visit)?;
            }
            Ok(())
        };
        let (read, walked) = tokio::join!(store.heads_read(before, out), walking);
        read?;
        walked
    }
}

/// A folder tells of what ended before its export; the history of another site, which no
/// installation wrote, is dated at its last end and tells of that too.
fn latest_of(folder: &FolderHeads) -> Micros {
    let exported_at = folder.manifest.exported_at;
    match Span::new(1) {
        Ok(next) if folder.manifest.installation.is_nil() => exported_at.plus(next),
        _ => exported_at,
    }
}
