//! What a command works with: the terminal, the database, and the sources of randomness.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use etcetera::BaseStrategy as _;
use uuid::Uuid;

use super::args::GlobalArgs;
use super::error::{InputError, Untold};
use crate::auction::{Nonce, PartyId, RequestId};
use crate::clock::Clock;
use crate::ledger::Origin;
use crate::output::{Card, Ui};
use crate::shutdown::Shutdown;
use crate::store::{Store, StoreUrl, WriteMode};

/// Handed to every command.
pub(crate) struct Context {
    /// Results and words.
    pub(crate) ui: Ui,
    /// What an interruption of the work in hand leaves behind, and the way out.
    pub(crate) if_interrupted: Option<&'static str>,
    /// Whether the end was asked for.
    pub(crate) shutdown: Shutdown,
    database_url: Option<String>,
    store: Option<Store>,
}

impl Context {
    /// From the global options. No connection is opened yet.
    pub(crate) fn new(global: &GlobalArgs, shutdown: Shutdown) -> Self {
        Self {
            ui: Ui::new(global.settings()),
            if_interrupted: None,
            shutdown,
            // An empty variable is no choice.
            database_url: global.database_url.clone().filter(|url| !url.is_empty()),
            store: None,
        }
    }

    /// The database that was named, or the default one.
    pub(crate) fn url(&self) -> anyhow::Result<StoreUrl> {
        match &self.database_url {
            Some(text) => text.parse().map_err(|why| {
                InputError::option("--database-url", why)
                    .hint("the default, without the option, is an SQLite file of your own")
                    .into()
            }),
            None => Ok(StoreUrl::Sqlite(default_path()?)),
        }
    }

    /// The database, at this gavel's schema.
    pub(crate) async fn store(&mut self) -> anyhow::Result<Store> {
        let url = self.url()?;
        let store = match &self.store {
            Some(store) => store.clone(),
            None => Store::connect(&url, Clock::System, false)
                .with_context(|| format!("cannot use {url}"))?,
        };
        self.store = Some(store.clone());
        store
            .check_current()
            .await
            .with_context(|| format!("cannot use {url}"))?;
        Ok(store)
    }

    /// Where a report reads auctions: a folder, or the database, which is put into `held`.
    pub(crate) async fn origin<'a>(
        &mut self,
        from: Option<&'a Path>,
        held: &'a mut Option<Store>,
    ) -> anyhow::Result<Origin<'a, Store>> {
        Ok(match from {
            Some(folder) => Origin::Folder(folder),
            None => Origin::Store(held.insert(self.store().await?)),
        })
    }

    /// The database as it is, made if it is not there.
    pub(crate) fn store_made(&mut self) -> anyhow::Result<Store> {
        let url = self.url()?;
        if let StoreUrl::Sqlite(path) = &url
            && !path.exists()
        {
            let mut above = path.ancestors().skip(1);
            if let Some(file) = above.find(|part| part.is_file()) {
                let why = format!("{} is a file, not a folder", file.display());
                return Err(InputError::option("--database-url", why).into());
            }
            if let Some(folder) = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
            {
                // A path that was written by hand may be a slip.
                if self.database_url.is_some() && !folder.exists() {
                    self.ui
                        .note(&format!("making the folder {}", folder.display()));
                }
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            }
            self.ui.note(&format!("making a new database: {url}"));
        }
        let store = Store::connect(&url, Clock::System, true)
            .with_context(|| format!("cannot use {url}"))?;
        self.store = Some(store.clone());
        Ok(store)
    }

    /// Prints the result of what was done; if it cannot be written, the error tells it.
    pub(crate) fn done(&mut self, card: &impl Card) -> anyhow::Result<()> {
        self.ui.card(card).with_context(|| Untold::card(card))
    }

    /// Lets go of the database, so that an embedded one is a single file again.
    pub(crate) async fn close(&mut self) {
        if let Some(store) = self.store.take() {
            store.close().await;
        }
    }
}

/// `gavel/gavel.db` in the user's data folder.
fn default_path() -> anyhow::Result<PathBuf> {
    let folders = etcetera::choose_base_strategy().map_err(|_| {
        InputError::new("there is no home folder for the default database")
            .hint("state --database-url sqlite:PATH, or set DATABASE_URL")
    })?;
    Ok(folders.data_dir().join("gavel").join("gavel.db"))
}

/// The given request id, or a fresh one.
pub(crate) fn request_id(given: Option<RequestId>) -> RequestId {
    given.unwrap_or_else(|| RequestId::new(Uuid::new_v4()))
}

/// A fresh nonce.
pub(crate) fn nonce() -> Nonce {
    rand::random()
}

/// The operator: as stated, or by default `operator`.
pub(crate) fn actor(stated: Option<PartyId>) -> anyhow::Result<PartyId> {
    match stated {
        Some(actor) => Ok(actor),
        None => Ok(PartyId::new("operator")?),
    }
}

/// Kept, or only rehearsed.
pub(crate) fn mode(dry_run: bool) -> WriteMode {
    if dry_run {
        WriteMode::Rehearse
    } else {
        WriteMode::Commit
    }
}
