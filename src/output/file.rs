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
}

impl OutputFile {
    /// Makes sure that the file can be written; one of that name is replaced in the end, and what
    /// a link points to instead of the link.
    pub(crate) fn create(path: &Path) -> Result<Self, FileError> {
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
        })
    }

    /// Writes all of it, and gives it its name.
    pub(crate) fn keep(mut self, content: &[u8]) -> Result<(), FileError> {
        let written = self.temporary.write_all(content);
        let written = written.and_then(|()| self.temporary.as_file().sync_all());
        let refused = |error| FileError::Io(self.path.clone(), error);
        written.map_err(refused)?;
        let kept = self.temporary.persist(&self.path);
        kept.map(drop).map_err(|error| refused(error.error))
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
