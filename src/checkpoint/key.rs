//! Keys of signed notes: Ed25519, each with a name.
//!
//! A verifier key is `name+hash+base64(0x01 ‖ public key)`, the hash being the first four bytes of
//! `sha256(name ‖ "\n" ‖ 0x01 ‖ public key)`; a signer key is the same with `PRIVATE+KEY+` before
//! it and the seed in place of the public key. Both are the forms of Go's `sumdb/note`.

use std::fmt;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use super::error::FormatError;

/// Ed25519.
const ALGORITHM: u8 = 1;
const PRIVATE: &str = "PRIVATE+KEY+";
/// The longest name.
const NAME_BYTES_MAX: usize = 255;
/// Longer is no key.
const KEY_BYTES_MAX: usize = NAME_BYTES_MAX + 100;

/// Verifies notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifierKey {
    name: String,
    hash: u32,
    key: VerifyingKey,
}

/// Signs notes. Must be kept secret, so it is in no debug output.
#[derive(Clone)]
pub struct SignerKey {
    name: String,
    key: SigningKey,
}

impl VerifierKey {
    /// Reads `name+hash+base64`; white space around it is left aside.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let (name, hash, key) = parts("verifier key", text.trim())?;
        let key = VerifyingKey::from_bytes(&key)
            .ok()
            .filter(|key| !key.is_weak())
            .ok_or_else(|| FormatError::new("verifier key", "its 32 bytes are no public key"))?;
        Self::checked("verifier key", name, hash, key)
    }

    fn new(name: &str, key: VerifyingKey) -> Self {
        let mut sha = Sha256::new();
        sha.update(name);
        sha.update([b'\n', ALGORITHM]);
        sha.update(key.as_bytes());
        let [a, b, c, d, ..] = <[u8; 32]>::from(sha.finalize());
        Self {
            name: name.to_owned(),
            hash: u32::from_be_bytes([a, b, c, d]),
            key,
        }
    }

    fn checked(
        what: &'static str,
        name: &str,
        hash: u32,
        key: VerifyingKey,
    ) -> Result<Self, FormatError> {
        let own = Self::new(name, key);
        if own.hash == hash {
            Ok(own)
        } else {
            let why = "its hash does not belong to its name and key";
            Err(FormatError::new(what, why))
        }
    }

    /// The key's name: the origin of the checkpoints that it signs.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The short hash that stands in front of a signature.
    pub fn hash(&self) -> u32 {
        self.hash
    }

    pub(super) fn verifies(&self, text: &str, signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.key.verify_strict(text.as_bytes(), &signature).is_ok())
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:08x}+", self.name, self.hash)?;
        f.write_str(&encoded(self.key.as_bytes()))
    }
}

impl SignerKey {
    /// A key from 32 random bytes.
    pub fn new(name: &str, seed: [u8; 32]) -> Result<Self, FormatError> {
        check_name("name of a key", name)?;
        Ok(Self {
            name: name.to_owned(),
            key: SigningKey::from_bytes(&seed),
        })
    }

    /// Reads `PRIVATE+KEY+name+hash+base64`; white space around it is left aside.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let what = "signer key";
        let rest = text.trim().strip_prefix(PRIVATE);
        let rest = rest.ok_or_else(|| FormatError::new(what, "it begins with PRIVATE+KEY+"))?;
        let (name, hash, seed) = parts(what, rest)?;
        let key = SigningKey::from_bytes(&seed);
        VerifierKey::checked(what, name, hash, key.verifying_key())?;
        Ok(Self {
            name: name.to_owned(),
            key,
        })
    }

    /// The text of the private key.
    pub fn to_secret_text(&self) -> String {
        let hash = self.verifier().hash;
        let seed = encoded(self.key.as_bytes());
        format!("{PRIVATE}{}+{hash:08x}+{seed}", self.name)
    }

    /// The key's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What others verify with.
    pub fn verifier(&self) -> VerifierKey {
        VerifierKey::new(&self.name, self.key.verifying_key())
    }

    pub(super) fn sign(&self, text: &str) -> [u8; 64] {
        self.key.sign(text.as_bytes()).to_bytes()
    }
}

impl fmt::Debug for SignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SignerKey({})", self.name)
    }
}

fn encoded(key: &[u8; 32]) -> String {
    BASE64_STANDARD.encode([[ALGORITHM].as_slice(), key].concat())
}

/// Name, hash and the 32 bytes of `name+hash+base64`.
fn parts<'t>(what: &'static str, text: &'t str) -> Result<(&'t str, u32, [u8; 32]), FormatError> {
    let refused = |why: &str| FormatError::new(what, why);
    if text.len() > KEY_BYTES_MAX {
        return Err(refused("it is too long"));
    }
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(hash), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(refused("it is not name+hash+key"));
    };
    check_name(what, name)?;
    let is_hash = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = u32::from_str_radix(hash, 16).ok().filter(|_| is_hash);
    let hash = hash.ok_or_else(|| refused("its hash is not 8 hexadecimal digits"))?;
    let bytes = BASE64_STANDARD.decode(key);
    let bytes = bytes.map_err(|_| refused("its key is not base64"))?;
    match bytes.split_first() {
        Some((&ALGORITHM, key)) => match <[u8; 32]>::try_from(key) {
            Ok(key) => Ok((name, hash, key)),
            Err(_) => Err(refused("its key is not 32 bytes long")),
        },
        _ => Err(refused("its algorithm is not Ed25519 (1)")),
    }
}

/// Names must not be empty, and hold no white space, control characters or plus.
pub(super) fn check_name(what: &'static str, name: &str) -> Result<(), FormatError> {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || c == '+';
    if name.is_empty() || name.len() > NAME_BYTES_MAX || name.contains(forbidden) {
        let why = "a name has 1 to 255 bytes without spaces or +, like example.org/auctions";
        return Err(FormatError::new(what, why));
    }
    Ok(())
}
