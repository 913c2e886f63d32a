//! Turns the bid histories of an estate sale with soft close into a folder for gavel.
//!
//!     cargo run --example maxsold_history -- lots.csv bids.csv FOLDER
//!     gavel replay --from FOLDER
//!
//! The site shows the price after each event and whether it was an automatic answer; it names no
//! bidder and no maximum. Here an event that is no answer is one bid, by a bidder of its own since
//! nobody bids against himself; answers are what the rules make of it. A maximum is what the
//! record forces it to be: what the leader had reached when beaten, what a beaten bid shows. The
//! rules then derive the price after every bid and, from the bids' times, the end of every lot.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use gavel::auction::{
    Amount, AuctionId, Currency, ExtendMode, ExtendTrigger, Micros, OwnRaise, PartyId, SoftClose,
    Span, StepTable, Terms,
};
use gavel::store::Dossier;
use serde::Deserialize;

#[path = "history/record.rs"]
mod record;
use record::Record;

/// The sale's opening is not recorded; it lies before the first bid of any lot.
const START: &str = "2025-11-01T00:00:00Z";

/// As the histories show them: 1, above 10 it is 3, above 40 it is 5, above 100 it is 10.
const STEPS: &str = "1:1,10.01:3,40.01:5,100.01:10";

/// A bid in the last two minutes moves the end to two minutes after it.
const SOFT_CLOSE: &str = "120s";

/// An automatic answer can be stamped this much before the bid it answers.
const ANSWER_EARLY: i64 = 2_000_000;

/// A line of the table of lots.
#[derive(Deserialize)]
struct LotLine {
    item_id: i64,
    lot_number: u32,
    scheduled_end_utc: String,
    end_time_utc: String,
    starting_bid: String,
    current_bid: String,
}

/// A line of the table of events.
#[derive(Deserialize)]
struct EventLine {
    item_id: i64,
    seq: i64,
    time_utc: String,
    amount: String,
    is_proxy: bool,
}

/// What happened, and the price shown after it.
#[derive(Clone, Copy)]
struct Shown {
    seq: i64,
    at: Micros,
    price: Amount,
    answer: bool,
}

/// A bid, together with the automatic answer it caused.
#[derive(Clone, Copy)]
enum Challenge {
    /// The leader's answer holds the lead, at the answer's price.
    Beaten { bid: Shown, answer: Amount },
    /// The bid takes the lead; the leader had gone as far as this (none: nobody led).
    Leads { bid: Shown, beaten: Option<Amount> },
}

/// Something in which the rules give another result than the site recorded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Differing {
    pub(crate) item_id: i64,
    /// The event's seq; none for the end.
    pub(crate) seq: Option<i64>,
    pub(crate) derived: String,
    pub(crate) recorded: String,
}

/// The sale, converted.
#[derive(Default)]
pub(crate) struct Sale {
    pub(crate) dossiers: Vec<Dossier>,
    /// Lots with a history, and among them those whose end was moved.
    pub(crate) with_history: usize,
    pub(crate) extended: usize,
    /// Bids, the automatic answers apart.
    pub(crate) bids: usize,
    pub(crate) answers: usize,
    pub(crate) differing: Vec<Differing>,
}

/// Reads both tables and makes every lot by the rules.
pub(crate) fn convert(lots: impl Read, events: impl Read) -> anyhow::Result<Sale> {
    let cad = Currency::from_code("CAD")?;
    let mut shown: BTreeMap<i64, Vec<Shown>> = BTreeMap::new();
    for line in csv::Reader::from_reader(events).deserialize() {
        let line: EventLine = line?;
        shown.entry(line.item_id).or_default().push(Shown {
            seq: line.seq,
            at: line.time_utc.parse()?,
            price: cad.parse(&line.amount)?,
            answer: line.is_proxy,
        });
    }
    let mut sale = Sale::default();
    for line in csv::Reader::from_reader(lots).deserialize() {
        let line: LotLine = line?;
        let events = shown.remove(&line.item_id).unwrap_or_default();
        sale.add(&line, cad, &events)
            .with_context(|| format!("item {}", line.item_id))?;
    }
    ensure!(shown.is_empty(), "events of no lot: {:?}", shown.keys());
    Ok(sale)
}

impl Sale {
    fn add(&mut self, line: &LotLine, cad: Currency, events: &[Shown]) -> anyhow::Result<()> {
        let auction_id = AuctionId::new(line.item_id)?;
        let mut record = Record::open(auction_id, terms(line, cad)?)?;
        let challenges = pair(events)?;
        let maxima = maxima(&challenges, &record.book().terms.steps);
        for (challenge, maximum) in challenges.iter().zip(maxima) {
            self.play(&mut record, challenge, maximum)?;
        }
        let derived = record.book().state.end;
        let recorded: Micros = line.end_time_utc.parse()?;
        if derived != recorded {
            self.differ(
                line.item_id,
                None,
                derived.to_string(),
                recorded.to_string(),
            );
        }
        self.with_history += usize::from(!events.is_empty());
        self.extended += usize::from(derived > record.book().terms.end);
        self.bids += challenges.len();
        self.answers += events.iter().filter(|event| event.answer).count();
        let price = cad.parse_optional(&line.current_bid)?;
        self.dossiers.push(record.closed(recorded, price));
        Ok(())
    }

    fn play(
        &mut self,
        record: &mut Record,
        challenge: &Challenge,
        maximum: Maximum,
    ) -> anyhow::Result<()> {
        let (bid, price) = match *challenge {
            Challenge::Beaten { bid, answer } => (bid, answer),
            Challenge::Leads { bid, .. } => (bid, bid.price),
        };
        let bidder = PartyId::new(format!("bidder-{}", bid.seq))?;
        record
            .bid(2 * bid.seq, bid.at, &bidder, maximum.bid)?
            .with_context(|| format!("seq {}", bid.seq))?;
        let book = record.book();
        let (item_id, currency) = (book.auction_id.get(), book.terms.currency);
        if book.state.price() != Some(price) {
            let derived = book.state.price();
            let derived = derived.map_or("none".into(), |price| currency.format(price));
            self.differ(item_id, Some(bid.seq), derived, currency.format(price));
        }
        if let Some(raised) = maximum.raised {
            // No event shows it, so it can be anywhere before the next one; it moves nothing here.
            record
                .bid(2 * bid.seq + 1, bid.at, &bidder, raised)?
                .with_context(|| format!("raise after seq {}", bid.seq))?;
        }
        Ok(())
    }

    fn differ(&mut self, item_id: i64, seq: Option<i64>, derived: String, recorded: String) {
        self.differing.push(Differing {
            item_id,
            seq,
            derived,
            recorded,
        });
    }
}

fn terms(line: &LotLine, cad: Currency) -> anyhow::Result<Terms> {
    let span: Span = SOFT_CLOSE.parse()?;
    Ok(Terms {
        seller: PartyId::new("estate")?,
        title: format!("Lot {}", line.lot_number),
        currency: cad,
        start_price: cad.parse(&line.starting_bid)?,
        steps: StepTable::parse(STEPS, cad)?,
        reserve: None,
        own_raise: OwnRaise::Keep,
        soft_close: Some(SoftClose {
            window: span,
            extend_by: span,
            mode: ExtendMode::Reset,
            trigger: ExtendTrigger::Any,
            cap: None,
        }),
        start: START.parse()?,
        end: line.scheduled_end_utc.parse()?,
    })
}

/// Puts every automatic answer to its bid. The site lists an answer that holds the lead after the
/// bid, and one that was not enough before it; both bear the bid's second, or one shortly before.
fn pair(events: &[Shown]) -> anyhow::Result<Vec<Challenge>> {
    let mut challenges: Vec<Challenge> = Vec::new();
    let mut events = events.iter().peekable();
    let mut price = None;
    while let Some(event) = events.next() {
        let belongs = |answer: &Shown, bid: &Shown| {
            answer.answer && (0..=ANSWER_EARLY).contains(&bid.at.since(answer.at))
        };
        let challenge = if event.answer {
            let Some(bid) = events
                .next()
                .filter(|bid| !bid.answer && belongs(event, bid))
            else {
                bail!("the answer {} belongs to no bid", event.seq);
            };
            Challenge::Leads {
                bid: *bid,
                beaten: Some(event.price),
            }
        } else if let Some(answer) = events.next_if(|answer| belongs(answer, event)) {
            Challenge::Beaten {
                bid: *event,
                answer: answer.price,
            }
        } else {
            Challenge::Leads {
                bid: *event,
                beaten: price,
            }
        };
        price = Some(match challenge {
            Challenge::Beaten { answer, .. } => answer,
            Challenge::Leads { bid, .. } => bid.price,
        });
        challenges.push(challenge);
    }
    Ok(challenges)
}

/// A bid's maximum, and what the bidder raised it to later while leading, unseen.
#[derive(Clone, Copy)]
struct Maximum {
    bid: Amount,
    raised: Option<Amount>,
}

/// The least maxima that the record allows.
fn maxima(challenges: &[Challenge], steps: &StepTable) -> Vec<Maximum> {
    let mut maxima = Vec::with_capacity(challenges.len());
    // What the leader goes as far as, seen from the end; the winner's is shown up to the price.
    let mut reached: Option<Amount> = None;
    for challenge in challenges.iter().rev() {
        maxima.push(match *challenge {
            Challenge::Beaten { bid, answer } => {
                reached = reached.max(Some(answer));
                Maximum {
                    bid: bid.price,
                    raised: None,
                }
            }
            Challenge::Leads { bid, beaten } => {
                let all = reached.max(Some(bid.price)).unwrap_or(bid.price);
                reached = beaten;
                // A price short of a full step above the beaten one is the new leader's maximum.
                let short = beaten.is_some_and(|beaten| bid.price.minor() < steps.next(beaten));
                if short && all > bid.price {
                    Maximum {
                        bid: bid.price,
                        raised: Some(all),
                    }
                } else {
                    Maximum {
                        bid: all,
                        raised: None,
                    }
                }
            }
        });
    }
    maxima.reverse();
    maxima
}

/// Writes the folder.
pub(crate) fn write(folder: &Path, sale: &Sale) -> anyhow::Result<()> {
    record::write(folder, &sale.dossiers)
}

fn report(sale: &Sale) -> anyhow::Result<()> {
    let mut results = io::stdout().lock();
    for Differing {
        item_id,
        seq,
        derived,
        recorded,
    } in &sale.differing
    {
        let what = seq.map_or("end".to_owned(), |seq| format!("price after event {seq}"));
        writeln!(
            results,
            "item {item_id}: {what}: derived {derived}, recorded {recorded}"
        )?;
    }
    let ends = sale.differing.iter().filter(|it| it.seq.is_none()).count();
    let prices = sale.differing.len() - ends;
    let (lots, history, moved) = (sale.dossiers.len(), sale.with_history, sale.extended);
    writeln!(
        results,
        "{} of {lots} ends are what the rules give, to the second ({history} lots have a history, \
         {moved} ends were moved)",
        lots - ends
    )?;
    let (bids, answers) = (sale.bids, sale.answers);
    writeln!(
        results,
        "{} of {bids} prices after a bid are, and with them {answers} automatic answers",
        bids - prices
    )?;
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [lots, events, folder] = arguments.as_slice() else {
        bail!("usage: maxsold_history LOTS.csv BIDS.csv FOLDER");
    };
    let open =
        |path: &PathBuf| std::fs::File::open(path).with_context(|| path.display().to_string());
    let sale = convert(open(lots)?, open(events)?)?;
    write(folder, &sale)?;
    report(&sale)
}
