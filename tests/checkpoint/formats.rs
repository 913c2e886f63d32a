//! Keys, notes, checkpoints, proofs and lists: as their specifications have them, as other
//! implementations read them, and refused without a panic where they are not what they should be.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use gavel::auction::{AuctionId, Digest};
use gavel::checkpoint::{
    Checkpoint, CheckpointError, Kept, KeptHead, LEAVES_HEADER, Leaf, Leaves, Proof, SignedNote,
    SignerKey, Tree, VerifierKey, leaves_line,
};
use proptest::prelude::*;

use crate::support::make::{END, at, id};

/// The example of Go's sumdb/note, which the specification of signed notes grew from.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PETER_PRIVATE: &str =
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const PETER_NOTE: &str = "\
If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u{2014} PeterNeumann \
     x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
";
/// The example of the specification of checkpoints.
const SOFA: &str = "\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\u{2014} example.com/behind-the-sofa \
     Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
";

fn key() -> SignerKey {
    SignerKey::new("example.org/auctions", [7; 32]).unwrap()
}

fn leaf(number: i64) -> Leaf {
    Leaf {
        auction_id: id(number),
        head: [u8::try_from(number % 256).unwrap(); 32],
    }
}

/// A signed checkpoint of auctions `1..=size`, and the proof of one.
fn proof(size: i64, of: i64) -> Proof {
    let mut tree = Tree::default();
    for number in 1..=size {
        if number == of {
            tree.push_marked(leaf(number).hash());
        } else {
            tree.push(leaf(number).hash());
        }
    }
    let checkpoint = Checkpoint {
        origin: key().name().to_owned(),
        size: tree.size(),
        root: tree.root(),
        cut: at(END),
    };
    Proof {
        leaf: leaf(of),
        index: tree.marked().unwrap(),
        hashes: tree.proof().unwrap(),
        note: SignedNote::sign(checkpoint.to_text(), &key()),
    }
}

#[test]
fn the_published_note_is_verified_and_signed_to_the_same_bytes() {
    let note = SignedNote::parse(PETER_NOTE).unwrap();
    let verifier = VerifierKey::parse(PETER).unwrap();
    note.verify(&verifier).unwrap();
    assert_eq!(note.to_text(), PETER_NOTE);
    assert_eq!(verifier.to_string(), PETER);
    let signer = SignerKey::parse(PETER_PRIVATE).unwrap();
    assert_eq!(signer.verifier(), verifier);
    assert_eq!(signer.to_secret_text(), PETER_PRIVATE);
    assert!(!format!("{signer:?}").contains("AYEKF"));
    let signed = SignedNote::sign(note.text().to_owned(), &signer);
    assert_eq!(signed.to_text(), PETER_NOTE);
    // Another text, another key, another name.
    let changed = PETER_NOTE.replacen("answer", "Answer", 1);
    let renamed = PETER_NOTE.replacen("PeterNeumann", "peterneumann", 1);
    for (text, key) in [
        (changed.as_str(), verifier.clone()),
        (PETER_NOTE, key().verifier()),
        (&renamed, verifier),
    ] {
        let refused = SignedNote::parse(text).unwrap().verify(&key);
        assert!(
            matches!(refused, Err(CheckpointError::NotVerified(_))),
            "{text}"
        );
    }
    // A witness's signature beside it is left aside; a false one under the same key is not.
    let twice = |line: &str| SignedNote::parse(&format!("{PETER_NOTE}{line}\n")).unwrap();
    let verifier = VerifierKey::parse(PETER).unwrap();
    let witness = "\u{2014} witness.example TnKKVHLXAAAA";
    twice(witness).verify(&verifier).unwrap();
    let last = PETER_NOTE.lines().last().unwrap();
    let forged = last.replacen("ZJkuBS", "ZJkuBT", 1);
    assert!(twice(&forged).verify(&verifier).is_err());
}

#[test]
fn the_published_checkpoint_is_a_note_and_none_of_gavels() {
    let note = SignedNote::parse(SOFA).unwrap();
    assert_eq!(note.to_text(), SOFA);
    let why = Checkpoint::parse(note.text()).unwrap_err().to_string();
    assert!(why.contains("which auctions it covers"), "{why}");
    let text = format!("{}cut 2026-12-01T09:00:00.000000Z\n", note.text());
    let checkpoint = Checkpoint::parse(&text).unwrap();
    assert_eq!(checkpoint.origin, "example.com/behind-the-sofa");
    assert_eq!(checkpoint.size, 20_852_163);
    assert_eq!(
        checkpoint.root_text(),
        "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
    );
    assert_eq!(checkpoint.to_text(), text);
}

/// The crates `signed_note` and `tlog_tiles`, of which gavel uses nothing.
#[test]
fn other_implementations_verify_notes_and_proofs() {
    use signed_note::{Note, StandardVerifier, VerifierList};
    use tlog_tiles::{Hash, check_record, record_hash};

    let verifier = StandardVerifier::new(&key().verifier().to_string()).unwrap();
    let verifiers = VerifierList::new(vec![Box::new(verifier)]);
    for (size, of) in [(1, 1), (2, 2), (7, 5), (64, 64), (70, 1), (100, 99)] {
        let proof = proof(size, of);
        let text = proof.note.to_text();
        let note = Note::from_bytes(text.as_bytes()).unwrap();
        let (verified, unverified) = note.verify(&verifiers).unwrap();
        assert_eq!((verified.len(), unverified.len()), (1, 0));
        let theirs = tlog_tiles::Checkpoint::from_bytes(note.text()).unwrap();
        assert_eq!(theirs.origin(), "example.org/auctions");
        assert_eq!(theirs.extension(), format!("cut {}\n", at(END)));
        let hashes = proof.hashes.iter().map(|hash| Hash(*hash)).collect();
        let leaf = record_hash(&proof.leaf.bytes());
        let root = *theirs.hash();
        check_record(&hashes, theirs.size(), root, proof.index, leaf).unwrap();
        let other = record_hash(b"another");
        assert!(check_record(&hashes, theirs.size(), root, proof.index, other).is_err());
    }
}

#[test]
fn a_proof_holds_for_its_auction_head_place_and_key_alone() {
    let proof = proof(70, 33);
    let text = proof.to_text();
    assert_eq!(Proof::parse(&text).as_ref(), Ok(&proof));
    let lines: Vec<&str> = text.lines().collect();
    let extra = BASE64_STANDARD.encode(proof.leaf.bytes());
    let start = [
        "c2sp.org/tlog-proof@v1",
        &format!("extra {extra}"),
        "index 32",
    ];
    assert_eq!(lines[..3], start);
    let key = key().verifier();
    assert_eq!(proof.verify(&key).unwrap().size, 70);
    let spoiled = |spoil: fn(&mut Proof)| {
        let mut spoiled = proof.clone();
        spoil(&mut spoiled);
        spoiled.verify(&key)
    };
    let spoils: [fn(&mut Proof); 8] = [
        |proof| proof.leaf.auction_id = id(34),
        |proof| proof.leaf.head[0] ^= 1,
        |proof| proof.index = 33,
        |proof| proof.index = 70,
        |proof| proof.hashes[2][0] ^= 1,
        |proof| proof.hashes.truncate(3),
        |proof| proof.hashes.push([0; 32]),
        |proof| proof.note = self::proof(71, 33).note,
    ];
    for spoil in spoils {
        let refused = spoiled(spoil);
        assert!(
            matches!(refused, Err(CheckpointError::NotVerified(_))),
            "{refused:?}"
        );
    }
    let other = SignerKey::new("example.org/auctions", [8; 32]).unwrap();
    assert!(proof.verify(&other.verifier()).is_err());
    // The right key, another record's checkpoint.
    let foreign = proof
        .note
        .text()
        .replacen("example.org/auctions", "example.org/other", 1);
    let foreign = SignedNote::sign(foreign, &self::key());
    assert!(Checkpoint::verified(&foreign, &key).is_err());
}

#[test]
fn what_is_no_key_is_refused() {
    let good = key().verifier().to_string();
    for wrong in [
        "",
        "example.org",
        "a+b",
        "a+00000000+",
        "a+0000000g+AQ==",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10Q=",
        PETER_PRIVATE,
        &good.repeat(9),
    ] {
        assert!(VerifierKey::parse(wrong).is_err(), "{wrong}");
        assert!(
            SignerKey::parse(&format!("PRIVATE+KEY+{wrong}")).is_err(),
            "{wrong}"
        );
    }
    assert!(SignerKey::parse(&good).is_err());
    for name in ["", "two words", "a+b", "a\nb", &"x".repeat(256)] {
        assert!(SignerKey::new(name, [1; 32]).is_err(), "{name:?}");
    }
}

#[test]
fn what_is_no_note_or_checkpoint_is_refused() {
    let good = proof(3, 1).note.to_text();
    SignedNote::parse(&good).unwrap();
    for (from, to) in [
        ("\n\n", "\n"),
        ("\u{2014} ", "- "),
        ("=\n", "="),
        ("cut", "c\tut"),
        ("\n\n\u{2014}", "\n\n\u{2014} a+b AAAAAAAA\n\u{2014}"),
        ("\n\n\u{2014}", "\n\n\u{2014} a AAAA\n\u{2014}"),
        ("\n\n\u{2014}", "\n\n\u{2014} a\n\u{2014}"),
    ] {
        let at = good.rfind(from).unwrap();
        let wrong = [&good[..at], to, &good[at + from.len()..]].concat();
        assert_ne!(wrong, good);
        assert!(SignedNote::parse(&wrong).is_err(), "{wrong}");
    }
    let many = |count| format!("a\n\n{}", "\u{2014} a AAAAAAAA\n".repeat(count));
    assert!(SignedNote::parse(&many(100)).is_ok());
    assert!(SignedNote::parse(&many(101)).is_err());
    assert!(SignedNote::parse(&format!("{}{good}", "x\n".repeat(200_000))).is_err());

    let text = proof(3, 1).note.text().to_owned();
    let root = text.lines().nth(2).unwrap().to_owned();
    let cut = format!("cut {}", at(END));
    for (from, to) in [
        ("example.org/auctions\n", "\n"),
        ("\n3\n", "\n03\n"),
        ("\n3\n", "\n+3\n"),
        ("\n3\n", "\n99999999999999999999\n"),
        (root.as_str(), "AAAA"),
        (root.as_str(), &root[..43]),
        (cut.as_str(), ""),
        (cut.as_str(), "note of May"),
        (cut.as_str(), "cut 2026-12-01T09:00:00Z"),
        (cut.as_str(), "cut tomorrow"),
        (cut.as_str(), &format!("{cut}\n{cut}")),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        assert!(Checkpoint::parse(&wrong).is_err(), "{wrong}");
    }
    let more = text.replacen(&cut, &format!("a line of later times\n{cut}"), 1);
    assert_eq!(Checkpoint::parse(&more), Checkpoint::parse(&text));
}

#[test]
fn what_is_no_proof_is_refused() {
    let good = proof(3, 2).to_text();
    for (from, to) in [
        ("@v1", "@v2"),
        ("extra ", "Extra "),
        ("extra R0", "extra 0R"),
        ("index 1", "index 01"),
        ("index 1", "index -1"),
        ("index 1", "index 1\nAAAA"),
        ("\n\n", "\n"),
        ("\u{2014} ", ""),
    ] {
        let wrong = good.replacen(from, to, 1);
        assert_ne!(wrong, good);
        assert!(Proof::parse(&wrong).is_err(), "{wrong}");
    }
    let hash = format!("{}\n", BASE64_STANDARD.encode([0; 32]));
    let long = good.replacen("index 1\n", &format!("index 1\n{}", hash.repeat(65)), 1);
    assert!(Proof::parse(&long).is_err());
}

#[test]
fn leaves_are_a_list_that_belongs_to_one_tree() {
    let mut text = LEAVES_HEADER.to_owned();
    for (index, number) in (0..3).zip(1..=3) {
        text.push_str(&leaves_line(index, &leaf(number)));
    }
    let leaves = Leaves::parse(text.as_bytes()).unwrap();
    let of = |size| Checkpoint::parse(proof(size, 1).note.text()).unwrap();
    leaves.belong_to(&of(3)).unwrap();
    assert!(leaves.belong_to(&of(2)).is_err());
    for (from, to) in [
        ("index,auction_id", "auction_id,index"),
        ("\n1,2,", "\n2,2,"),
        ("\n1,2,", "\n1,0,"),
        ("\n1,2,02", "\n1,2,"),
        ("\n1,2,", "\n1,2,9,"),
        ("\n1,2,", "\n1,2,zz"),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert!(Leaves::parse(wrong.as_bytes()).is_err(), "{wrong}");
    }
    assert!(Leaves::parse(b"").is_err());
    assert!(Leaves::parse(b"\xff\xfe\x00").is_err());
}

fn kept(number: i64, byte: u8) -> KeptHead {
    KeptHead {
        auction_id: AuctionId::new(number).unwrap(),
        head: [byte; 32] as Digest,
    }
}

#[test]
fn kept_heads_come_as_csv_and_as_json() {
    let (one, two) = ("11".repeat(32), "22".repeat(32));
    let expected = [kept(1, 0x11), kept(2, 0x22)];
    for text in [
        format!("auction_id,ledger_head\n2,{two}\n1,{one}\n1,{one}\n"),
        format!("\u{feff}kind,ledger_head,auction_id\r\nx,{two},2\r\nx,{one},1\r\n"),
        format!(
            "{{\"auction_id\":2,\"ledger_head\":\"{two}\",\"price\":\"1.00\"}}\n\
             {{\"auction_id\":\"1\",\"ledger_head\":\"{one}\"}}\n"
        ),
        format!(
            "{{\"specversion\":\"1.0\",\"type\":\"auction.closed\",\"data\":\
             {{\"auction_id\":1,\"ledger_head\":\"{one}\",\"winner\":null}}}}\n\
             {{\n  \"data\": {{\"auction_id\": 2, \"ledger_head\": \"{two}\"}}\n}}"
        ),
    ] {
        let read = Kept::parse(text.as_bytes()).unwrap();
        assert_eq!(
            (read.heads.as_slice(), read.passed_over),
            (&expected[..], 0),
            "{text}"
        );
    }
    let mixed = format!(
        "{{\"type\":\"bid.accepted\",\"data\":{{\"auction_id\":1,\"seq\":2}}}}\n\
         {{\"data\":{{\"auction_id\":1,\"ledger_head\":\"{one}\"}}}}"
    );
    let read = Kept::parse(mixed.as_bytes()).unwrap();
    assert_eq!((read.heads, read.passed_over), (vec![kept(1, 0x11)], 1));
    for wrong in [
        "".to_owned(),
        "{".to_owned(),
        "{}".to_owned(),
        "{\"auction_id\":0,\"ledger_head\":\"00\"}".to_owned(),
        format!("{{\"auction_id\":1.5,\"ledger_head\":\"{one}\"}}"),
        format!("{{\"ledger_head\":\"{one}\"}}"),
        "auction_id,head\n1,00\n".to_owned(),
        "auction_id,ledger_head\n1,00\n".to_owned(),
        format!("auction_id,ledger_head\nx,{one}\n"),
        format!("auction_id,ledger_head\n1,{one},3\n"),
    ] {
        assert!(Kept::parse(wrong.as_bytes()).is_err(), "{wrong}");
    }
}

proptest! {
    /// Anything may be handed to a parser; what it takes it writes as it was.
    #[test]
    fn parsers_do_not_panic(
        which in 0..5_usize,
        cuts in prop::collection::vec((any::<prop::sample::Index>(), ".{0,3}"), 0..4),
    ) {
        let proof = proof(7, 4);
        let leaves = format!("{LEAVES_HEADER}{}", leaves_line(0, &leaf(1)));
        let texts = [
            proof.to_text(),
            proof.note.to_text(),
            key().verifier().to_string(),
            leaves,
            format!("{{\"data\":{{\"auction_id\":1,\"ledger_head\":\"{}\"}}}}", "ab".repeat(32)),
        ];
        let mut text: Vec<char> = texts[which].chars().collect();
        for (place, new) in cuts {
            let at = place.index(text.len().max(1)).min(text.len());
            let end = (at + 1).min(text.len());
            text.splice(at..end, new.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(read) = Proof::parse(&text) {
            prop_assert_eq!(Proof::parse(&read.to_text()), Ok(read));
        }
        if let Ok(read) = SignedNote::parse(&text) {
            if let Ok(checkpoint) = Checkpoint::parse(read.text()) {
                prop_assert_eq!(Checkpoint::parse(&checkpoint.to_text()), Ok(checkpoint));
            }
            prop_assert_eq!(read.to_text(), text.clone());
        }
        if let Ok(read) = VerifierKey::parse(&text) {
            prop_assert_eq!(VerifierKey::parse(&read.to_string()), Ok(read));
        }
        let (leaves, kept) = (Leaves::parse(text.as_bytes()), Kept::parse(text.as_bytes()));
        prop_assert!(leaves.is_ok() || leaves.is_err());
        prop_assert!(kept.is_ok() || kept.is_err());
        prop_assert!(SignerKey::parse(&text).is_err());
    }
}
