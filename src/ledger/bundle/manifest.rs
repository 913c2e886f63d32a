//! What a folder is, and what its files must be.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

use super::columns::{File, Form, MANIFEST};
use crate::auction::Micros;
use crate::ledger::AuditError;

/// The version of the folder's format that this gavel reads and writes.
const FORMAT: u32 = 1;

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format's version.
    pub format: u32,
    /// The gavel that wrote it.
    pub gavel: String,
    /// The database it comes from.
    pub installation: Uuid,
    /// The store's clock at the export; "due" is judged by it.
    #[serde(serialize_with = "to_text", deserialize_with = "from_text")]
    pub exported_at: Micros,
    /// Without maxima, reserves, nonces and watchers.
    pub public: bool,
    /// The files.
    pub files: Vec<FileEntry>,
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Its rows, the header not counted.
    pub rows: u64,
    /// Of its bytes, in hexadecimal.
    pub sha256: String,
}

impl Manifest {
    /// Of an export by this gavel.
    pub(super) fn new(
        installation: Uuid,
        exported_at: Micros,
        public: bool,
        files: Vec<FileEntry>,
    ) -> Self {
        Self {
            format: FORMAT,
            gavel: env!("CARGO_PKG_VERSION").to_owned(),
            installation,
            exported_at,
            public,
            files,
        }
    }

    /// Of a ledger that comes without one: nothing is known of its files.
    pub(in crate::ledger) fn none(now: Micros, public: bool) -> Self {
        Self::new(Uuid::nil(), now, public, Vec::new())
    }

    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Self, AuditError> {
        let path = folder.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Err(AuditError::NotABundle(folder.to_owned()));
            }
            Err(error) => return Err(AuditError::io("read", &path, error)),
        };
        let unusable = |why: String| AuditError::Manifest {
            path: path.clone(),
            why,
        };
        // The version first: another one may have other fields.
        let version: Version =
            serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        if version.format != FORMAT {
            let why = format!(
                "its format is {}, this gavel reads {FORMAT}",
                version.format
            );
            return Err(unusable(why));
        }
        let manifest: Self =
            serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        let form = manifest.form();
        for file in File::of(manifest.public) {
            let name = file.name_in(form);
            let entries = manifest.files.iter();
            if entries.filter(|entry| entry.name == name).count() != 1 {
                return Err(unusable(format!("it does not name {name} once")));
            }
        }
        Ok(manifest)
    }

    /// How the tables are written: as its files are called.
    pub fn form(&self) -> Form {
        match self.file(File::Ledger.name_in(Form::Parquet)) {
            Some(_) => Form::Parquet,
            None => Form::Csv,
        }
    }

    /// The text of the file: one field a line, so that two manifests compare line by line.
    pub(super) fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// The entry of a file.
    pub fn file(&self, name: &str) -> Option<&FileEntry> {
        self.files.iter().find(|entry| entry.name == name)
    }

    /// How many auctions and entries it counts.
    pub(in crate::ledger) fn counts(&self) -> (u64, u64) {
        let rows = |file: File| self.file(file.name_in(self.form())).map_or(0, |it| it.rows);
        (rows(File::Auctions), rows(File::Ledger))
    }
}

#[derive(Deserialize)]
struct Version {
    format: u32,
}

fn to_text<S: Serializer>(instant: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(instant)
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Micros, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}
