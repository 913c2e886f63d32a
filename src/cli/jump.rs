//! The guard against a slip of the finger: how far above the lowest bid that would be taken a
//! maximum may go without a word.
//!
//! It is the client's own, judged before the bid is sent and outside any lock: a price that moves
//! in between does no harm. The amount is never repeated.

use std::fmt;
use std::str::FromStr;

use crate::auction::{Bid, Micros, Status};
use crate::output::views::refusal::RefusalView;
use crate::store::AuctionRow;

/// The code of its refusal.
const CODE: &str = "jump";
/// Decimals of a factor.
const DECIMALS: usize = 3;
/// One, in the unit of a factor.
const ONE: i64 = 1_000;
/// The largest factor.
const FACTOR_MAX: i64 = 1_000_000;

/// What fails where the auction cannot be read.
pub(super) const GUARDED: &str = "--max-jump has to read the auction first";

/// `--max-jump`: a factor, exactly as written, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MaxJump {
    /// In thousandths; none: whatever is bid is meant.
    thousandths: Option<i64>,
}

impl MaxJump {
    /// Whether it lets everything pass.
    pub(super) fn is_none(self) -> bool {
        self.thousandths.is_none()
    }

    /// Judges a bid by the auction as it was read at an instant of the store's clock. A bid that
    /// the rules will refuse anyway is left to them.
    pub(super) fn judge(self, bid: &Bid, row: &AuctionRow, now: Micros) -> Option<RefusalView> {
        let thousandths = self.thousandths?;
        let minimum = row.minimum();
        let takes_bids = row.status == Status::Open && row.terms.start <= now && now < row.end;
        let same_money = bid.currency == row.terms.currency;
        let reach = i128::from(thousandths) * i128::from(minimum);
        let asked = i128::from(ONE) * i128::from(bid.maximum);
        if !takes_bids || !same_money || asked <= reach {
            return None;
        }
        let message = format!(
            "the maximum is more than {self} the lowest bid that is taken now; to confirm it, \
             state a larger --max-jump, or --max-jump none"
        );
        let currency = row.terms.currency;
        Some(RefusalView::held_back(
            CODE, message, minimum, currency, now,
        ))
    }
}

impl FromStr for MaxJump {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        // An empty variable is no choice.
        if text.is_empty() || text == "none" {
            return Ok(Self { thousandths: None });
        }
        let number = text.strip_suffix('x').unwrap_or(text);
        let thousandths = thousandths(number).filter(|n| (ONE..=FACTOR_MAX * ONE).contains(n));
        match thousandths {
            Some(_) => Ok(Self { thousandths }),
            None => Err(format!(
                "state a factor from 1x to {FACTOR_MAX}x, such as 5x or 2.5x, or none"
            )),
        }
    }
}

/// Digits, and up to three after a point.
fn thousandths(number: &str) -> Option<i64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || fraction.len() > DECIMALS {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<DECIMALS$}").parse().ok()?;
    whole
        .parse::<i64>()
        .ok()?
        .checked_mul(ONE)?
        .checked_add(fraction)
}

/// As it may be stated: `5x`, `2.5x`, `none`.
impl fmt::Display for MaxJump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(thousandths) = self.thousandths else {
            return f.write_str("none");
        };
        let (whole, fraction) = (thousandths / ONE, thousandths % ONE);
        if fraction == 0 {
            return write!(f, "{whole}x");
        }
        let fraction = format!("{fraction:0>DECIMALS$}");
        write!(f, "{whole}.{}x", fraction.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_read_exactly() {
        let read = |text: &str| text.parse::<MaxJump>().map(|jump| jump.thousandths);
        assert_eq!(read("5x"), Ok(Some(5_000)));
        assert_eq!(read("5"), Ok(Some(5_000)));
        assert_eq!(read("2.5x"), Ok(Some(2_500)));
        assert_eq!(read("1.001x"), Ok(Some(1_001)));
        assert_eq!(read("1000000x"), Ok(Some(1_000_000_000)));
        assert_eq!((read("none"), read("")), (Ok(None), Ok(None)));
        for bad in [
            "0.999x",
            "0",
            "-5x",
            "+5x",
            "5.x",
            ".5x",
            "1.0001x",
            "5xx",
            "x",
            "5 x",
            "1e3",
            "NaN",
            "1,5x",
            "1000000.001x",
            "99999999999999999999x",
            "off",
            "5X",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        for text in ["5x", "2.5x", "1.001x", "none"] {
            assert_eq!(text.parse::<MaxJump>().unwrap().to_string(), text);
        }
    }
}
