//! Create: its refusals, its entry, and the bounds of every field.

use gavel::auction::entry::ZERO;
use gavel::auction::steps::Rung;
use gavel::auction::{Book, Entry, Kind, Micros, Refusal, SoftClose, Span, StepTable, Terms};
use gavel::store::Reply;

use crate::support::make::{
    END, MINUTE, START, amount, at, create, id, party, request, soft_close, span, terms, usd,
};
use crate::support::model::Model;

fn judge(terms: Terms, now: i64) -> Result<Entry, Refusal> {
    Book::decide_create(&create(id(7731), request(1), terms), at(now))
}

fn invalid(terms: Terms) -> &'static str {
    match judge(terms, START) {
        Err(Refusal::InvalidTerms { field, .. }) => field,
        other => panic!("{other:?}"),
    }
}

fn soft(change: SoftClose) -> Terms {
    Terms {
        soft_close: Some(change),
        ..terms()
    }
}

#[test]
fn the_first_entry_carries_terms_and_no_standing() {
    let entry = judge(terms(), START - MINUTE).unwrap();
    assert_eq!((entry.seq, entry.kind), (1, Kind::Create));
    assert_eq!(entry.at, at(START - MINUTE));
    assert_eq!(entry.actor, party("operator"));
    assert_eq!((entry.price, entry.leader.clone()), (None, None));
    assert_eq!((entry.end, entry.flags()), (at(END), 0));
    assert_eq!((entry.secret, entry.commit), (None, ZERO));
    assert_eq!(entry.hash, entry.hash_after(&ZERO));
    assert_eq!(Book::open(&entry).unwrap().terms, terms());
}

#[test]
fn the_detail_is_this_text_without_the_reserve() {
    let entry = judge(
        Terms {
            title: "Bronze \"Hand\" — 青銅".to_owned(),
            reserve: Some(usd("4321.09")),
            steps: StepTable::flat(amount(250)),
            soft_close: Some(SoftClose {
                cap: Some(at(END + MINUTE)),
                ..soft_close()
            }),
            ..terms()
        },
        START,
    )
    .unwrap();
    let expected = format!(
        "{{\"seller\":\"seller\",\"title\":\"Bronze \\\"Hand\\\" — 青銅\",\"currency\":\"USD\",\
         \"exponent\":2,\"start_price\":1000,\
         \"steps\":{{\"name\":\"flat\",\"rungs\":[[1,250]]}},\"own_raise\":\"keep\",\
         \"soft_close\":{{\"window_us\":300000000,\"extend_by_us\":300000000,\"mode\":\"reset\",\
         \"trigger\":\"not-own-raise\",\"cap_us\":{}}},\"start_us\":{START},\"end_us\":{END}}}",
        END + MINUTE
    );
    assert_eq!(entry.detail, expected);
    assert!(!entry.detail.contains("432109"));
    let secret = entry.secret.unwrap();
    assert_eq!(
        (secret.amount, entry.commit),
        (usd("4321.09"), secret.commit())
    );
}

#[test]
fn the_end_must_lie_after_now_and_after_the_start() {
    let ending = |end: i64| Terms {
        end: at(end),
        ..terms()
    };
    for (end, now) in [
        (START - 1, START - MINUTE),
        (START, START - MINUTE),
        (END, END),
        (END, END + 1),
    ] {
        let refusal = judge(ending(end), now).unwrap_err();
        assert_eq!(refusal.code(), "invalid-end", "end {end} now {now}");
    }
    assert!(judge(ending(START + 1), START).is_ok());
    // Created after its start: legal, bids are taken at once.
    assert!(judge(terms(), END - 1).is_ok());
    let latest = Terms {
        end: Micros::MAX,
        ..terms()
    };
    assert!(judge(latest, START).is_ok());
}

#[test]
fn a_bad_end_is_named_before_bad_terms() {
    let both = Terms {
        title: String::new(),
        end: at(START),
        ..terms()
    };
    assert_eq!(judge(both, START).unwrap_err().code(), "invalid-end");
}

#[test]
fn titles_are_one_line_of_text() {
    let titled = |title: &str| Terms {
        title: title.to_owned(),
        ..terms()
    };
    for bad in [
        "",
        "   ",
        "\u{3000}",
        "a\0",
        "a\nb",
        "a\tb",
        "\u{85}x",
        &"x".repeat(16_385),
    ] {
        assert_eq!(invalid(titled(bad)), "title", "{bad:.20?}");
    }
    for good in [
        "x",
        " x ",
        "Stradivari „Ex-Thibaud“ 🎻",
        &"x".repeat(16_384),
    ] {
        assert!(judge(titled(good), START).is_ok(), "{good:.20?}");
    }
}

#[test]
fn the_first_threshold_must_not_exceed_the_start_price() {
    let from = |first: i64| Terms {
        steps: StepTable::new("custom", vec![Rung(amount(first), amount(5))]).unwrap(),
        ..terms()
    };
    assert!(judge(from(1000), START).is_ok());
    assert_eq!(invalid(from(1001)), "steps");
}

#[test]
fn soft_close_fits_the_auction() {
    let window = |us: i64| SoftClose {
        window: span(us),
        ..soft_close()
    };
    let cap = |us: i64| SoftClose {
        cap: Some(at(us)),
        ..soft_close()
    };
    assert!(judge(soft(window(END - START)), START).is_ok());
    assert_eq!(invalid(soft(window(END - START + 1))), "soft_close.window");
    assert!(judge(soft(cap(END)), START).is_ok());
    assert_eq!(invalid(soft(cap(END - 1))), "soft_close.cap");
}

#[test]
fn extensions_at_the_end_of_time_do_not_overflow() {
    let last = Micros::MAX.get();
    let mut model = Model::new(at(last - MINUTE));
    let terms = Terms {
        start: at(last - 10 * MINUTE),
        end: at(last - 1),
        soft_close: Some(SoftClose {
            extend_by: Span::new(Span::MAX).unwrap(),
            ..soft_close()
        }),
        ..terms()
    };
    assert!(matches!(
        model.create(&create(id(1), request(1), terms)),
        Reply::Done(_)
    ));
    let bid = crate::support::make::bid_of(
        id(1),
        request(2),
        "A",
        2000,
        crate::support::make::currency("USD"),
    );
    let Reply::Done(answer) = model.bid(&bid) else {
        panic!("refused");
    };
    assert_eq!((answer.end, answer.extended), (Micros::MAX, true));
}

#[test]
fn a_second_create_with_the_same_id_is_told_that_it_exists() {
    let mut model = Model::new(at(START));
    let first = create(id(1), request(1), terms());
    assert!(matches!(model.create(&first), Reply::Done(_)));
    let again = create(id(1), request(2), terms());
    let Reply::Refused { refusal, now } = model.create(&again) else {
        panic!("created twice");
    };
    assert_eq!((refusal, now), (Refusal::AuctionExists, at(START)));
}
