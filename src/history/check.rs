//! Makes a checked mapping of a form: every target has one origin, every fixed value can be read,
//! and what belongs together stands together. Errors name the key and its line.

use std::str::FromStr;

use toml::Spanned;

use super::cells;
use super::check_field::{anything, mode_of, own_raise_of, trigger_of};
use super::error::MappingError;
use super::fields::{Field, Origin, TimeFormat};
use super::form::{
    Amounts, AuctionsForm, BidderForm, BidsForm, FlagForm, Form, Layout, OrderForm, SoftCloseForm,
    TextForm,
};
use super::mapping::{AuctionsMap, BidsMap, Mapping, Order, SoftCloseMap};
use super::marks::Marks;
use crate::auction::{AuctionId, Currency, PartyId, Span, StepTable};

/// Reads and checks a mapping.
pub(super) fn mapping(file: &str, text: &str) -> Result<Mapping, MappingError> {
    let place = Place { file, text };
    let form: Form = toml::from_str(text).map_err(|error| place.of_toml(&error))?;
    Checker { place }.mapping(form)
}

/// Where errors are.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Place<'_> {
    pub(super) fn line(self, at: usize) -> usize {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    pub(super) fn error(self, line: usize, what: impl Into<String>) -> MappingError {
        let text = self.text.lines().nth(line.saturating_sub(1));
        let text = text.unwrap_or_default().trim();
        let secret = ["secret", "reserve"]
            .iter()
            .any(|key| text.starts_with(key));
        MappingError {
            file: self.file.to_owned(),
            line,
            what: what.into(),
            text: if secret { "" } else { text }.to_owned(),
        }
    }

    fn of_toml(self, error: &toml::de::Error) -> MappingError {
        let line = error.span().map_or(1, |span| self.line(span.start));
        // The parser can quote a value, and that may be a reserve or as long as the file.
        let message = error.message().trim().replace('\n', "; ");
        let hidden = |c: char| if c.is_numeric() { '#' } else { c };
        let message: String = message.chars().take(MESSAGE_MAX).map(hidden).collect();
        let quoted = if message.contains("expected a string") {
            "; write a value as text in quotes, such as value = \"10\""
        } else {
            ""
        };
        self.error(line, format!("{message}{quoted}"))
    }
}

/// How much is told of what the TOML parser says.
const MESSAGE_MAX: usize = 200;

pub(super) struct Checker<'a> {
    pub(super) place: Place<'a>,
}

pub(super) type Checked<T> = Result<T, MappingError>;

impl Checker<'_> {
    fn mapping(&self, form: Form) -> Checked<Mapping> {
        let marks = self.marks(&form)?;
        let delimiter = match &form.delimiter {
            None => b',',
            Some(text) => match text.get_ref().as_bytes() {
                [byte @ (b',' | b';' | b'\t' | b'|')] => *byte,
                _ => {
                    let why = "delimiter is one of \",\" \";\" \"|\" \"\\t\"";
                    return Err(self.at(text, why));
                }
            },
        };
        let auctions = self.auctions(form.auctions, marks)?;
        Ok(Mapping {
            layout: form.layout,
            delimiter,
            marks,
            secret: form.secret.unwrap_or_default(),
            bids: self.bids(form.bids, form.layout, &auctions, marks)?,
            auctions,
        })
    }

    fn marks(&self, form: &Form) -> Checked<Marks> {
        let one = |text: &Spanned<String>, legal: &[char]| {
            let mut chars = text.get_ref().chars();
            match (chars.next(), chars.next()) {
                (Some(mark), None) if legal.contains(&mark) => Ok(mark),
                _ => {
                    let all: Vec<String> = legal.iter().map(|mark| format!("\"{mark}\"")).collect();
                    Err(self.at(text, format!("a mark is one of {}", all.join(" "))))
                }
            }
        };
        let decimal = form.decimal_mark.as_ref();
        let decimal = decimal.map(|text| one(text, &['.', ','])).transpose()?;
        let decimal = decimal.unwrap_or('.');
        let thousands = match &form.thousands_separator {
            None => None,
            Some(text) => {
                let mark = one(text, &['.', ',', ' ', '\'', '_', '\u{a0}', '\u{202f}'])?;
                if mark == decimal {
                    let why = format!("\"{mark}\" cannot be the decimal mark as well");
                    return Err(self.at(text, why));
                }
                Some(mark)
            }
        };
        Ok(Marks { decimal, thousands })
    }

    fn auctions(&self, form: AuctionsForm, marks: Marks) -> Checked<AuctionsMap> {
        let id = self.text("auctions.id", form.id, AuctionId::from_str)?;
        if !matches!(id.origin, Origin::Column(_)) {
            let why = "auctions.id must come from a column: each auction has its own";
            return Err(self.place.error(id.line, why));
        }
        let currency = self.text("auctions.currency", form.currency, Currency::from_code)?;
        let fixed = match &currency.origin {
            Origin::Value(code) => Currency::from_code(code).ok(),
            _ => None,
        };
        let money = |key, form| self.money(key, form, fixed, marks);
        let start = self.time("auctions.start", form.start, marks)?;
        if matches!(start.format, TimeFormat::SinceStart(_)) {
            let why = "auctions.start cannot count from itself";
            return Err(self.place.error(start.field.line, why));
        }
        let steps = self.text("auctions.steps", form.steps, |text| match fixed {
            Some(currency) => StepTable::parse(text, currency).map(drop),
            None => Ok(()),
        })?;
        let start_price = money("auctions.start_price", form.start_price)?;
        let reserve = form.reserve.map(|form| money("auctions.reserve", form));
        let recorded = form.recorded_price;
        let recorded = recorded.map(|form| money("auctions.recorded_price", form));
        let recorded_end = form.recorded_end;
        let recorded_end = recorded_end.map(|form| self.time("auctions.recorded_end", form, marks));
        let soft_close = form.soft_close.map(|form| self.soft_close(form, marks));
        let own_raise = form.own_raise;
        let own_raise = own_raise.map(|form| self.text("auctions.own_raise", form, own_raise_of));
        Ok(AuctionsMap {
            id,
            seller: self.text("auctions.seller", form.seller, PartyId::from_str)?,
            title: self.text("auctions.title", form.title, anything)?,
            currency,
            start_price,
            steps,
            reserve: reserve.transpose()?.map(|mut money| {
                money.field.secret = true;
                money
            }),
            own_raise: own_raise.transpose()?,
            soft_close: soft_close.transpose()?,
            start,
            end: self.time("auctions.end", form.end, marks)?,
            recorded_price: recorded.transpose()?,
            recorded_end: recorded_end.transpose()?,
        })
    }

    fn soft_close(&self, form: SoftCloseForm, marks: Marks) -> Checked<SoftCloseMap> {
        let extend_by = form.extend_by;
        let extend_by =
            extend_by.map(|form| self.text("auctions.soft_close.extend_by", form, Span::from_str));
        let mode = form.mode;
        let mode = mode.map(|form| self.text("auctions.soft_close.mode", form, mode_of));
        let trigger = form.trigger;
        let trigger =
            trigger.map(|form| self.text("auctions.soft_close.trigger", form, trigger_of));
        let cap = form.cap;
        let cap = cap.map(|form| self.time("auctions.soft_close.cap", form, marks));
        Ok(SoftCloseMap {
            window: self.text("auctions.soft_close.window", form.window, Span::from_str)?,
            extend_by: extend_by.transpose()?,
            mode: mode.transpose()?,
            trigger: trigger.transpose()?,
            cap: cap.transpose()?,
        })
    }

    fn bids(
        &self,
        form: BidsForm,
        layout: Layout,
        auctions: &AuctionsMap,
        marks: Marks,
    ) -> Checked<BidsMap> {
        let fixed = match &auctions.currency.origin {
            Origin::Value(code) => Currency::from_code(code).ok(),
            _ => None,
        };
        let auction = form.auction;
        let auction = auction.map(|form| self.text("bids.auction", form, AuctionId::from_str));
        let auction = auction.transpose()?;
        match (layout, &auction) {
            (Layout::OneFile, Some(field)) => {
                let why = "bids.auction: leave it out, in one file auctions.id says it";
                return Err(self.place.error(field.line, why));
            }
            (Layout::TwoFiles, None) => {
                let why = "bids.auction is missing: the column with the auction's id";
                return Err(self.at(&form.amount, why));
            }
            _ => {}
        }
        let mut amount = self.money("bids.amount", form.amount, fixed, marks)?;
        let at = self.time("bids.at", form.at, marks)?;
        for field in [&amount.field, &at.field].into_iter().chain(&auction) {
            if !matches!(field.origin, Origin::Column(_)) {
                let why = format!(
                    "{} must come from a column: each bid has its own",
                    field.key
                );
                return Err(self.place.error(field.line, why));
            }
        }
        amount.field.secret = form.amounts == Amounts::Maxima;
        if let (Amounts::Maxima, Some(flag)) = (form.amounts, &form.automatic) {
            let why = "bids.automatic goes with amounts = \"prices\" alone: \
                       a maximum is no automatic answer";
            return Err(self.at(flag, why));
        }
        let (bidder, unnamed) = match form.bidder.map(|form| self.bidder(form)).transpose()? {
            None => (None, None),
            Some((field, unnamed)) => (Some(field), unnamed),
        };
        let (automatic, yes) = match form.automatic.map(|form| self.flag(form)).transpose()? {
            None => (None, None),
            Some((field, yes)) => (Some(field), yes),
        };
        let order = form.order.map(|form| self.order(form)).transpose()?;
        let skew = form.skew.map(|text| {
            let skew = Span::from_str(text.get_ref());
            skew.map_err(|why| self.at(&text, format!("bids.skew: {why}")))
        });
        Ok(BidsMap {
            amounts: form.amounts,
            auction,
            amount,
            at,
            bidder,
            unnamed,
            automatic,
            yes,
            order: order.unwrap_or(Order::File),
            skew_us: skew.transpose()?.map_or(0, Span::get),
        })
    }

    fn bidder(&self, form: Spanned<BidderForm>) -> Checked<(Field, Option<String>)> {
        let span = form.span();
        let BidderForm {
            column,
            value,
            pattern,
            unnamed,
        } = form.into_inner();
        let text = TextForm {
            column,
            value,
            pattern,
            template: None,
        };
        let text = Spanned::new(span, text);
        Ok((self.text("bids.bidder", text, PartyId::from_str)?, unnamed))
    }

    fn flag(&self, form: Spanned<FlagForm>) -> Checked<(Field, Option<String>)> {
        let span = form.span();
        let FlagForm { column, value, yes } = form.into_inner();
        let text = TextForm {
            column,
            value,
            ..TextForm::default()
        };
        let text = Spanned::new(span, text);
        let parse = |text: &str| cells::flag(yes.as_deref(), text);
        Ok((self.text("bids.automatic", text, parse)?, yes))
    }

    fn order(&self, form: Spanned<OrderForm>) -> Checked<Order> {
        let span = form.span();
        let OrderForm { column, value } = form.into_inner();
        let word = value.clone();
        let text = TextForm {
            column,
            value,
            ..TextForm::default()
        };
        let field = self.text("bids.order", Spanned::new(span, text), anything)?;
        match word.as_deref() {
            None => Ok(Order::Column(field)),
            Some("file") => Ok(Order::File),
            Some("time") => Ok(Order::Time),
            Some(_) => {
                let why = "bids.order: the value is \"file\" or \"time\"; or state a column";
                Err(self.place.error(field.line, why))
            }
        }
    }

    fn at<T>(&self, spanned: &Spanned<T>, what: impl Into<String>) -> MappingError {
        self.place
            .error(self.place.line(spanned.span().start), what)
    }
}
