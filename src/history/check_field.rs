//! Single targets of a mapping: their origin, their format, and fixed values, which are judged at
//! once and not on every row.

use std::fmt::Display;

use toml::Spanned;

use super::cells;
use super::check::{Checked, Checker};
use super::fields::{Field, MoneyField, Origin, Piece, Scale, TimeField, TimeFormat};
use super::form::{MoneyForm, MoneyUnit, Round, TextForm, TimeForm};
use super::marks::{Marks, Pattern};
use crate::auction::{Currency, ExtendMode, ExtendTrigger, Micros, OwnRaise};

impl Checker<'_> {
    /// A target that is a text; `parse` judges a fixed one.
    pub(super) fn text<T, E: Display>(
        &self,
        key: &'static str,
        form: Spanned<TextForm>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Checked<Field> {
        let line = self.place.line(form.span().start);
        let TextForm {
            column,
            value,
            template,
            pattern,
        } = form.into_inner();
        let origin = match (column, value, template) {
            (Some(column), None, None) => Origin::Column(column),
            (None, Some(value), None) => Origin::Value(value),
            (None, None, Some(template)) => Origin::Template(
                pieces(&template).map_err(|why| self.place.error(line, format!("{key}: {why}")))?,
            ),
            (None, None, None) => {
                let why = format!("{key}: state a column, or a fixed value");
                return Err(self.place.error(line, why));
            }
            _ => {
                let why = format!("{key}: state one of column, value and template, not more");
                return Err(self.place.error(line, why));
            }
        };
        let pattern = match pattern {
            None => None,
            Some(text) => Some(Pattern::new(&text).ok_or_else(|| {
                let why = format!("{key}: a pattern has one {{}}, such as \"lot {{}}\"");
                self.place.error(line, why)
            })?),
        };
        let field = Field {
            key,
            line,
            origin,
            pattern,
            secret: false,
        };
        self.fixed(&field, parse)?;
        Ok(field)
    }

    /// A fixed value is judged now, not on every row.
    fn fixed<T, E: Display>(
        &self,
        field: &Field,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Checked<()> {
        let Origin::Value(value) = &field.origin else {
            return Ok(());
        };
        let key = field.key;
        if field.pattern.is_some() {
            let why = format!("{key}: a pattern is for cells; write the value without it");
            return Err(self.place.error(field.line, why));
        }
        if value.is_empty() {
            let why = format!("{key}: the value is empty");
            return Err(self.place.error(field.line, why));
        }
        let read = parse(value).map(drop);
        read.map_err(|why| self.place.error(field.line, format!("{key}: {why}")))
    }

    pub(super) fn money(
        &self,
        key: &'static str,
        form: Spanned<MoneyForm>,
        currency: Option<Currency>,
        marks: Marks,
    ) -> Checked<MoneyField> {
        let span = form.span();
        let MoneyForm {
            column,
            value,
            pattern,
            unit,
        } = form.into_inner();
        let text = TextForm {
            column,
            value,
            pattern,
            template: None,
        };
        let field = self.text(key, Spanned::new(span, text), anything)?;
        let money = MoneyField {
            field,
            minor: unit == MoneyUnit::Minor,
        };
        if let Some(currency) = currency {
            let parse = |text: &str| cells::money(&money, text, currency, marks);
            self.fixed(&money.field, parse)?;
        }
        Ok(money)
    }

    pub(super) fn time(
        &self,
        key: &'static str,
        form: Spanned<TimeForm>,
        marks: Marks,
    ) -> Checked<TimeField> {
        let span = form.span();
        let line = self.place.line(span.start);
        let TimeForm {
            column,
            value,
            pattern,
            format,
            zone,
            unit,
            round,
        } = form.into_inner();
        let wrong = |why: String| self.place.error(line, format!("{key}: {why}"));
        let counted = unit.map(|unit| Scale {
            unit_us: unit.us(),
            round_us: round.map(Round::us),
        });
        let needs_unit = || wrong("state the unit that it counts, such as unit = \"days\"".into());
        let format = match format.as_deref() {
            None | Some("rfc3339") => TimeFormat::Rfc3339,
            Some("unix") => TimeFormat::Unix(counted.ok_or_else(needs_unit)?),
            Some("since-start") => TimeFormat::SinceStart(counted.ok_or_else(needs_unit)?),
            Some(pattern) if pattern.contains('%') => TimeFormat::Strptime {
                pattern: pattern.to_owned(),
                zone: zone.clone(),
            },
            Some(_) => {
                let why = "the format is \"rfc3339\", \"unix\", \"since-start\", \
                           or a pattern such as \"%d.%m.%Y %H:%M:%S\"";
                return Err(wrong(why.into()));
            }
        };
        let counts = matches!(format, TimeFormat::Unix(_) | TimeFormat::SinceStart(_));
        if !counts && (unit.is_some() || round.is_some()) {
            let why = "unit and round go with format = \"unix\" or \"since-start\" alone";
            return Err(wrong(why.into()));
        }
        match &format {
            TimeFormat::Strptime { pattern, zone } => {
                check_strptime(pattern, zone.as_deref()).map_err(wrong)?;
            }
            _ if zone.is_some() => {
                return Err(wrong(
                    "a zone goes with a pattern of local times alone".into(),
                ));
            }
            _ => {}
        }
        let text = TextForm {
            column,
            value,
            pattern,
            template: None,
        };
        // Counted from some start, to see whether it can be read.
        let start = Micros::new(1).ok();
        let parse = |text: &str| cells::instant(&format, text, start, marks);
        let field = self.text(key, Spanned::new(span, text), parse)?;
        Ok(TimeField { field, format })
    }
}

/// Tries a pattern on a date, so that one that cannot be is not found on the first row.
fn check_strptime(pattern: &str, zone: Option<&str>) -> Result<(), String> {
    const OFFSETS: [&str; 6] = ["%z", "%:z", "%::z", "%Q", "%:Q", "%s"];
    let has_offset = OFFSETS.iter().any(|offset| pattern.contains(offset));
    match (zone, has_offset) {
        (None, false) => {
            return Err("local times need a zone, such as zone = \"Europe/Berlin\"".to_owned());
        }
        (Some(_), true) => {
            return Err("the pattern has an offset already: leave the zone out".to_owned());
        }
        (Some(zone), false) => {
            let sample = format!("2001-02-03T04:05:06[{zone}]").parse::<Micros>();
            sample.map_err(|error| error.to_string())?;
        }
        (None, true) => {}
    }
    let sample = jiff::civil::date(2001, 2, 3).at(16, 5, 6, 0);
    let zoned = sample
        .to_zoned_datetime(jiff::tz::TimeZone::UTC)
        .map_err(|error| error.to_string())?;
    let unusable = |error: jiff::Error| format!("the pattern cannot be used: {error}");
    let written = jiff::fmt::strtime::format(pattern, &zoned).map_err(unusable)?;
    let read = jiff::fmt::strtime::parse(pattern, &written).map_err(unusable)?;
    let full = if has_offset {
        read.to_timestamp().map(drop)
    } else {
        read.to_datetime().map(drop)
    };
    full.map_err(unusable)
}

/// The words and columns of a template.
fn pieces(template: &str) -> Result<Vec<Piece>, &'static str> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((words, after)) = rest.split_once('{') {
        if !words.is_empty() {
            pieces.push(Piece::Words(words.to_owned()));
        }
        let (column, after) = after
            .split_once('}')
            .filter(|(column, _)| !column.is_empty() && !column.contains('{'))
            .ok_or("a template names columns in braces, such as \"Lot {number}\"")?;
        pieces.push(Piece::Column(column.to_owned()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest.to_owned()));
    }
    if pieces.iter().any(|piece| matches!(piece, Piece::Column(_))) {
        Ok(pieces)
    } else {
        Err("a template names a column in braces, such as \"Lot {number}\"; else state a value")
    }
}

#[allow(
    clippy::unnecessary_wraps,
    reason = "one of the judges of fixed values"
)]
pub(super) fn anything(_: &str) -> Result<(), String> {
    Ok(())
}

/// The word of an own raise.
pub(super) fn own_raise_of(text: &str) -> Result<OwnRaise, String> {
    word(&OwnRaise::ALL, OwnRaise::as_str, text)
}

/// The word of a soft close's mode.
pub(super) fn mode_of(text: &str) -> Result<ExtendMode, String> {
    word(&ExtendMode::ALL, ExtendMode::as_str, text)
}

/// The word of a soft close's trigger.
pub(super) fn trigger_of(text: &str) -> Result<ExtendTrigger, String> {
    word(&ExtendTrigger::ALL, ExtendTrigger::as_str, text)
}

fn word<T: Copy>(all: &[T], as_str: impl Fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let found = all.iter().copied().find(|one| as_str(*one) == text);
    found.ok_or_else(|| {
        let words: Vec<&str> = all.iter().copied().map(&as_str).collect();
        format!("write one of {}", words.join(", "))
    })
}
