//! Random command sequences that crowd around the places where rules break: ties, tier borders,
//! the reserve, the leader's own raises, voids, repeated request ids, the last microsecond, a
//! clock that steps back.
//!
//! A strategy yields terms and abstract [`Step`]s; a [`Player`] turns each into a concrete
//! [`Command`] by looking at the model ("one above the leader's maximum"), so that every sequence
//! is a likely one and shrinks well.

use gavel::auction::book::Create;
use gavel::auction::operator::Deed;
use gavel::auction::{
    Action, Amendment, Amount, AuctionId, Bid, ExtendMode, ExtendTrigger, Micros, OwnRaise,
    RequestId, SoftClose, StepTable, Terms, VoidScope,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::make::{self, MINUTE, SECOND, START};
use super::model::{Kept, Model};

/// How many cases a property runs: its default, or what `GAVEL_PROPTEST_CASES` says.
pub(crate) fn cases(default: u32) -> ProptestConfig {
    let cases = std::env::var("GAVEL_PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default);
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// What a maximum is measured from.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim {
    Start,
    Minimum,
    LeaderMaximum,
    RunnerUpMaximum,
    OwnMaximum,
    Reserve,
    /// A threshold of the step table.
    Border(usize),
    /// So much above the minimum.
    Above(i64),
    Exactly(i64),
}

/// Where the clock goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tick {
    Forward(i64),
    Back(i64),
    Start,
    End,
    /// Where the soft-close window opens.
    Window,
}

/// What an amendment changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    Nothing,
    Title,
    StartPrice,
    Reserve,
    NoReserve,
    OwnRaise,
    NoSoftClose,
    /// The end, to so much after now.
    EndAfterNow(i64),
    /// The end, by so much.
    EndBy(i64),
    /// The end, to the cap and so much.
    EndAtCap(i64),
    /// The end in force, later by so much.
    ExtendBy(i64),
}

/// How a repeated command differs from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Twist {
    Same,
    OtherNonce,
    OtherActor,
    OtherContent,
    OtherKind,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Bid {
        bidder: usize,
        aim: Aim,
        off: i64,
    },
    WrongCurrency,
    SellerBids,
    Void {
        bidder: usize,
        scope: VoidScope,
    },
    Amend(Change),
    Cancel,
    Clock {
        tick: Tick,
        off: i64,
    },
    /// A command from before, so many back, under its request id.
    Repeat {
        back: usize,
        twist: Twist,
    },
    Close,
    CreateAgain,
}

/// A concrete command.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    Clock(Micros),
    Create(Create),
    Bid(Bid),
    Act(Action),
    Close,
}

/// An auction's terms and what happens to it.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    pub(crate) terms: Terms,
    pub(crate) steps: Vec<Step>,
}

const BIDDERS: [&str; 4] = ["ann", "ben", "cyd", "dot"];

pub(crate) fn scripts() -> impl Strategy<Value = Script> {
    (terms(), vec(step(), 8..48)).prop_map(|(terms, steps)| Script { terms, steps })
}

fn terms() -> impl Strategy<Value = Terms> {
    let money = prop_oneof![
        4 => (Just("USD"), select(vec!["ebay-us", "ebay-uk", "1", "0.01:0.05,0.10:0.10,12:0.09"])),
        1 => (Just("JPY"), select(vec!["50", "1:1,100:5,1000:50"])),
        1 => (Just("KWD"), select(vec!["ebay-us", "0.005", "0.001:0.005,1:0.250,5:1"])),
    ];
    let start_price = prop_oneof![
        select(vec![1, 99, 100, 499, 1_000, 9_999, 24_999]),
        1_i64..2_000,
    ];
    let reserve = prop_oneof![
        2 => Just(None),
        1 => (-1_i64..=1).prop_map(Some),
        2 => (1_i64..3_000).prop_map(Some),
    ];
    let own_raise = select(vec![OwnRaise::Keep, OwnRaise::Reprice]);
    let late = select(vec![0, 0, 0, MINUTE]);
    (money, start_price, reserve, own_raise, soft_close(), late).prop_map(
        |((code, steps), start_price, reserve, own_raise, soft_close, late)| {
            let currency = make::currency(code);
            let steps = StepTable::parse(steps, currency).unwrap();
            let start_price = start_price.max(steps.rungs()[0].0.minor());
            Terms {
                currency,
                start_price: make::amount(start_price),
                steps,
                reserve: reserve.and_then(|off| Amount::new(start_price + off).ok()),
                own_raise,
                soft_close,
                start: make::at(START + late),
                ..make::terms()
            }
        },
    )
}

fn soft_close() -> impl Strategy<Value = Option<SoftClose>> {
    let spans = vec![1, SECOND, MINUTE, 5 * MINUTE];
    let mode = select(vec![ExtendMode::Reset, ExtendMode::Add]);
    let trigger = select(vec![
        ExtendTrigger::NotOwnRaise,
        ExtendTrigger::Any,
        ExtendTrigger::LeaderChange,
    ]);
    let cap = prop_oneof![
        2 => Just(None),
        1 => select(vec![0, 1, SECOND, 6 * MINUTE]).prop_map(Some),
    ];
    let soft = (select(spans.clone()), select(spans), mode, trigger, cap).prop_map(
        |(window, extend_by, mode, trigger, cap)| SoftClose {
            window: make::span(window),
            extend_by: make::span(extend_by),
            mode,
            trigger,
            cap: cap.map(|after| make::at(make::END + after)),
        },
    );
    prop_oneof![1 => Just(None), 2 => soft.prop_map(Some)]
}

fn step() -> impl Strategy<Value = Step> {
    let bidder = || 0..BIDDERS.len();
    let off = || -1_i64..=1;
    let scope = prop_oneof![
        3 => Just(VoidScope::All),
        4 => Just(VoidScope::Latest),
        2 => (1_i64..24).prop_map(VoidScope::Bid),
    ];
    let twist = select(vec![
        Twist::Same,
        Twist::Same,
        Twist::OtherNonce,
        Twist::OtherActor,
        Twist::OtherContent,
        Twist::OtherKind,
    ]);
    prop_oneof![
        120 => (bidder(), aim(), off()).prop_map(|(bidder, aim, off)| Step::Bid { bidder, aim, off }),
        22 => (tick(), off()).prop_map(|(tick, off)| Step::Clock { tick, off }),
        16 => (bidder(), scope).prop_map(|(bidder, scope)| Step::Void { bidder, scope }),
        16 => (1_usize..12, twist).prop_map(|(back, twist)| Step::Repeat { back, twist }),
        10 => change().prop_map(Step::Amend),
        4 => Just(Step::Close),
        2 => Just(Step::WrongCurrency),
        2 => Just(Step::SellerBids),
        1 => Just(Step::CreateAgain),
        1 => Just(Step::Cancel),
    ]
}

fn aim() -> impl Strategy<Value = Aim> {
    prop_oneof![
        5 => Just(Aim::Minimum),
        4 => Just(Aim::LeaderMaximum),
        3 => Just(Aim::OwnMaximum),
        2 => Just(Aim::RunnerUpMaximum),
        2 => Just(Aim::Reserve),
        1 => Just(Aim::Start),
        4 => (0_usize..10).prop_map(Aim::Border),
        4 => (0_i64..400).prop_map(Aim::Above),
        1 => select(vec![i64::MIN, -1, 0, 1, Amount::MAX - 1, Amount::MAX, Amount::MAX + 1, i64::MAX])
            .prop_map(Aim::Exactly),
    ]
}

fn tick() -> impl Strategy<Value = Tick> {
    prop_oneof![
        4 => select(vec![0, 1, SECOND, 10 * MINUTE]).prop_map(Tick::Forward),
        4 => select(vec![1, SECOND, 10 * MINUTE, 120 * MINUTE]).prop_map(Tick::Back),
        1 => Just(Tick::Start),
        3 => Just(Tick::End),
        3 => Just(Tick::Window),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        select(vec![
            Change::Nothing,
            Change::Title,
            Change::StartPrice,
            Change::Reserve,
            Change::NoReserve,
            Change::OwnRaise,
            Change::NoSoftClose,
        ]),
        select(vec![-1, 0, 1, MINUTE]).prop_map(Change::EndAfterNow),
        select(vec![-MINUTE, 0, 1, MINUTE]).prop_map(Change::EndBy),
        (-1_i64..=1).prop_map(Change::EndAtCap),
        select(vec![1, SECOND, MINUTE]).prop_map(Change::ExtendBy),
    ]
}

/// Turns steps into commands on one auction.
pub(crate) struct Player {
    auction_id: AuctionId,
    done: Vec<Command>,
    requests: u128,
}

impl Player {
    pub(crate) fn new(auction_id: AuctionId) -> Self {
        Self {
            auction_id,
            done: Vec::new(),
            requests: u128::from(auction_id.get().unsigned_abs()) << 64,
        }
    }

    pub(crate) fn create(&mut self, terms: Terms) -> Command {
        let request_id = self.request();
        let create = make::create(self.auction_id, request_id, terms);
        self.keep(Command::Create(create))
    }

    /// The command a step means now.
    pub(crate) fn resolve(&mut self, step: Step, model: &Model) -> Command {
        let kept = model.get(self.auction_id).unwrap();
        match step {
            Step::Bid { bidder, aim, off } => {
                let bidder = BIDDERS[bidder];
                let maximum = measured(kept, bidder, aim).saturating_add(off);
                self.bid(kept, bidder, maximum, kept.book.terms.currency)
            }
            Step::WrongCurrency => self.bid(kept, "ann", 5_000, make::currency("EUR")),
            Step::SellerBids => self.bid(kept, "seller", 5_000, kept.book.terms.currency),
            Step::Void { bidder, scope } => self.act(make::void(BIDDERS[bidder], scope)),
            Step::Amend(change) => self.act(make::amend(amendment(kept, model.now, change))),
            Step::Cancel => self.act(Deed::Cancel),
            Step::Clock { tick, off } => Command::Clock(instant(kept, model.now, tick, off)),
            Step::Repeat { back, twist } => self.repeat(back, twist),
            Step::Close => Command::Close,
            Step::CreateAgain => {
                let request_id = self.request();
                let terms = kept.book.terms.clone();
                Command::Create(make::create(self.auction_id, request_id, terms))
            }
        }
    }

    fn request(&mut self) -> RequestId {
        self.requests += 1;
        make::request(self.requests)
    }

    fn keep(&mut self, command: Command) -> Command {
        self.done.push(command.clone());
        command
    }

    fn bid(
        &mut self,
        kept: &Kept,
        bidder: &str,
        maximum: i64,
        currency: gavel::auction::Currency,
    ) -> Command {
        let request_id = self.request();
        let bid = make::bid_of(kept.book.auction_id, request_id, bidder, maximum, currency);
        self.keep(Command::Bid(bid))
    }

    fn act(&mut self, deed: Deed) -> Command {
        let request_id = self.request();
        self.keep(Command::Act(make::action(request_id, deed)))
    }

    fn repeat(&self, back: usize, twist: Twist) -> Command {
        let at = self.done.len().saturating_sub(back);
        match self.done[at].clone() {
            Command::Bid(bid) => twisted_bid(bid, twist),
            Command::Act(action) => twisted_action(action, twist),
            Command::Create(mut create) => {
                match twist {
                    Twist::Same | Twist::OtherKind => {}
                    Twist::OtherNonce => create.nonce = [1; 16],
                    Twist::OtherActor => create.actor = make::party("somebody"),
                    Twist::OtherContent => create.terms.title.push('!'),
                }
                Command::Create(create)
            }
            other => other,
        }
    }
}

fn twisted_bid(mut bid: Bid, twist: Twist) -> Command {
    match twist {
        Twist::Same => {}
        Twist::OtherNonce => bid.nonce = [1; 16],
        Twist::OtherActor => bid.bidder = make::party("eve"),
        Twist::OtherContent => bid.maximum = bid.maximum.saturating_add(1),
        Twist::OtherKind => return Command::Act(make::action(bid.request_id, Deed::Cancel)),
    }
    Command::Bid(bid)
}

fn twisted_action(mut action: Action, twist: Twist) -> Command {
    match twist {
        Twist::Same => {}
        Twist::OtherNonce => action.nonce = [1; 16],
        Twist::OtherActor => action.actor = make::party("somebody"),
        Twist::OtherContent => action.reason.push('!'),
        Twist::OtherKind => {
            action.deed = match action.deed {
                Deed::Cancel => make::void("ann", VoidScope::All),
                _ => Deed::Cancel,
            }
        }
    }
    Command::Act(action)
}

fn measured(kept: &Kept, bidder: &str, aim: Aim) -> i64 {
    let terms = &kept.book.terms;
    let standing = &kept.book.state.standing;
    let minimum = terms.minimum(standing.price);
    let or_minimum = |amount: Option<Amount>| amount.map_or(minimum, Amount::minor);
    match aim {
        Aim::Start => terms.start_price.minor(),
        Aim::Minimum => minimum,
        Aim::LeaderMaximum => or_minimum(standing.leader.as_ref().map(|leader| leader.maximum)),
        Aim::RunnerUpMaximum => or_minimum(standing.runner_up),
        Aim::OwnMaximum => {
            let own = kept.book.bids().iter();
            let own = own.filter(|bid| bid.bidder.as_str() == bidder && !bid.voided);
            or_minimum(own.map(|bid| bid.maximum).max())
        }
        Aim::Reserve => or_minimum(terms.reserve),
        Aim::Border(n) => {
            let rungs = terms.steps.rungs();
            let above = rungs.iter().filter(|rung| rung.0.minor() >= minimum);
            or_minimum(above.map(|rung| rung.0).nth(n % rungs.len()))
        }
        Aim::Above(more) => minimum + more,
        Aim::Exactly(maximum) => maximum,
    }
}

fn instant(kept: &Kept, now: Micros, tick: Tick, off: i64) -> Micros {
    let end = kept.book.state.end.get();
    let us = match tick {
        Tick::Forward(by) => now.get() + by,
        Tick::Back(by) => now.get() - by,
        Tick::Start => kept.book.terms.start.get(),
        Tick::End => end,
        Tick::Window => {
            let soft = kept.book.terms.soft_close;
            end - soft.map_or(SECOND, |soft| soft.window.get())
        }
    };
    make::at(us + off)
}

fn amendment(kept: &Kept, now: Micros, change: Change) -> Amendment {
    let terms = &kept.book.terms;
    let end = |us: i64| Micros::new(us).ok();
    let none = Amendment::default();
    match change {
        Change::Nothing => none,
        Change::Title => Amendment {
            title: Some("Another title ☂".to_owned()),
            ..none
        },
        Change::StartPrice => Amendment {
            start_price: Amount::new(terms.start_price.minor() * 2).ok(),
            ..none
        },
        Change::Reserve => Amendment {
            reserve: Some(Amount::new(terms.start_price.minor() + 150).ok()),
            ..none
        },
        Change::NoReserve => Amendment {
            reserve: Some(None),
            ..none
        },
        Change::OwnRaise => Amendment {
            own_raise: Some(OwnRaise::Reprice),
            ..none
        },
        Change::NoSoftClose => Amendment {
            soft_close: Some(None),
            ..none
        },
        Change::EndAfterNow(by) => Amendment {
            end: end(now.get() + by),
            ..none
        },
        Change::EndBy(by) => Amendment {
            end: end(kept.book.state.end.get() + by),
            ..none
        },
        Change::ExtendBy(by) => Amendment {
            extend_by: Some(make::span(by)),
            ..none
        },
        Change::EndAtCap(by) => {
            let cap = terms.soft_close.and_then(|soft| soft.cap);
            Amendment {
                end: end(cap.unwrap_or(terms.end).get() + by),
                ..none
            }
        }
    }
}
