//! Writes a folder: to temporary names, renamed when all is there, the manifest last.
//!
//! Dossiers must come by ascending auction id. A writer that is dropped before [`finish`] leaves
//! nothing behind; what a killed one left is removed by the next. A file that is not of an export
//! is never replaced.
//!
//! [`finish`]: BundleWriter::finish

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use uuid::Uuid;

use super::columns::{File, Form, MANIFEST};
use super::manifest::Manifest;
use super::table_out::TableOut;
use super::values::{Value, of_auction, of_entry, of_event, of_watcher};
use crate::auction::{Currency, Micros};
use crate::ledger::AuditError;
use crate::store::{Damage, Dossier};

/// What kind of folder is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundleOptions {
    /// Without maxima, reserves, nonces and watchers.
    pub public: bool,
    /// How the tables are written.
    pub form: Form,
    /// Replace an export that the folder holds.
    pub overwrite: bool,
    /// The database it comes from.
    pub installation: Uuid,
    /// The store's clock.
    pub exported_at: Micros,
}

/// A folder being written.
pub struct BundleWriter {
    folder: PathBuf,
    options: BundleOptions,
    tables: Vec<TableOut>,
    last_id: i64,
    kept: bool,
    /// Behind the tables: their temporary files go first.
    folders: MadeFolders,
}

impl BundleWriter {
    /// Opens the files; makes the folder if there is none.
    pub fn create(folder: &Path, options: BundleOptions) -> Result<Self, AuditError> {
        let folders = MadeFolders::make(folder)?;
        old_files(folder, options.overwrite)?;
        remove_abandoned(folder)?;
        Self::begin(folder, options, Some(folders))
    }

    /// A writer that refuses what [`Self::create`] and a real export would, and touches no file.
    pub fn rehearse(folder: &Path, options: BundleOptions) -> Result<Self, AuditError> {
        let unusable = |error| Err(AuditError::io("make", folder, error));
        match fs::metadata(folder) {
            Ok(about) if about.is_dir() => drop(old_files(folder, options.overwrite)?),
            Ok(_) => return unusable(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return unusable(error),
        }
        Self::begin(folder, options, None)
    }

    fn begin(
        folder: &Path,
        options: BundleOptions,
        folders: Option<MadeFolders>,
    ) -> Result<Self, AuditError> {
        let kept = folders.is_some();
        let table = |file| {
            let out = kept
                .then(|| temporary(folder, options.public))
                .transpose()?;
            TableOut::create(folder, file, options.form, options.public, out)
        };
        Ok(Self {
            folder: folder.to_owned(),
            options,
            tables: File::of(options.public)
                .map(table)
                .collect::<Result<_, _>>()?,
            last_id: 0,
            kept,
            folders: folders.unwrap_or_default(),
        })
    }

    /// Adds an auction. A damaged one, or one out of order, is refused.
    pub fn append(&mut self, dossier: &Dossier) -> Result<(), AuditError> {
        if let Some(damage) = dossier.damage.first() {
            return Err(AuditError::Damaged(damage.clone()));
        }
        let auction_id = dossier.auction_id;
        let damaged = |column, why: &str| AuditError::Damaged(Damage::row(auction_id, column, why));
        let Some(row) = &dossier.row else {
            return Err(damaged("auction_id", "it has no auctions row"));
        };
        if !dossier.secrets_visible && !self.options.public {
            return Err(damaged(
                "secret",
                "hidden from this reader; only a public export can be made",
            ));
        }
        if auction_id <= self.last_id {
            return Err(damaged("auction_id", "auctions must come by ascending id"));
        }
        self.last_id = auction_id;
        let currency = row.terms.currency;
        self.put(File::Auctions, &of_auction(row), currency)?;
        for entry in &dossier.entries {
            self.put(File::Ledger, &of_entry(entry), currency)?;
        }
        let mut events: Vec<_> = dossier.events.iter().collect();
        events.sort_by(|a, b| a.event_id.cmp(&b.event_id));
        for event in events {
            self.put(File::Outbox, &of_event(auction_id, event), currency)?;
        }
        if !self.options.public {
            let mut watchers: Vec<_> = dossier.watchers.iter().collect();
            watchers.sort();
            for watcher in watchers {
                self.put(File::Watchers, &of_watcher(auction_id, watcher), currency)?;
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        file: File,
        values: &[Value<'_>],
        currency: Currency,
    ) -> Result<(), AuditError> {
        match self.tables.iter_mut().find(|table| table.file == file) {
            Some(table) => table.put(values, currency),
            None => Ok(()),
        }
    }

    /// Makes everything durable and gives the files their names.
    pub fn finish(mut self) -> Result<Manifest, AuditError> {
        let BundleOptions {
            public,
            installation,
            exported_at,
            ..
        } = self.options;
        let mut entries = Vec::new();
        let mut written = Vec::new();
        for table in self.tables {
            let (entry, file) = table.finish()?;
            entries.push(entry);
            written.extend(file);
        }
        let manifest = Manifest::new(installation, exported_at, public, entries);
        if !self.kept {
            return Ok(manifest);
        }
        let path = self.folder.join(MANIFEST);
        let mut text = temporary(&self.folder, public)?;
        text.write_all(manifest.to_text().as_bytes())
            .and_then(|()| text.as_file().sync_all())
            .map_err(|error| AuditError::io("write", &path, error))?;
        // Looked at again: what came into the folder meanwhile is not replaced either.
        let old = old_files(&self.folder, self.options.overwrite)?;
        // From here to the last rename the folder is no export: it has no manifest.
        for name in old {
            remove(&self.folder.join(name))?;
        }
        for (entry, file) in manifest.files.iter().zip(written) {
            persist(file, &self.folder.join(&entry.name))?;
        }
        persist(text, &path)?;
        self.folders.keep();
        Ok(manifest)
    }
}

/// The folders that were not there before; as long as they are empty they go with this.
#[derive(Debug, Default)]
struct MadeFolders(Vec<PathBuf>);

impl MadeFolders {
    fn make(folder: &Path) -> Result<Self, AuditError> {
        let absent = |part: &&Path| !part.as_os_str().is_empty() && !part.exists();
        let parts = folder.ancestors().take_while(absent);
        let made = Self(parts.map(Path::to_owned).collect());
        fs::create_dir_all(folder).map_err(|error| AuditError::io("make", folder, error))?;
        Ok(made)
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        // One that holds something stays.
        for folder in &self.0 {
            fs::remove_dir(folder).ok();
        }
    }
}

/// The files of the export that the folder holds, the manifest first; refuses a folder in which a
/// file stands that would be replaced without being of such an export.
fn old_files(folder: &Path, overwrite: bool) -> Result<Vec<&'static str>, AuditError> {
    let manifest = match Manifest::read(folder) {
        Ok(_) if !overwrite => return Err(AuditError::Exists(folder.to_owned())),
        Ok(manifest) => Some(manifest),
        Err(AuditError::NotABundle(_) | AuditError::Manifest { .. }) => None,
        Err(error) => return Err(error),
    };
    let mut old = Vec::new();
    let in_form = |form| File::ALL.map(|file| file.name_in(form));
    let names = in_form(Form::Csv).into_iter().chain(in_form(Form::Parquet));
    for name in std::iter::once(MANIFEST).chain(names) {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(AuditError::io("look at", &path, error)),
            Ok(_) => {}
        }
        let exported = |manifest: &Manifest| name == MANIFEST || manifest.file(name).is_some();
        if !manifest.as_ref().is_some_and(exported) {
            return Err(AuditError::NotOfAnExport(path));
        }
        old.push(name);
    }
    Ok(old)
}

/// Removes what a killed export left: it may hold maxima. A running one holds a lock on its files.
fn remove_abandoned(folder: &Path) -> Result<(), AuditError> {
    let failed = |error| AuditError::io("read", folder, error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(TEMPORARY));
        let ours = random.is_some_and(|random| {
            let plain = random.bytes().all(|byte| byte.is_ascii_alphanumeric());
            random.len() == TEMPORARY_RANDOM && plain
        });
        if !ours || !entry.file_type().map_err(failed)?.is_file() {
            continue;
        }
        let path = entry.path();
        let running = match fs::File::open(&path) {
            Ok(file) => matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(AuditError::io("read", &path, error)),
        };
        if !running {
            remove(&path)?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), AuditError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(AuditError::io("replace", path, error))
        }
        _ => Ok(()),
    }
}

fn persist(file: NamedTempFile, path: &Path) -> Result<(), AuditError> {
    file.persist(path)
        .map(drop)
        .map_err(|error| AuditError::io("write", path, error.error))
}

/// Begins the name of a temporary file; so many letters and digits follow.
const TEMPORARY: &str = ".gavel-export-";
const TEMPORARY_RANDOM: usize = 6;

/// A temporary file; what holds maxima is for the owner alone.
fn temporary(folder: &Path, public: bool) -> Result<NamedTempFile, AuditError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY).rand_bytes(TEMPORARY_RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if public { 0o666 } else { 0o600 };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let file = builder
        .tempfile_in(folder)
        .map_err(|error| AuditError::io("write to", folder, error))?;
    // Only tells other exports that this one runs; where locks do not work, nothing else is lost.
    file.as_file().try_lock().ok();
    Ok(file)
}
