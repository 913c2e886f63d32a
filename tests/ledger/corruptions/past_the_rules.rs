//! Entries that the rules would not have made, written with a hash that fits.

use gavel::auction::Entry;
use gavel::ledger::{Check, audit};

use super::store_secret;
use crate::ledger::story::{assert_one, dossier, forged, moment};
use crate::support::lot::Lot;
use crate::support::make::{self, END, MINUTE, START};

#[test]
fn an_entry_written_past_the_rules_is_one_finding() {
    let now = moment(make::at(START + 3 * MINUTE));
    type Forgery = (&'static str, fn(&mut Entry), Check);
    let forgeries: &[Forgery] = &[
        ("nothing", |_| (), Check::Price),
        (
            "by the seller",
            |e| e.actor = make::party("seller"),
            Check::NotAcceptable,
        ),
        ("too low", |e| store_secret(e, 1_010), Check::NotAcceptable),
        (
            "another price",
            |e| e.price = Some(make::usd("20")),
            Check::Price,
        ),
        (
            "another leader",
            |e| e.leader = Some(make::party("ben")),
            Check::Leader,
        ),
        ("another end", |e| e.end = make::at(END + 1), Check::End),
        ("a flag", |e| e.extended = true, Check::Flags),
        ("a detail", |e| e.detail = "{}".to_owned(), Check::Detail),
        (
            "before the last",
            |e| e.at = make::at(START),
            Check::TimeBackwards,
        ),
        (
            "after the end",
            |e| e.at = make::at(END),
            Check::TimeAfterEnd,
        ),
        (
            "the first request again",
            |e| e.request_id = make::request(1),
            Check::RequestIdRepeated,
        ),
    ];
    for (at, (name, spoil, check)) in forgeries.iter().enumerate() {
        let dossier = forged(spoil);
        if at == 0 {
            assert_eq!(audit(&dossier, &now), [], "{name}");
        } else {
            assert_one(name, &dossier, &now, (*check, Some(3)));
        }
    }
    let create = dossier(&Lot::open(make::terms())).entries.remove(0);
    let twice = forged(|entry| {
        let request_id = entry.request_id;
        *entry = create.clone();
        (entry.seq, entry.request_id) = (3, request_id);
        entry.at = make::at(START + 2 * MINUTE);
    });
    assert_one(
        "created twice",
        &twice,
        &now,
        (Check::NotAcceptable, Some(3)),
    );
}
