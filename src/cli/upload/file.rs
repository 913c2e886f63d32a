//! The file as bytes: opened, looked at once from end to end, and rewound.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::layout::Layout;
use super::quotes::Quotes;
use super::rows::Rows;
use crate::cli::error::InputError;
use crate::cli::exit::Exit;
use crate::output::Ui;

/// A file whose text has been looked at.
#[derive(Debug)]
pub(crate) struct Upload {
    pub(super) name: String,
    pub(super) layout: Layout,
    pub(super) form: Form,
    /// Of the whole content: the request ids of the rows follow from it.
    pub(super) digest: [u8; 32],
    /// The database's, which hides what the request ids follow from.
    pub(super) key: [u8; 32],
    file: File,
    /// Where the text begins, behind a byte-order mark.
    start: u64,
    length: u64,
    /// How the file looked before it was read; none where it is a copy of its own.
    before: Option<Metadata>,
}

/// What stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Csv,
    JsonLines,
}

impl Upload {
    /// Opens a file, or keeps what comes from standard input, and looks at all of it: it must be
    /// UTF-8, and CSV or JSON lines by its first character.
    pub(crate) async fn open(path: &Path, layout: Layout, key: [u8; 32]) -> anyhow::Result<Self> {
        let path = path.to_owned();
        // Off the main task, so that Ctrl-C is heard while standard input is silent.
        tokio::task::spawn_blocking(move || Self::look_at(&path, layout, key))
            .await
            .context("the reader stopped")?
    }

    fn look_at(path: &Path, layout: Layout, key: [u8; 32]) -> anyhow::Result<Self> {
        let name = if path == Path::new("-") {
            "stdin".to_owned()
        } else {
            path.display().to_string()
        };
        let unreadable = |error| InputError::new(format!("cannot read {name}: {error}"));
        let (mut file, before) = open_twice_readable(path).map_err(unreadable)?;
        file.rewind().map_err(unreadable)?;
        let mut look = Look::default();
        let mut reader = BufReader::with_capacity(1 << 16, &file);
        loop {
            let chunk = io::BufRead::fill_buf(&mut reader).map_err(unreadable)?;
            if chunk.is_empty() {
                break;
            }
            look.at(&name, chunk)?;
            let read = chunk.len();
            io::BufRead::consume(&mut reader, read);
        }
        look.end(&name)?;
        let form = look.form(&name)?;
        Ok(Self {
            digest: look.sha256.finalize().into(),
            key,
            start: if look.marked { MARK_LENGTH } else { 0 },
            length: look.length,
            name,
            layout,
            form,
            file,
            before,
        })
    }

    /// How many bytes it has.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Its rows, from the first on.
    pub(crate) fn rows(&mut self) -> anyhow::Result<Rows<'_>> {
        let unreadable =
            |error| InputError::new(format!("cannot read {}: {error}", self.name.as_str()));
        self.file
            .seek(SeekFrom::Start(self.start))
            .map_err(unreadable)?;
        Rows::begin(self, &self.file)
    }

    /// Whether it is still the file that was looked at: it could be written to meanwhile.
    pub(crate) fn unchanged(&self) -> Result<(), InputError> {
        let Some(before) = &self.before else {
            return Ok(());
        };
        let same = self.file.metadata().is_ok_and(|now| {
            now.len() == before.len() && now.modified().ok() == before.modified().ok()
        });
        if same {
            return Ok(());
        }
        Err(
            InputError::new(format!("{} was written to while it was read", self.name))
                .hint("upload it again when it is complete"),
        )
    }

    /// The exit code where rows were carried out as they were read: of a file that was written to
    /// meanwhile nobody knows which rows those were.
    pub(crate) fn carried_out(&self, exit: Exit, ui: &mut Ui) -> Exit {
        if self.unchanged().is_ok() {
            return exit;
        }
        let what = "was written to while it was read: see above what was done of it, and upload it \
                    again when it is complete";
        ui.warn(&format!("{} {what}", self.name));
        Exit::FAILED
    }
}

/// What cannot be read twice is kept in a temporary file that goes with the process.
fn open_twice_readable(path: &Path) -> io::Result<(File, Option<Metadata>)> {
    if path == Path::new("-") {
        return Ok((kept(io::stdin().lock())?, None));
    }
    let file = File::open(PathBuf::from(path))?;
    let about = file.metadata()?;
    if about.is_file() {
        return Ok((file, Some(about)));
    }
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok((kept(file)?, None))
}

fn kept(mut from: impl Read) -> io::Result<File> {
    let mut keep = || {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut from, &mut file)?;
        file.flush()?;
        Ok(file)
    };
    keep().map_err(|error: io::Error| {
        let folder = std::env::temp_dir();
        let folder = folder.display();
        let text =
            format!("it could not be kept in a temporary file in {folder} (TMPDIR): {error}");
        io::Error::other(text)
    })
}

const MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const MARK_LENGTH: u64 = 3;

/// What has been seen of the bytes so far.
#[derive(Default)]
struct Look {
    sha256: Sha256,
    length: u64,
    lines: u64,
    marked: bool,
    /// The first character that is no white space.
    first: Option<char>,
    /// The bytes of a character whose rest is in the next chunk.
    torn: Vec<u8>,
    quotes: Quotes,
}

impl Look {
    fn at(&mut self, name: &str, chunk: &[u8]) -> Result<(), InputError> {
        let opening = self.length == 0;
        self.sha256.update(chunk);
        self.length += u64::try_from(chunk.len()).unwrap_or_default();
        let mut text = chunk;
        if opening {
            if is_utf16(chunk) {
                return Err(
                    InputError::new(format!("{name} is not UTF-8: it looks like UTF-16"))
                        .hint("save it as UTF-8, for example: iconv -f UTF-16 -t UTF-8"),
                );
            }
            self.marked = chunk.starts_with(MARK);
            text = chunk.strip_prefix(MARK).unwrap_or(chunk);
        }
        let all = text;
        // A torn character is completed first; it has at most four bytes.
        while !self.torn.is_empty() && !text.is_empty() {
            self.torn.push(text[0]);
            text = &text[1..];
            match std::str::from_utf8(&self.torn) {
                Ok(whole) => {
                    self.first = self.first.or_else(|| first_of(whole));
                    self.torn.clear();
                }
                Err(error) if error.error_len().is_some() => return Err(self.not_utf8(name)),
                Err(_) => {}
            }
        }
        let whole = match std::str::from_utf8(text) {
            Ok(whole) => whole,
            Err(error) => {
                let (whole, rest) = text.split_at(error.valid_up_to());
                let whole = std::str::from_utf8(whole).unwrap_or_default();
                if error.error_len().is_some() {
                    self.count(whole);
                    return Err(self.not_utf8(name));
                }
                self.torn = rest.to_vec();
                whole
            }
        };
        self.count(whole);
        if self.first != Some('{') {
            self.quotes.at(all);
        }
        Ok(())
    }

    fn count(&mut self, text: &str) {
        self.first = self.first.or_else(|| first_of(text));
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        self.lines += u64::try_from(lines).unwrap_or_default();
    }

    fn end(&self, name: &str) -> Result<(), InputError> {
        if self.torn.is_empty() {
            Ok(())
        } else {
            Err(self.not_utf8(name))
        }
    }

    fn not_utf8(&self, name: &str) -> InputError {
        let line = self.lines + 1;
        InputError::new(format!("{name}:{line}: not UTF-8")).hint("save the file as UTF-8")
    }

    fn form(&self, name: &str) -> Result<Form, InputError> {
        match self.first {
            None => Err(InputError::new(format!("{name} is empty"))),
            Some('[') => Err(InputError::new(format!("{name} is a JSON array"))
                .hint("write JSON lines: one object a line, without the brackets")),
            Some('{') => Ok(Form::JsonLines),
            Some(_) => match self.quotes.end() {
                None => Ok(Form::Csv),
                Some(wrong) => Err(InputError::new(wrong.told(name))
                    .hint("close the quote, and double a quote inside a quoted cell: \"Oak \"\"desk\"\"\"")),
            },
        }
    }
}

fn first_of(text: &str) -> Option<char> {
    text.trim_start().chars().next()
}

fn is_utf16(opening: &[u8]) -> bool {
    opening.starts_with(&[0xff, 0xfe])
        || opening.starts_with(&[0xfe, 0xff])
        || every_other_is_nul(opening)
}

/// How UTF-16 without a mark looks, as far as its text is ASCII; a stray NUL is not it.
fn every_other_is_nul(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    let nuls = |first: usize| {
        let half = bytes.iter().take(LOOKED_AT).skip(first).step_by(2);
        bytes.len() > 1 && half.clone().all(|byte| *byte == 0)
    };
    nuls(0) || nuls(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(chunks: &[&[u8]]) -> Result<Look, String> {
        let mut look = Look::default();
        for chunk in chunks {
            look.at("f", chunk).map_err(|error| error.to_string())?;
        }
        look.end("f").map_err(|error| error.to_string())?;
        Ok(look)
    }

    #[test]
    fn a_character_may_be_torn_between_two_chunks() {
        let text = "a\n\u{e9}\u{1f528}\n".as_bytes();
        for at in 1..text.len() {
            let look = looked(&[&text[..at], &text[at..]]).unwrap();
            assert_eq!((look.lines, look.first), (2, Some('a')), "{at}");
        }
        assert_eq!(looked(&[b"a\n\xc3", b"\xa9"]).unwrap().lines, 1);
        for bad in [
            [&b"a\n\xc3"[..], b"a"],
            [b"a\n", b"\xc3"],
            [b"a\n\xff", b""],
        ] {
            assert_eq!(looked(&bad).err().unwrap(), "f:2: not UTF-8");
        }
    }
}
