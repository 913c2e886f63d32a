//! One auction told in major units: `lot.accept("A", "50")`, `lot.refuse("B", "50")`.

use gavel::auction::operator::Deed;
use gavel::auction::{AuctionId, Entry, Refusal, RequestId, Terms};
use gavel::store::{BidAnswer, CloseReply, Reply};

use super::make;
use super::model::{Kept, Model};

/// An auction in the reference model; every command gets a request id of its own.
pub(crate) struct Lot {
    pub(crate) model: Model,
    pub(crate) id: AuctionId,
    requests: u128,
}

impl Lot {
    /// Created at its start, which is also the time now.
    pub(crate) fn open(terms: Terms) -> Self {
        let mut model = Model::new(terms.start);
        let id = make::id(7731);
        let reply = model.create(&make::create(id, make::request(1), terms));
        assert!(matches!(reply, Reply::Done(_)), "{reply:?}");
        Self {
            model,
            id,
            requests: 1,
        }
    }

    pub(crate) fn kept(&self) -> &Kept {
        self.model.get(self.id).unwrap()
    }

    pub(crate) fn set_clock(&mut self, us: i64) {
        self.model.now = make::at(us);
    }

    pub(crate) fn next_request(&mut self) -> RequestId {
        self.requests += 1;
        make::request(self.requests)
    }

    /// A bid in major units of the lot's currency.
    pub(crate) fn bid(&mut self, bidder: &str, maximum: &str) -> Reply<BidAnswer> {
        let maximum = self.kept().book.terms.currency.parse(maximum).unwrap();
        self.bid_minor(bidder, maximum.minor())
    }

    pub(crate) fn bid_minor(&mut self, bidder: &str, maximum: i64) -> Reply<BidAnswer> {
        let request_id = self.next_request();
        let currency = self.kept().book.terms.currency;
        let bid = make::bid_of(self.id, request_id, bidder, maximum, currency);
        self.model.bid(&bid)
    }

    pub(crate) fn accept(&mut self, bidder: &str, maximum: &str) -> BidAnswer {
        match self.bid(bidder, maximum) {
            Reply::Done(answer) => answer,
            other => panic!("{bidder} {maximum}: {other:?}"),
        }
    }

    pub(crate) fn refuse(&mut self, bidder: &str, maximum: &str) -> Refusal {
        let before = self.kept().clone();
        match self.bid(bidder, maximum) {
            Reply::Refused { refusal, .. } => {
                assert_eq!(*self.kept(), before, "a refusal changes nothing");
                refusal
            }
            other => panic!("{bidder} {maximum}: {other:?}"),
        }
    }

    pub(crate) fn act(&mut self, deed: Deed) -> Reply<Entry> {
        let action = make::action(self.next_request(), deed);
        self.model.act(self.id, &action)
    }

    pub(crate) fn done(&mut self, deed: Deed) -> Entry {
        match self.act(deed) {
            Reply::Done(entry) => entry,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn act_refused(&mut self, deed: Deed) -> Refusal {
        let before = self.kept().clone();
        match self.act(deed) {
            Reply::Refused { refusal, .. } => {
                assert_eq!(*self.kept(), before, "a refusal changes nothing");
                refusal
            }
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn close(&mut self) -> CloseReply {
        self.model.close(self.id)
    }

    /// The leader and the price in major units: `"A 50.00"`, or `"-"` while nobody leads.
    pub(crate) fn standing(&self) -> String {
        let Kept { book, .. } = self.kept();
        match (book.state.leader_id(), book.state.price()) {
            (Some(leader), Some(price)) => {
                format!("{leader} {}", book.terms.currency.format(price))
            }
            (None, None) => "-".to_owned(),
            other => panic!("a leader has a price: {other:?}"),
        }
    }
}
