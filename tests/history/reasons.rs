//! Why a recorded final price is another than the rules give: each reason is checked.

use gavel::history::Why;

use super::{ONE, one};

const HEADER: &str = "lot,open,sold,bid,time,who\n";

/// Derived, recorded and why.
fn difference(
    map: &str,
    sold: &str,
    bids: &[(&str, &str)],
) -> Option<(String, String, Option<Why>)> {
    let rows = bids
        .iter()
        .map(|(who, bid)| format!("1,5,{sold},{bid},2026-01-02T00:00:00Z,{who}\n"));
    let histories = one(map, &(HEADER.to_owned() + &rows.collect::<String>()));
    let differing = histories.report.differing;
    assert!(differing.len() < 2);
    let unsold = |value: &Option<String>| value.clone().unwrap_or_else(|| "unsold".to_owned());
    let one = differing.first()?;
    Some((unsold(&one.derived), unsold(&one.recorded), one.why))
}

#[test]
fn each_reason_is_found_where_it_holds() {
    let told = |derived: &str, recorded: &str, why| Some((derived.into(), recorded.into(), why));
    let ann_bob: &[_] = &[("ann", "20"), ("bob", "10")];
    assert_eq!(difference(ONE, "11", ann_bob), None);
    assert_eq!(
        difference(ONE, "20", ann_bob),
        told("11.00", "20.00", Some(Why::ReserveMet))
    );
    assert_eq!(
        difference(ONE, "25", ann_bob),
        told("11.00", "25.00", Some(Why::BidsMissing))
    );
    assert_eq!(
        difference(ONE, "15", ann_bob),
        told("11.00", "15.00", Some(Why::Unexplained))
    );
    assert_eq!(
        difference(ONE, "0", ann_bob),
        told("11.00", "unsold", Some(Why::ReserveNotMet))
    );
    let private = [("Private", "10"), ("Private", "20"), ("Private", "15")];
    let why = Some(Why::UnnamedBidders);
    assert_eq!(difference(ONE, "16", &private), told("5.00", "16.00", why));
    // Named people are who they are.
    let one_name = private.map(|(_, bid)| ("ann", bid));
    let why = Some(Why::Unexplained);
    assert_eq!(difference(ONE, "16", &one_name), told("5.00", "16.00", why));
    // A reserve that is known is not guessed.
    let known = ONE.replace("start = {", "reserve = { value = \"12\" }\nstart = {");
    assert_eq!(difference(&known, "12", ann_bob), None);
    assert_eq!(
        difference(&known, "20", ann_bob),
        told("12.00", "20.00", why)
    );
    let unmet = ONE.replace("start = {", "reserve = { value = \"50\" }\nstart = {");
    assert_eq!(difference(&unmet, "0", ann_bob), None);
    assert_eq!(
        difference(&unmet, "11", ann_bob),
        told("unsold", "11.00", why)
    );
}
