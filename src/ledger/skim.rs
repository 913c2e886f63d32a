//! The quick look at an auction: whether everything holds, and nothing else.
//!
//! Made of the same rules as the audit, on entries where they were read, so that nothing is copied
//! for the many auctions that are in order. It knows bids only: an auction with anything unusual
//! (an operator's action, a claim, a value that cannot be) is "not seen to hold", and so is one
//! with any finding. The careful audit then tells what it is; only that one makes findings.
//!
//! Promise: what holds here has no finding there.

use super::audit::Moment;
use super::cross_check::cross_check_differs;
use crate::auction::bid::judge;
use crate::auction::book::BookedBid;
use crate::auction::entry::{EntryRef, ZERO};
use crate::auction::price::Standing;
use crate::auction::{
    CloseOutcome, Digest, EventKind, Kind, PartyId, RequestId, State, Status, Terms,
};
use crate::store::{AuctionRow, Dossier};

/// Room to work in, for the auctions of one sheaf.
pub(super) struct Skim<'r> {
    moment: Moment,
    /// Commitments and hashes are checked.
    chain: bool,
    bytes: Vec<u8>,
    bids: Vec<BookedBid<&'r str>>,
    requests: Vec<RequestId>,
}

impl<'r> Skim<'r> {
    pub(super) fn new(moment: Moment, chain: bool) -> Self {
        Self {
            moment,
            chain,
            bytes: Vec::with_capacity(512),
            bids: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// Whether an audit of this auction with these entries would find nothing. False: it may.
    pub(super) fn holds(
        &mut self,
        dossier: &Dossier,
        entries: impl Iterator<Item = Option<EntryRef<'r>>>,
    ) -> bool {
        self.look(dossier, entries).is_some()
    }

    fn look(
        &mut self,
        dossier: &Dossier,
        entries: impl Iterator<Item = Option<EntryRef<'r>>>,
    ) -> Option<()> {
        hold(dossier.secrets_visible && dossier.damage.is_empty())?;
        let mut entries = entries;
        let create = entries.next()??;
        hold(create.auction_id.get() == dossier.auction_id)?;
        if self.moment.ledger_only {
            let reserve = create.secret.map(|secret| secret.amount);
            let terms = Terms::from_detail(create.detail, reserve).ok()?;
            self.entries(&terms, &create, entries)?;
            return Some(());
        }
        let row = dossier.row.as_ref()?;
        hold(row.auction_id == create.auction_id)?;
        let state = self.entries(&row.terms, &create, entries)?;
        cached(row, &state)?;
        life(row, dossier, &self.moment)
    }

    /// Decides every entry again.
    fn entries(
        &mut self,
        terms: &Terms,
        create: &EntryRef<'r>,
        later: impl Iterator<Item = Option<EntryRef<'r>>>,
    ) -> Option<State<&'r str>> {
        self.bids.clear();
        self.requests.clear();
        self.opens(terms, create)?;
        self.sealed(create, &ZERO)?;
        let mut state = State {
            status: Status::Open,
            owned: false,
            end: create.end,
            standing: Standing::default(),
            bid_count: 0,
            last_seq: 1,
            last_at: create.at,
            head: create.hash,
        };
        for entry in later {
            let entry = entry?;
            hold(entry.auction_id == create.auction_id)?;
            self.bid(terms, &mut state, &entry)?;
        }
        self.requests.sort_unstable();
        let pairs = self.requests.windows(2);
        hold(pairs.into_iter().all(|pair| pair.first() != pair.last()))?;
        hold(!cross_check_differs(terms, &self.bids, &state.standing))?;
        Some(state)
    }

    /// The create entry states the terms, as the rules write them: those of a row need not be
    /// read from it.
    fn opens(&mut self, terms: &Terms, create: &EntryRef<'_>) -> Option<()> {
        hold(
            create.kind == Kind::Create
                && create.seq == 1
                && create.secret.map(|secret| secret.amount) == terms.reserve
                && create.price.is_none()
                && create.leader.is_none()
                && create.end == terms.end
                && !create.reserve_met
                && !create.extended,
        )?;
        self.bytes.clear();
        terms.put_detail(&mut self.bytes);
        hold(create.detail.as_bytes() == self.bytes)?;
        PartyId::check(create.actor).ok()?;
        terms.check(create.at).ok()
    }

    fn bid(
        &mut self,
        terms: &Terms,
        state: &mut State<&'r str>,
        entry: &EntryRef<'r>,
    ) -> Option<()> {
        hold(
            entry.kind == Kind::Bid
                && entry.seq == state.last_seq + 1
                && entry.at >= state.last_at
                && entry.detail.is_empty(),
        )?;
        PartyId::check(entry.actor).ok()?;
        let asked = entry.secret?.amount.minor();
        let (maximum, taken) = judge(terms, state, &entry.actor, asked, entry.at).ok()?;
        let standing = taken.standing;
        hold(
            entry.price == standing.price
                && entry.leader == standing.leader.as_ref().map(|leader| leader.bidder)
                && entry.end == taken.end
                && entry.reserve_met == standing.reserve_met(terms)
                && entry.extended == (taken.end > state.end),
        )?;
        self.sealed(entry, &state.head)?;
        self.bids.push(BookedBid {
            seq: entry.seq,
            bidder: entry.actor,
            maximum,
            voided: false,
        });
        state.standing = standing;
        state.end = taken.end;
        state.bid_count += 1;
        state.last_seq = entry.seq;
        state.last_at = entry.at;
        state.head = entry.hash;
        Some(())
    }

    /// The commitment opens, the hash stands for the entry; the request id is noted.
    fn sealed(&mut self, entry: &EntryRef<'_>, prev: &Digest) -> Option<()> {
        self.requests.push(entry.request_id);
        if !self.chain {
            return Some(());
        }
        let commit = entry.secret.map_or(ZERO, |secret| secret.commit());
        hold(entry.commit.is_none_or(|stored| stored == commit))?;
        hold(entry.hash_after(prev, &commit, &mut self.bytes) == entry.hash)
    }
}

fn hold(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// The row's columns are what the ledger gives; its terms were compared.
fn cached(row: &AuctionRow, state: &State<&str>) -> Option<()> {
    let standing = &state.standing;
    hold(
        row.last_seq == state.last_seq
            && row.head == state.head
            && row.last_at == state.last_at
            && row.end == state.end
            && row.price == standing.price
            && row.leader.as_ref().map(PartyId::as_str) == state.leader_id().copied()
            && row.leader_max == standing.leader.as_ref().map(|leader| leader.maximum)
            && row.runner_up_max == standing.runner_up
            && row.reserve_met == standing.reserve_met(&row.terms)
            && row.bid_count == state.bid_count
            && row.closer_epoch >= 0
            && row.owner_epoch >= 0,
    )
}

/// Open and not due, or closed with its result and its one event. The row was seen to be what the
/// ledger gives.
fn life(row: &AuctionRow, dossier: &Dossier, moment: &Moment) -> Option<()> {
    match row.status {
        Status::Open => {
            let due = match moment.due_grace {
                Some(grace) => row.end.plus(grace),
                None => row.end,
            };
            hold(
                dossier.events.is_empty()
                    && row.closing_at.is_none()
                    && row.closed_at.is_none()
                    && row.winner.is_none()
                    && row.final_price.is_none()
                    && (row.owner_node.is_some() || due > moment.now),
            )
        }
        Status::Closed | Status::ClosedReserveNotMet => closed(row, dossier),
        Status::Closing | Status::Cancelled => None,
    }
}

fn closed(row: &AuctionRow, dossier: &Dossier) -> Option<()> {
    let closed_at = row.closed_at?;
    let outcome = CloseOutcome::of(row.leader.as_ref(), row.price, row.reserve_met);
    let claimed = |since| row.end <= since && since <= closed_at;
    hold(
        closed_at >= row.end
            && row.closing_at.is_none_or(claimed)
            && row.status == outcome.status
            && row.winner == outcome.winner
            && row.final_price == outcome.final_price,
    )?;
    let [event] = dossier.events.as_slice() else {
        return None;
    };
    hold(
        event.kind == EventKind::Closed
            && event.result == Some(outcome.result)
            && event.winner == outcome.winner
            && event.price == outcome.final_price
            && event.end == row.end
            && event.closed_at == closed_at
            && event.ledger_head == row.head
            && event.event_id == EventKind::Closed.event_id(row.auction_id),
    )
}
