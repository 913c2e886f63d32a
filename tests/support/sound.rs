//! Whether a ledger and its cached row are sound, by the rules folded again and by the
//! cross-check.

use gavel::auction::entry::ZERO;
use gavel::auction::{Amount, Book, Entry};
use gavel::store::AuctionRow;

use super::crosscheck::verdict;

/// Gapless, chained, every entry as the rules give, and the row as folded.
pub(crate) fn assert_sound(entries: &[Entry], row: &AuctionRow) {
    let mut prev = ZERO;
    let mut book = Book::open(&entries[0]).unwrap();
    for (seq, entry) in (1..).zip(entries) {
        assert_eq!(entry.seq, seq, "{entry:?}");
        assert_eq!(entry.hash, entry.hash_after(&prev), "{entry:?}");
        prev = entry.hash;
        if seq > 1 {
            book.fold(entry).unwrap();
        }
        assert_eq!(entry.price, book.state.price(), "{entry:?}");
        assert_eq!(entry.leader.as_ref(), book.state.leader_id(), "{entry:?}");
    }
    let state = &book.state;
    assert_eq!((row.last_seq, row.head), (state.last_seq, prev));
    assert_eq!((row.price, row.end), (state.price(), state.end));
    assert_eq!(row.leader.as_ref(), state.leader_id());
    assert_eq!(row.bid_count, state.bid_count);
    let checked = verdict(&book.terms, book.bids()).map(|verdict| verdict.price);
    assert_eq!(checked, state.price().map(Amount::minor));
}

/// The price of distinct bidders with one bid each: min(highest, second highest + step), the
/// step flat, worked out from the accepted maxima alone.
pub(crate) fn price_of_maxima(entries: &[Entry], step: i64) -> Option<i64> {
    let mut maxima: Vec<i64> = entries[1..]
        .iter()
        .map(|entry| entry.secret.unwrap().amount.minor())
        .collect();
    maxima.sort_unstable();
    match maxima[..] {
        [.., second, top] => Some(top.min(second + step)),
        _ => None,
    }
}
