//! The terms of an auction as options and as columns of a file: one set of names, one parser.

use std::str::FromStr;

use clap::Args;

use super::fields::{FieldError, Fields};
use super::offered::offered;
use crate::auction::steps::StepError;
use crate::auction::terms::check_text;
use crate::auction::{
    Amendment, Amount, Currency, ExtendMode, ExtendTrigger, Micros, OwnRaise, Refusal, SoftClose,
    SoftClosePatch, Span, StepTable, Terms,
};

/// The steps where none are stated.
const STEPS_DEFAULT: &str = "ebay-us";

/// Options that `create` and `amend` share. They are read by [`terms`] and [`amendment`], because
/// an amount needs the currency.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Terms")]
pub(crate) struct TermsArgs {
    /// One line for people
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// The lowest first bid
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    start_price: Option<String>,
    /// How much a challenger must add: an amount, ebay-us, ebay-uk, or rungs such as
    /// 0.01:0.05,1:0.25
    #[arg(
        long,
        value_name = "STEPS",
        allow_negative_numbers = true,
        value_parser = offered(StepTable::shipped_names()),
        hide_possible_values = true
    )]
    steps: Option<String>,
    /// Hidden: below it the item is not sold (0: none)
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    reserve: Option<String>,
    /// What the leader's own raise does to the price
    #[arg(long, value_name = "RULE", value_parser = offered(OwnRaise::ALL.map(OwnRaise::as_str)))]
    own_raise: Option<String>,
    /// Soft close: a bid in this last span moves the end
    #[arg(long, value_name = "SPAN")]
    soft_close_window: Option<String>,
    /// By how much [default: the window]
    #[arg(long, value_name = "SPAN")]
    soft_close_extend: Option<String>,
    /// Counted from the bid (reset) or from the end (add)
    #[arg(long, value_name = "MODE",
        value_parser = offered(ExtendMode::ALL.map(ExtendMode::as_str)))]
    soft_close_mode: Option<String>,
    /// Which bids move the end
    #[arg(long, value_name = "BIDS",
        value_parser = offered(ExtendTrigger::ALL.map(ExtendTrigger::as_str)))]
    soft_close_trigger: Option<String>,
    /// The end never moves past this instant
    #[arg(long, value_name = "TIME")]
    soft_close_cap: Option<String>,
    /// Bids are taken from this instant on
    #[arg(long, value_name = "TIME")]
    starts_at: Option<String>,
    /// Bids are taken before this instant, such as 2026-12-06T19:00[America/Los_Angeles]
    #[arg(long, value_name = "TIME")]
    ends_at: Option<String>,
    /// The end as a span, such as 7d or 2h30m: from the start (amend: from now); on a full second
    /// from a minute up
    #[arg(long, value_name = "SPAN", conflicts_with = "ends_at")]
    ends_in: Option<String>,
}

impl TermsArgs {
    /// As named texts.
    pub(crate) fn put_into(self, fields: &mut Fields) {
        fields.set("title", self.title);
        fields.set("start_price", self.start_price);
        fields.set("steps", self.steps);
        fields.set("reserve", self.reserve);
        fields.set("own_raise", self.own_raise);
        fields.set("soft_close_window", self.soft_close_window);
        fields.set("soft_close_extend", self.soft_close_extend);
        fields.set("soft_close_mode", self.soft_close_mode);
        fields.set("soft_close_trigger", self.soft_close_trigger);
        fields.set("soft_close_cap", self.soft_close_cap);
        fields.set("starts_at", self.starts_at);
        fields.set("ends_at", self.ends_at);
        fields.set("ends_in", self.ends_in);
    }
}

/// The terms of a new auction. `anchor` is the start where none is stated; `--ends-in` counts
/// from the start.
pub(crate) fn terms(
    fields: &Fields,
    anchor: Micros,
    tables: &mut Tables,
) -> Result<Terms, FieldError> {
    let currency = fields
        .optional("currency", Currency::from_code)?
        .map_or_else(usd, Ok)
        .map_err(|why| fields.wrong("currency", why))?;
    if let Some(successor) = currency.successor() {
        let why = format!("this currency was withdrawn: {successor} took its place");
        return Err(fields.wrong("currency", why));
    }
    let start_price = fields.required("start_price", |text| currency.parse(text))?;
    let start = fields.optional("starts_at", Micros::from_str)?;
    let start = start.unwrap_or(anchor);
    Ok(Terms {
        seller: fields.required("seller", FromStr::from_str)?,
        title: fields.required("title", |text| Ok::<_, String>(text.to_owned()))?,
        currency,
        start_price,
        steps: steps(fields, currency, start_price, tables)?,
        reserve: reserve(fields, currency)?.flatten(),
        own_raise: own_raise(fields)?.unwrap_or_default(),
        soft_close: new_soft_close(fields)?,
        start,
        end: end(fields, start)?.ok_or_else(|| no_end(fields))?,
    })
}

fn no_end(fields: &Fields) -> FieldError {
    let (at, within) = (fields.name("ends_at"), fields.name("ends_in"));
    fields.wrong(
        "ends_at",
        format!("an auction needs an end: state {at} or {within}"),
    )
}

fn usd() -> Result<Currency, crate::auction::money::MoneyError> {
    Currency::from_code("USD")
}

/// Judges the terms of a new auction before the store does, so that the option or column at
/// fault can be named.
pub(crate) fn check(fields: &Fields, terms: &Terms, now: Micros) -> Result<(), FieldError> {
    terms
        .check(now)
        .map_err(|refusal| told(fields, &refusal, now))
}

/// What is stated of the terms; the rest stays as it is in `before`, the terms in force.
pub(crate) fn amendment(
    fields: &Fields,
    before: &Terms,
    now: Micros,
) -> Result<Amendment, FieldError> {
    let currency = before.currency;
    Ok(Amendment {
        title: fields.optional("title", |text| Ok::<_, String>(text.to_owned()))?,
        start_price: fields.optional("start_price", |text| currency.parse(text))?,
        steps: fields.optional("steps", |text| StepTable::parse(text, currency))?,
        reserve: reserve(fields, currency)?,
        own_raise: own_raise(fields)?,
        soft_close: soft_close(fields, before.soft_close)?.map(Some),
        start: fields.optional("starts_at", Micros::from_str)?,
        end: end(fields, now)?,
        extend_by: fields.optional("extend_by", Span::from_str)?,
    })
}

/// A refusal of terms, at the option or column that caused it.
pub(crate) fn told(fields: &Fields, refusal: &Refusal, now: Micros) -> FieldError {
    match refusal {
        Refusal::InvalidEnd { why } => {
            let name = if fields.has("ends_in") {
                "ends_in"
            } else {
                "ends_at"
            };
            fields.wrong(name, format!("{why} (server time {now})"))
        }
        Refusal::InvalidTerms { field, why } => fields.wrong(&field.replace('.', "_"), why),
        other => fields.wrong("title", other),
    }
}

/// A reason as the rules want it.
pub(crate) fn reason(text: &str) -> Result<String, String> {
    match check_text("reason", text) {
        Ok(()) => Ok(text.to_owned()),
        Err(Refusal::InvalidTerms { why, .. }) => Err(why),
        Err(refusal) => Err(refusal.to_string()),
    }
}

/// The step table that was read last: the rows of a file mostly name the same one.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    last: Option<(String, Currency, StepTable)>,
}

impl Tables {
    fn read(&mut self, text: &str, currency: Currency) -> Result<StepTable, StepError> {
        if let Some((known, its, table)) = &self.last
            && known == text
            && *its == currency
        {
            return Ok(table.clone());
        }
        let table = StepTable::parse(text, currency)?;
        self.last = Some((text.to_owned(), currency, table.clone()));
        Ok(table)
    }
}

fn steps(
    fields: &Fields,
    currency: Currency,
    start_price: Amount,
    tables: &mut Tables,
) -> Result<StepTable, FieldError> {
    if let Some(steps) = fields.optional("steps", |text| tables.read(text, currency))? {
        return Ok(steps);
    }
    tables
        .read(STEPS_DEFAULT, currency)
        .and_then(|table| table.check_start(start_price).map(|()| table))
        .map_err(|_| {
            let why = format!(
                "the default table {STEPS_DEFAULT} does not fit {currency}: \
                 state a step, such as 10, or rungs"
            );
            fields.wrong("steps", why)
        })
}

fn reserve(fields: &Fields, currency: Currency) -> Result<Option<Option<Amount>>, FieldError> {
    fields.optional("reserve", |text| currency.parse_optional(text))
}

fn own_raise(fields: &Fields) -> Result<Option<OwnRaise>, FieldError> {
    fields.optional("own_raise", |text| {
        word(&OwnRaise::ALL, OwnRaise::as_str, text)
    })
}

/// The soft close of a new auction.
fn new_soft_close(fields: &Fields) -> Result<Option<SoftClose>, FieldError> {
    let patch = soft_close(fields, None)?;
    let applied = patch.map(|patch| patch.apply(None)).transpose();
    applied.map_err(|refusal| fields.wrong(WINDOW, refusal))
}

const WINDOW: &str = "soft_close_window";

/// What is stated of the soft close; none if nothing is. One that is not there yet needs a window.
fn soft_close(
    fields: &Fields,
    before: Option<SoftClose>,
) -> Result<Option<SoftClosePatch>, FieldError> {
    let patch = SoftClosePatch {
        window: fields.optional(WINDOW, Span::from_str)?,
        extend_by: fields.optional("soft_close_extend", Span::from_str)?,
        mode: fields.optional("soft_close_mode", |text| {
            word(&ExtendMode::ALL, ExtendMode::as_str, text)
        })?,
        trigger: fields.optional("soft_close_trigger", |text| {
            word(&ExtendTrigger::ALL, ExtendTrigger::as_str, text)
        })?,
        cap: fields
            .optional("soft_close_cap", Micros::from_str)?
            .map(Some),
    };
    if patch == SoftClosePatch::default() {
        return Ok(None);
    }
    if patch.apply(before).is_err() {
        const PARTS: [&str; 4] = [
            "soft_close_extend",
            "soft_close_mode",
            "soft_close_trigger",
            "soft_close_cap",
        ];
        let stated = PARTS.into_iter().find(|name| fields.has(name));
        let why = format!("a soft close needs {}", fields.name(WINDOW));
        return Err(fields.wrong(stated.unwrap_or(WINDOW), why));
    }
    Ok(Some(patch))
}

fn end(fields: &Fields, from: Micros) -> Result<Option<Micros>, FieldError> {
    if fields.has("ends_at") && fields.has("ends_in") {
        return Err(fields.wrong("ends_in", "state ends_at or ends_in, not both"));
    }
    if let Some(span) = fields.optional("ends_in", Span::from_str)? {
        return Ok(Some(after(from, span)));
    }
    fields.optional("ends_at", Micros::from_str)
}

/// The instant a span later. A span of a minute or more ends on a full second: nobody who writes
/// `7d` wants an end with microseconds.
fn after(from: Micros, span: Span) -> Micros {
    const SECOND: i64 = 1_000_000;
    let exact = from.plus(span);
    let short = exact.get().rem_euclid(SECOND);
    if span.get() < 60 * SECOND || short == 0 {
        return exact;
    }
    Span::new(SECOND - short).map_or(exact, |rest| exact.plus(rest))
}

/// One of a closed set of words.
fn word<T: Copy>(all: &[T], as_str: impl Fn(T) -> &'static str, text: &str) -> Result<T, String> {
    all.iter()
        .copied()
        .find(|candidate| as_str(*candidate) == text)
        .ok_or_else(|| {
            let words: Vec<&str> = all.iter().copied().map(&as_str).collect();
            format!("write one of {}", words.join(", "))
        })
}
