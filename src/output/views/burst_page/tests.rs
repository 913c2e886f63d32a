//! The page is whole, whatever the report: balanced, alone, with every text as a text.

use std::collections::BTreeMap;

use super::page;
use crate::burst::{BurstReport, Percentiles};
use crate::output::views::burst_sample::{empty, rich, wrong};

/// Elements that have no end.
const VOID: [&str; 2] = ["!DOCTYPE", "meta"];

/// Fails unless every element is closed in its turn; gives how often each was opened.
fn balanced(page: &str) -> BTreeMap<String, usize> {
    let (mut open, mut opened) = (Vec::new(), BTreeMap::new());
    for tag in page
        .split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').unwrap().0)
    {
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else {
            *opened.entry(name.to_owned()).or_default() += 1;
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            open.extend((!VOID.contains(&name)).then_some(name));
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    opened
}

/// Fails if the page is not whole, or is not alone.
fn whole(report: &BurstReport) -> String {
    let page = page(report);
    let opened = balanced(&page);
    for foreign in [
        "script", "link", "img", "image", "iframe", "object", "use", "a",
    ] {
        assert!(!opened.contains_key(foreign), "<{foreign}>");
    }
    for reference in [
        "http:", "https:", "//", "url(", "@import", " src=\"", " href=\"",
    ] {
        assert!(!page.contains(reference), "{reference}");
    }
    for broken in ["NaN", "inf,", "inf ", "\"inf", "-inf"] {
        assert!(!page.contains(broken), "{broken}");
    }
    page
}

#[test]
fn a_rich_run_has_every_plot_with_title_and_description() {
    let page = whole(&rich());
    let opened = balanced(&page);
    assert_eq!((opened["svg"], opened["desc"]), (5, 5));
    for id in ["percentiles", "latency", "lag", "bid-rate", "close-rate"] {
        for part in ["title", "desc"] {
            assert_eq!(
                page.matches(&format!(" id=\"{id}-{part}\"")).count(),
                1,
                "{id}"
            );
        }
    }
    assert!(page.contains("the longest of all, 119ms, in second 31."));
    assert!(page.contains("every answer, closing and entry is right"));
}

#[test]
fn texts_stay_texts() {
    let page = whole(&wrong()).replace("&quot;", "'");
    assert!(
        page.contains("&lt;/style&gt;&lt;img src=x onerror='alert(1)'&gt;'&amp;\u{fffd}\u{fffd}")
    );
    assert!(page.contains("found &lt;script&gt;alert('41')&lt;/script&gt;"));
    assert!(page.contains("Faults, the first 12 of 27"));
}

#[test]
fn what_there_was_none_of_is_said() {
    let page = whole(&empty());
    assert_eq!(balanced(&page).get("svg"), None);
    assert_eq!(page.matches("Nothing to show: ").count(), 5);
}

#[test]
fn one_second_one_close_and_no_bids() {
    let mut report = rich();
    (report.bids, report.warm_up_s) = (empty().bids, 0);
    report.seconds.truncate(1);
    let second = &mut report.seconds[0];
    (second.bids_offered, second.bids_answered) = (0, 0);
    (second.ends, second.closes) = (1, 1);
    report.closes.lag = Percentiles {
        count: 1,
        curve: vec![(100_000, 2_900)],
        ..Percentiles::default()
    };
    let page = whole(&report);
    assert_eq!(page.matches("Nothing to show: ").count(), 2);
    assert_eq!(balanced(&page)["svg"], 3);
    assert!(balanced(&page)["circle"] >= 5, "alone, a point is a dot");
}

#[test]
fn zero_and_endless_durations_have_a_place() {
    let mut report = rich();
    for second in &mut report.seconds {
        (second.lag_p50_us, second.lag_p99_us, second.lag_max_us) = (0, 0, 0);
        second.latency_max_us = i64::MAX;
    }
    report.bids.latency.curve = vec![(0, 0), (100_000, i64::MAX)];
    report.bids.latency.count = u64::MAX;
    report.closes.lag.curve.clear();
    whole(&report);
}

#[test]
fn seconds_that_are_missing_are_gaps() {
    let mut report = rich();
    report.seconds.remove(30);
    let page = whole(&report);
    let lag = page.split_once("id=\"lag-desc\"").unwrap().1;
    let path = lag
        .split_once("<path d=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0;
    assert_eq!(
        (path.matches('M').count(), path.matches('L').count()),
        (2, 59)
    );
}

/// For people: `GAVEL_PAGES=FOLDER cargo test --lib pages_to_look_at -- --ignored`.
#[test]
#[ignore = "writes pages to be looked at in a browser"]
fn pages_to_look_at() {
    let folder = std::path::PathBuf::from(std::env::var_os("GAVEL_PAGES").unwrap());
    let mut short = rich();
    short.seconds.truncate(1);
    let reports = [rich(), wrong(), empty(), short];
    for (name, report) in ["rich", "wrong", "empty", "short"].iter().zip(&reports) {
        std::fs::write(folder.join(format!("{name}.html")), page(report)).unwrap();
    }
}
