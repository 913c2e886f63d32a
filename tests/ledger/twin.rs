//! The twin of a history: the same public record and the same bids of one bidder, other secrets.

use gavel::auction::entry::ZERO;
use gavel::auction::{Amount, Book, Entry, Kind, PartyId};
use gavel::store::{AuctionRow, Dossier};

/// A twin, and how many hidden amounts differ in it. Nonces of others always do.
pub(crate) fn twin(of: &Dossier, bidder: &PartyId) -> (Dossier, usize) {
    let mut entries = of.entries.clone();
    for entry in entries.iter_mut().filter(|entry| hidden(entry, bidder)) {
        if let Some(secret) = &mut entry.secret {
            secret.nonce = secret.nonce.map(|byte| byte ^ 0x5a);
        }
    }
    let mut moved = 0;
    for index in 0..entries.len() {
        if !hidden(&entries[index], bidder) || entries[index].kind == Kind::Amend {
            continue;
        }
        for off in [1_000_000, 137, 1, -1] {
            let mut tried = entries.clone();
            let Some(was) = entries[index].secret.map(|secret| secret.amount) else {
                break;
            };
            let Ok(amount) = Amount::new(was.minor() + off) else {
                continue;
            };
            for (place, entry) in tried.iter_mut().enumerate() {
                // A frozen amendment states the reserve again.
                let again = entries[index].kind == Kind::Create && entry.kind == Kind::Amend;
                if let Some(secret) = &mut entry.secret
                    && (place == index || again && secret.amount == was)
                {
                    secret.amount = amount;
                }
            }
            if same_outcome(&tried) {
                entries = tried;
                moved += 1;
                break;
            }
        }
    }
    (resealed(of, entries), moved)
}

fn hidden(entry: &Entry, bidder: &PartyId) -> bool {
    !(entry.kind == Kind::Bid && entry.actor == *bidder)
}

/// Every entry is what the rules decide, and gives what is recorded.
fn same_outcome(entries: &[Entry]) -> bool {
    let mut book = Book::open(&entries[0]).unwrap();
    for entry in &entries[1..] {
        if entry.kind == Kind::Bid {
            let secret = entry.secret.unwrap();
            let bid = gavel::auction::Bid {
                auction_id: entry.auction_id,
                request_id: entry.request_id,
                bidder: entry.actor.clone(),
                maximum: secret.amount.minor(),
                currency: book.terms.currency,
                nonce: secret.nonce,
            };
            if book.decide_bid(&bid, entry.at).is_err() {
                return false;
            }
        }
        book.fold(entry).unwrap();
        let state = &book.state;
        let met = state.standing.reserve_met(&book.terms);
        let outcome = (state.price(), state.leader_id(), state.end, met);
        let recorded = (
            entry.price,
            entry.leader.as_ref(),
            entry.end,
            entry.reserve_met,
        );
        if outcome != recorded {
            return false;
        }
    }
    true
}

/// With commitments, hashes, row and events to fit.
fn resealed(of: &Dossier, mut entries: Vec<Entry>) -> Dossier {
    let mut prev = ZERO;
    for entry in &mut entries {
        entry.commit = entry.secret.map_or(ZERO, |secret| secret.commit());
        entry.hash = entry.hash_after(&prev);
        prev = entry.hash;
    }
    let book = Book::replay(&entries).unwrap();
    let row = of.row.as_ref().unwrap();
    let row = AuctionRow {
        status: row.status,
        closed_at: row.closed_at,
        winner: row.winner.clone(),
        final_price: row.final_price,
        ..AuctionRow::of(row.auction_id, book.terms, &book.state)
    };
    let mut dossier = Dossier {
        row: Some(row),
        entries,
        ..of.clone()
    };
    for event in &mut dossier.events {
        event.ledger_head = prev;
    }
    dossier
}
