//! A result in a file of its own: there whole, or not at all.
//!
//! Opened before the work, so that a folder that is not there is told at once; written under a
//! temporary name beside it and renamed at the end. What is dropped before leaves nothing behind,
//! and a file that was there stays as it was.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use thiserror::Error;

/// A file cannot be written.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    /// Something has its name, and must not be replaced.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// Nothing could take its name.
    #[error("cannot write {}: it is there, and no plain file; name another", .0.display())]
    NotPlain(PathBuf),
    /// There is nowhere to write it.
    #[error("cannot write {}: there is no folder {}; make it first", .0.display(), .1.display())]
    NoFolder(PathBuf, PathBuf),
    /// The system refuses.
    #[error("cannot write {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
}

/// A file to be written.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    temporary: NamedTempFile,
    replacing: bool,
}

impl OutputFile {
    /// Makes sure that the file can be written; one of that name is replaced in the end, and what
    /// a link points to instead of the link.
    pub(crate) fn create(path: &Path) -> Result<Self, FileError> {
        Self::open(path, temporary, true)
    }

    /// A file of a new name: what is kept to prove something later must not be lost by a slip.
    pub(crate) fn create_new(path: &Path) -> Result<Self, FileError> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(FileError::Exists(path.to_owned()));
        }
        Self::open(path, temporary, false)
    }

    /// A file that only its owner may read; one of that name is replaced only if that is asked for.
    pub(crate) fn create_private(path: &Path, replacing: bool) -> Result<Self, FileError> {
        let private = |folder: &Path| {
            tempfile::Builder::new()
                .prefix(".gavel-")
                .tempfile_in(folder)
        };
        if !replacing && fs::symlink_metadata(path).is_ok() {
            return Err(FileError::Exists(path.to_owned()));
        }
        Self::open(path, private, replacing)
    }

    fn open(
        path: &Path,
        temporary: impl Fn(&Path) -> io::Result<NamedTempFile>,
        replacing: bool,
    ) -> Result<Self, FileError> {
        let refused = |error| FileError::Io(path.to_owned(), error);
        let target = match fs::metadata(path) {
            Ok(about) if about.is_file() => fs::canonicalize(path).map_err(refused)?,
            Ok(_) => return Err(FileError::NotPlain(path.to_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
            Err(error) => return Err(refused(error)),
        };
        let folder = match target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if target.file_name().is_none() {
            return Err(FileError::NotPlain(path.to_owned()));
        }
        let temporary = temporary(folder).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FileError::NoFolder(path.to_owned(), folder.to_owned()),
            _ => refused(error),
        })?;
        Ok(Self {
            path: target,
            temporary,
            replacing,
        })
    }

    /// Writes all of it, and gives it its name.
    pub(crate) fn keep(mut self, content: &[u8]) -> Result<(), FileError> {
        let written = self.temporary.write_all(content);
        written.map_err(|error| FileError::Io(self.path.clone(), error))?;
        self.finish()
    }

    /// Gives what was written its name.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        let refused = |error| FileError::Io(self.path.clone(), error);
        self.temporary.as_file().sync_all().map_err(refused)?;
        let kept = if self.replacing {
            self.temporary.persist(&self.path)
        } else {
            self.temporary.persist_noclobber(&self.path)
        };
        kept.map(drop).map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists(self.path.clone()),
            _ => refused(error.error),
        })
    }
}

impl io::Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

/// A temporary file that becomes an ordinary one: whoever may read others may read it.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".gavel-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<_> = entries
            .map(name)
            .map(|n| n.into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        fs::write(&path, "the old one").unwrap();
        drop(OutputFile::create(&path).unwrap());
        assert_eq!(names(folder.path()), ["page.html"]);
        let file = OutputFile::create(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the old one");
        file.keep(b"the new one").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"the new one");
        assert_eq!(names(folder.path()), ["page.html"]);
    }

    #[test]
    fn what_cannot_be_written_is_told_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let told = |path: &Path| OutputFile::create(path).unwrap_err().to_string();
        let missing = folder.path().join("missing");
        assert_eq!(
            told(&missing.join("page.html")),
            format!(
                "cannot write {0}/page.html: there is no folder {0}; make it first",
                missing.display()
            )
        );
        assert!(told(folder.path()).ends_with("no plain file; name another"));
        assert!(told(Path::new("")).starts_with("cannot write "));
        let within = folder.path().join("file");
        fs::write(&within, "").unwrap();
        assert!(told(&within.join("page.html")).starts_with("cannot write "));
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_private_is_the_owners_and_replaces_nothing_unasked() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let late = OutputFile::create_private(&path, false).unwrap();
        let file = OutputFile::create_private(&path, false).unwrap();
        file.keep(b"one").unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        for refused in [
            late.keep(b"two"),
            OutputFile::create_private(&path, false).map(drop),
        ] {
            assert!(matches!(refused, Err(FileError::Exists(_))), "{refused:?}");
        }
        assert_eq!(fs::read(&path).unwrap(), b"one");
        OutputFile::create_private(&path, true)
            .unwrap()
            .keep(b"three")
            .unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_a_device_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("page.html"), folder.path().join("link"));
        fs::write(&path, "the old one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        OutputFile::create(&link)
            .unwrap()
            .keep(b"the new one")
            .unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"the new one");
        let device = OutputFile::create(Path::new("/dev/null")).unwrap_err();
        assert!(matches!(device, FileError::NotPlain(_)), "{device}");
    }
}
