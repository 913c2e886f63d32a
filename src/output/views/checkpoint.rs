//! Keys, checkpoints and proofs, as they are told. The private key is in none of them.

use crate::checkpoint::{Checkpoint, Proof, VerifierKey};
use crate::output::record::record;
use crate::output::views::create::rehearsed;
use crate::output::{Card, Tone, units};

/// What a checkpoint is of.
pub(crate) fn sentence(checkpoint: &Checkpoint) -> String {
    let auctions = units::count(checkpoint.size, "auction");
    let cut = units::utc(checkpoint.cut);
    format!("checkpoint of {auctions} that ended before {cut}")
}

record! {
    /// A key that was made.
    pub(crate) struct KeyView {
        origin: String,
        /// For everybody.
        verifier: String,
        private_key_file: String,
        verifier_file: String,
        dry_run: bool,
    }
}

impl Card for KeyView {
    fn heading(&self) -> String {
        rehearsed(format!("made a key for {}", self.origin), self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("private key", self.private_key_file.clone()),
            ("verifier key", self.verifier_file.clone()),
            ("which is", self.verifier.clone()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}

record! {
    /// A checkpoint that was taken.
    pub(crate) struct CheckpointView {
        origin: String,
        /// Auctions in it.
        size: u64,
        /// In base64, as in the note.
        root: String,
        /// It covers what ended before.
        cut: String,
        /// The verifier key.
        key: String,
        file: Option<String>,
        leaves: Option<String>,
        /// Of the checkpoint that this one continues.
        previous_size: Option<u64>,
        /// None of a rehearsal.
        note: Option<String>,
        dry_run: bool,
    }
}

impl CheckpointView {
    /// What the checkpoint itself says.
    pub(crate) fn new(checkpoint: &Checkpoint) -> Self {
        Self {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            root: checkpoint.root_text(),
            cut: units::utc(checkpoint.cut),
            key: String::new(),
            file: None,
            leaves: None,
            previous_size: None,
            note: None,
            dry_run: false,
        }
    }
}

impl Card for CheckpointView {
    fn heading(&self) -> String {
        let auctions = units::count(self.size, "auction");
        let text = format!("checkpoint of {auctions} that ended before {}", self.cut);
        rehearsed(text, self.dry_run)
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let continued = self.previous_size.map(|size| units::count(size, "auction"));
        vec![
            ("origin", self.origin.clone()),
            ("root", self.root.clone()),
            ("continues one of", continued.unwrap_or_default()),
            ("note", self.file.clone().unwrap_or_default()),
            ("leaves", self.leaves.clone().unwrap_or_default()),
        ]
    }

    fn dry_run(&self) -> bool {
        self.dry_run
    }
}

record! {
    /// A checkpoint whose signature verified.
    pub(crate) struct VerifiedView {
        origin: String,
        size: u64,
        root: String,
        cut: String,
        key: String,
    }
}

impl VerifiedView {
    /// Of a verified checkpoint.
    pub(crate) fn new(checkpoint: &Checkpoint, key: &VerifierKey) -> Self {
        Self {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            root: checkpoint.root_text(),
            cut: units::utc(checkpoint.cut),
            key: key.to_string(),
        }
    }
}

impl Card for VerifiedView {
    fn heading(&self) -> String {
        let auctions = units::count(self.size, "auction");
        format!(
            "verified: a checkpoint of {auctions} that ended before {}",
            self.cut
        )
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("signed by", self.origin.clone()),
            ("root", self.root.clone()),
        ]
    }
}

record! {
    /// A proof that was made.
    pub(crate) struct ProofView {
        auction_id: i64,
        head: String,
        index: u64,
        origin: String,
        size: u64,
        cut: String,
        file: Option<String>,
        proof: String,
    }
}

impl ProofView {
    /// Of a proof and the checkpoint in it.
    pub(crate) fn new(proof: &Proof, checkpoint: &Checkpoint, file: Option<String>) -> Self {
        Self {
            auction_id: proof.leaf.auction_id.get(),
            head: hex::encode(proof.leaf.head),
            index: proof.index,
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            cut: units::utc(checkpoint.cut),
            file,
            proof: proof.to_text(),
        }
    }
}

impl Card for ProofView {
    fn heading(&self) -> String {
        let auctions = units::count(self.size, "auction");
        format!(
            "proved auction {} in a checkpoint of {auctions}",
            self.auction_id
        )
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            ("head", self.head.clone()),
            ("proof", self.file.clone().unwrap_or_default()),
        ]
    }
}

record! {
    /// A proof that verified.
    pub(crate) struct ProvenView {
        auction_id: i64,
        head: String,
        index: u64,
        origin: String,
        size: u64,
        cut: String,
    }
}

impl ProvenView {
    /// Of a verified proof.
    pub(crate) fn new(proof: &Proof, checkpoint: &Checkpoint) -> Self {
        Self {
            auction_id: proof.leaf.auction_id.get(),
            head: hex::encode(proof.leaf.head),
            index: proof.index,
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            cut: units::utc(checkpoint.cut),
        }
    }
}

impl Card for ProvenView {
    fn heading(&self) -> String {
        format!(
            "verified: auction {} had ended before {}",
            self.auction_id, self.cut
        )
    }

    fn tone(&self) -> Tone {
        Tone::Good
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let place = self.index + 1;
        vec![
            ("signed by", self.origin.clone()),
            ("head", self.head.clone()),
            ("place", format!("{place} of {}", self.size)),
        ]
    }
}
