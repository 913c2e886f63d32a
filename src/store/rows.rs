//! The stored form of an auction, as values of the domain.

use thiserror::Error;

use crate::auction::price::Standing;
use crate::auction::{
    Amount, AuctionId, Book, Digest, Entry, Event, Leader, Micros, PartyId, State, Status, Terms,
};

/// The `auctions` row: terms and everything cached from the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are the columns")]
pub struct AuctionRow {
    pub auction_id: AuctionId,
    pub status: Status,
    /// `terms.end` is the column `first_end_us`; `terms.reserve` is hidden in a public export.
    pub terms: Terms,
    /// The end in force.
    pub end: Micros,
    pub leader: Option<PartyId>,
    pub leader_max: Option<Amount>,
    pub runner_up_max: Option<Amount>,
    pub price: Option<Amount>,
    pub reserve_met: bool,
    pub bid_count: i64,
    pub last_seq: i64,
    pub last_at: Micros,
    pub head: Digest,
    pub closer_epoch: i64,
    pub closing_at: Option<Micros>,
    pub closed_at: Option<Micros>,
    pub winner: Option<PartyId>,
    pub final_price: Option<Amount>,
    pub owner_node: Option<String>,
    pub owner_epoch: i64,
    pub owner_lease: Option<Micros>,
}

impl AuctionRow {
    /// The state that the rules work on. A leader without a maximum is damage.
    pub fn state(&self) -> Result<State, Damage> {
        let leader = match (&self.leader, self.leader_max) {
            (None, _) => None,
            (Some(bidder), Some(maximum)) => Some(Leader {
                bidder: bidder.clone(),
                maximum,
            }),
            (Some(_), None) => {
                return Err(Damage::row(
                    self.auction_id.get(),
                    "leader_max",
                    "none, with a leader",
                ));
            }
        };
        Ok(State {
            status: self.status,
            owned: self.owner_node.is_some(),
            end: self.end,
            standing: Standing {
                leader,
                runner_up: self.runner_up_max,
                price: self.price,
            },
            bid_count: self.bid_count,
            last_seq: self.last_seq,
            last_at: self.last_at,
            head: self.head,
        })
    }

    /// The row of a fresh auction, or of one whose ledger has been folded into `state`.
    pub fn of(auction_id: AuctionId, terms: Terms, state: &State) -> Self {
        Self {
            auction_id,
            status: state.status,
            end: state.end,
            leader: state.leader_id().cloned(),
            leader_max: state.standing.leader.as_ref().map(|leader| leader.maximum),
            runner_up_max: state.standing.runner_up,
            price: state.standing.price,
            reserve_met: state.standing.reserve_met(&terms),
            bid_count: state.bid_count,
            last_seq: state.last_seq,
            last_at: state.last_at,
            head: state.head,
            closer_epoch: 0,
            closing_at: None,
            closed_at: None,
            winner: None,
            final_price: None,
            owner_node: None,
            owner_epoch: 0,
            owner_lease: None,
            terms,
        }
    }

    /// The whole auction folded from its ledger, for a decision that needs every bid. This row
    /// must agree with the fold: an operator's action does not build on a damaged auction.
    pub(super) fn book(&self, ledger: &[Entry]) -> Result<Book, Damage> {
        let unfoldable =
            |why: &dyn ToString| Damage::row(self.auction_id.get(), "ledger", why.to_string());
        let mut book = Book::replay(ledger).map_err(|error| unfoldable(&error))?;
        let folded = Self::of(self.auction_id, book.terms.clone(), &book.state);
        let outcome = |row: &Self| (row.leader.clone(), row.price, row.end, row.head);
        if outcome(&folded) != outcome(self) || folded.terms != self.terms {
            return Err(unfoldable(&"the row disagrees with it"));
        }
        book.state.status = self.status;
        book.state.owned = self.owner_node.is_some();
        Ok(book)
    }

    /// What a challenger must bid at least, in minor units.
    pub fn minimum(&self) -> i64 {
        self.terms.minimum(self.price)
    }

    /// When it was closed or cancelled, if it was: an open auction with a closing time was not.
    pub fn ended_at(&self) -> Option<Micros> {
        match self.status {
            Status::Closed | Status::ClosedReserveNotMet => self.closed_at,
            Status::Cancelled => Some(self.last_at),
            Status::Open | Status::Closing => None,
        }
    }

    /// Open, past its end by the store's clock, and nobody's but the closer's.
    pub fn is_due(&self, now: Micros) -> bool {
        self.status == Status::Open && self.end <= now && self.owner_node.is_none()
    }
}

/// A stored value that cannot be: somebody wrote it past gavel.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("auction {auction_id}{}: {column} is not valid: {found}", seq_text(*.seq))]
pub struct Damage {
    /// The auction, as stored.
    pub auction_id: i64,
    /// The entry's seq; none for the auction's row or event.
    pub seq: Option<i64>,
    /// The column.
    pub column: &'static str,
    /// What stands there, or what is wrong with it.
    pub found: String,
}

impl Damage {
    /// Damage to an auction's row or event.
    pub fn row(auction_id: i64, column: &'static str, found: impl Into<String>) -> Self {
        Self {
            auction_id,
            seq: None,
            column,
            found: found.into(),
        }
    }

    /// Damage to a ledger entry.
    pub fn entry(
        auction_id: i64,
        seq: i64,
        column: &'static str,
        found: impl Into<String>,
    ) -> Self {
        Self {
            auction_id,
            seq: Some(seq),
            column,
            found: found.into(),
        }
    }
}

fn seq_text(seq: Option<i64>) -> String {
    seq.map_or(String::new(), |seq| format!(" seq {seq}"))
}

/// All that is stored of one auction, for an auditor or an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dossier {
    /// The auction, as stored.
    pub auction_id: i64,
    /// The row; none if it is absent or damaged.
    pub row: Option<AuctionRow>,
    /// The ledger by `seq`, damaged entries left out.
    pub entries: Vec<Entry>,
    /// The outbox rows.
    pub events: Vec<Event>,
    /// Who watches; left out of a public export.
    pub watchers: Vec<PartyId>,
    /// What could not be read.
    pub damage: Vec<Damage>,
    /// Secrets and nonces are visible to this reader.
    pub secrets_visible: bool,
}
