//! The kept test vectors of the ledger's bytes, commitments and hashes.
//!
//! The file is written by `fixtures/vectors/make.py`, which knows the format's description and
//! nothing of this code.

use gavel::auction::entry::ZERO;
use gavel::auction::{AuctionId, Book, Digest, Entry, Kind, PartyId, RequestId, Secret};
use serde::Deserialize;

use crate::support::make::{amount, at, id, party};

const VECTORS: &str = include_str!("../fixtures/vectors/ledger.json");

#[derive(Deserialize)]
struct Ledger {
    auction_id: i64,
    entries: Vec<Vector>,
    head: String,
}

#[derive(Deserialize)]
struct Vector {
    seq: i64,
    kind: String,
    at_us: i64,
    request_id: String,
    actor: String,
    secret: i64,
    nonce: String,
    detail: String,
    price: i64,
    leader: String,
    end_us: i64,
    reserve_met: u8,
    extended: u8,
    commit: String,
    bytes: String,
    hash: String,
}

fn ledgers() -> Vec<Ledger> {
    serde_json::from_str(VECTORS).unwrap()
}

fn digest(text: &str) -> Digest {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn bytes16(text: &str) -> [u8; 16] {
    hex::decode(text).unwrap().try_into().unwrap()
}

fn entry(auction_id: AuctionId, vector: &Vector) -> Entry {
    let secret = (vector.secret != 0).then(|| Secret {
        amount: amount(vector.secret),
        nonce: bytes16(&vector.nonce),
    });
    Entry {
        auction_id,
        seq: vector.seq,
        kind: Kind::from_word(&vector.kind).unwrap(),
        at: at(vector.at_us),
        request_id: RequestId::from_bytes(bytes16(&vector.request_id)),
        actor: party(&vector.actor),
        secret,
        commit: secret.map_or(ZERO, |secret| secret.commit()),
        detail: vector.detail.clone(),
        price: (vector.price != 0).then(|| amount(vector.price)),
        leader: PartyId::new(vector.leader.clone()).ok(),
        end: at(vector.end_us),
        reserve_met: vector.reserve_met == 1,
        extended: vector.extended == 1,
        hash: digest(&vector.hash),
    }
}

#[test]
fn bytes_commitments_and_hashes_are_those_of_the_kept_file() {
    let mut kinds = Vec::new();
    for ledger in ledgers() {
        let mut prev = ZERO;
        for vector in &ledger.entries {
            let at = format!("{} seq {}", ledger.auction_id, vector.seq);
            let entry = entry(id(ledger.auction_id), vector);
            assert_eq!(hex::encode(entry.commit), vector.commit, "{at}");
            assert_eq!(hex::encode(entry.bytes(&prev)), vector.bytes, "{at}");
            assert_eq!(hex::encode(entry.hash_after(&prev)), vector.hash, "{at}");
            prev = entry.hash;
            kinds.push(entry.kind);
        }
        assert_eq!(hex::encode(prev), ledger.head);
    }
    for kind in Kind::ALL {
        assert!(kinds.contains(&kind), "no vector of {kind:?}");
    }
}

#[test]
fn the_kept_ledgers_fold_to_what_they_record() {
    for ledger in ledgers() {
        let mut entries = ledger
            .entries
            .iter()
            .map(|vector| entry(id(ledger.auction_id), vector));
        let mut book = Book::open(&entries.next().unwrap()).unwrap();
        for entry in entries {
            let end_before = book.state.end;
            book.fold(&entry).unwrap();
            let state = &book.state;
            let found = (
                state.price(),
                state.leader_id().cloned(),
                state.end,
                state.standing.reserve_met(&book.terms),
                entry.kind == Kind::Bid && state.end > end_before,
            );
            let recorded = (
                entry.price,
                entry.leader,
                entry.end,
                entry.reserve_met,
                entry.extended,
            );
            assert_eq!(found, recorded, "{} seq {}", ledger.auction_id, entry.seq);
        }
    }
}

#[test]
fn the_kept_details_are_what_is_written_today() {
    for ledger in ledgers() {
        for vector in &ledger.entries {
            let entry = entry(id(ledger.auction_id), vector);
            assert_eq!(rewritten(&entry), entry.detail, "seq {}", entry.seq);
        }
    }
}

/// The detail, read and written again.
fn rewritten(entry: &Entry) -> String {
    use gavel::auction::operator::{CancelDetail, VoidDetail};
    use gavel::auction::terms::AmendDetail;
    let reserve = entry.secret.map(|secret| secret.amount);
    let detail = &entry.detail;
    match entry.kind {
        Kind::Bid => String::new(),
        Kind::Create => gavel::auction::Terms::from_detail(detail, reserve)
            .unwrap()
            .to_detail(),
        Kind::Amend => AmendDetail::from_detail(detail, reserve)
            .unwrap()
            .to_detail(),
        Kind::Void => VoidDetail::from_detail(detail).unwrap().to_detail(),
        Kind::Cancel => CancelDetail::from_detail(detail).unwrap().to_detail(),
    }
}

type Change = (&'static str, fn(&mut Entry));

#[test]
fn every_field_is_bound_by_the_hash() {
    let ledger = &ledgers()[0];
    let sound = entry(id(7731), &ledger.entries[3]);
    let prev = digest(&ledger.entries[2].hash);
    let changes: [Change; 13] = [
        ("auction_id", |entry| entry.auction_id = id(7732)),
        ("seq", |entry| entry.seq += 1),
        ("kind", |entry| entry.kind = Kind::Void),
        ("at", |entry| entry.at = at(entry.at.get() + 1)),
        ("request_id", |entry| {
            entry.request_id = RequestId::from_bytes([0; 16]);
        }),
        ("actor", |entry| entry.actor = party("theq")),
        ("commit", |entry| entry.commit[31] ^= 1),
        ("detail", |entry| entry.detail.push(' ')),
        ("price", |entry| entry.price = None),
        ("leader", |entry| entry.leader = None),
        ("end", |entry| entry.end = at(entry.end.get() - 1)),
        ("reserve_met", |entry| entry.reserve_met = false),
        ("extended", |entry| entry.extended = false),
    ];
    for (field, change) in changes {
        let mut forged = sound.clone();
        change(&mut forged);
        assert_ne!(forged.hash_after(&prev), sound.hash, "{field}");
    }
    assert_ne!(sound.hash_after(&ZERO), sound.hash, "the entry before");
    assert_eq!(sound.hash_after(&prev), sound.hash);
}

#[test]
fn a_commitment_opens_to_its_secret_only() {
    let secret = Secret {
        amount: amount(1_200_000),
        nonce: [7; 16],
    };
    let other_amount = Secret {
        amount: amount(1_200_001),
        ..secret
    };
    let other_nonce = Secret {
        nonce: [8; 16],
        ..secret
    };
    assert_ne!(secret.commit(), other_amount.commit());
    assert_ne!(secret.commit(), other_nonce.commit());
}

#[test]
fn kinds_have_kept_codes_and_words() {
    let rows = [
        (Kind::Create, 1, "create"),
        (Kind::Bid, 2, "bid"),
        (Kind::Void, 3, "void"),
        (Kind::Amend, 4, "amend"),
        (Kind::Cancel, 5, "cancel"),
    ];
    for (kind, code, word) in rows {
        assert_eq!((kind.code(), kind.as_str()), (code, word));
        assert_eq!(Kind::from_code(i64::from(code)), Some(kind));
        assert_eq!(Kind::from_word(word), Some(kind));
    }
    for bad in [0, 6, -1, 257] {
        assert_eq!(Kind::from_code(bad), None);
    }
}
