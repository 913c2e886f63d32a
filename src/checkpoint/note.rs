//! Signed notes (C2SP `signed-note`): a text, an empty line, and signature lines.
//!
//! A text is not to be believed before [`SignedNote::verify`] has been asked.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::error::{CheckpointError, FormatError};
use super::key::{SignerKey, VerifierKey, check_name};

const WHAT: &str = "signed note";
/// A longer one is refused unread.
pub(super) const NOTE_BYTES_MAX: usize = 256 * 1024;
/// More signatures than these are refused.
const SIGNATURES_MAX: usize = 100;
const LEAD: &str = "\u{2014} ";

/// A note and who is said to have signed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedNote {
    text: String,
    signatures: Vec<NoteSignature>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteSignature {
    name: String,
    hash: u32,
    bytes: Vec<u8>,
}

impl SignedNote {
    /// Reads a note. Says nothing about its signatures.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let refused = |why: &str| FormatError::new(WHAT, why);
        if text.len() > NOTE_BYTES_MAX {
            return Err(refused("it is too long"));
        }
        if text.bytes().any(|byte| byte < 0x20 && byte != b'\n') {
            return Err(refused("it holds control characters"));
        }
        let (body, signatures) = text
            .rsplit_once("\n\n")
            .ok_or_else(|| refused("no empty line parts text and signatures"))?;
        let lines = signatures
            .strip_suffix('\n')
            .ok_or_else(|| refused("its last line has no end"))?;
        let signatures = lines.split('\n').take(SIGNATURES_MAX + 1);
        let signatures: Vec<_> = signatures
            .map(NoteSignature::parse)
            .collect::<Result<_, _>>()?;
        if signatures.len() > SIGNATURES_MAX {
            return Err(refused("it has more than 100 signatures"));
        }
        Ok(Self {
            text: format!("{body}\n"),
            signatures,
        })
    }

    /// Signs a text; it must end with a newline.
    pub fn sign(text: String, key: &SignerKey) -> Self {
        let signature = NoteSignature {
            name: key.name().to_owned(),
            hash: key.verifier().hash(),
            bytes: key.sign(&text).to_vec(),
        };
        Self {
            text,
            signatures: vec![signature],
        }
    }

    /// The text that is signed, its last newline included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The note as it is kept.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n", self.text);
        for NoteSignature { name, hash, bytes } in &self.signatures {
            let signature = [hash.to_be_bytes().as_slice(), bytes].concat();
            let signature = BASE64_STANDARD.encode(signature);
            text.push_str(&format!("{LEAD}{name} {signature}\n"));
        }
        text
    }

    /// Whether this key signed it. Signatures of other keys are not looked at.
    pub fn verify(&self, key: &VerifierKey) -> Result<(), CheckpointError> {
        let of_key = |one: &&NoteSignature| one.name == key.name() && one.hash == key.hash();
        let mut own = self.signatures.iter().filter(of_key).peekable();
        let (name, hash) = (key.name(), key.hash());
        if own.peek().is_none() {
            let why = format!("the note is not signed by {name}+{hash:08x}");
            return Err(CheckpointError::NotVerified(why));
        }
        if own.all(|one| key.verifies(&self.text, &one.bytes)) {
            return Ok(());
        }
        let why = format!("the note's signature by {name}+{hash:08x} does not belong to its text");
        Err(CheckpointError::NotVerified(why))
    }
}

impl NoteSignature {
    fn parse(line: &str) -> Result<Self, FormatError> {
        let refused = || FormatError::new(WHAT, "a line after the empty one is no signature");
        let rest = line.strip_prefix(LEAD).ok_or_else(refused)?;
        let (name, signature) = rest.split_once(' ').ok_or_else(refused)?;
        check_name(WHAT, name).map_err(|_| refused())?;
        let bytes = BASE64_STANDARD.decode(signature).map_err(|_| refused())?;
        match bytes.split_first_chunk::<4>() {
            Some((hash, bytes)) if !bytes.is_empty() => Ok(Self {
                name: name.to_owned(),
                hash: u32::from_be_bytes(*hash),
                bytes: bytes.to_vec(),
            }),
            _ => Err(refused()),
        }
    }
}
