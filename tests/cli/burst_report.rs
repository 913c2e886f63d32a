//! What `gavel burst` tells of a run: JSON by its schema, and a page for a browser.

use serde_json::Value;

use super::schemas::{faults, kept};
use crate::support::cli::Desk;

#[test]
fn a_run_is_told_as_json_and_as_a_page() {
    let desk = Desk::ready();
    desk.write("war.html", "the page of an earlier run");
    let line = "burst bidding-war --bidders 3 --rounds 1 --cleanup --format json --html war.html";
    let report: Value = serde_json::from_str(&desk.ok(line)).unwrap();
    let faults = faults(&kept("burst"), &report);
    assert!(faults.is_empty(), "{faults:?}\n{report}");
    assert_eq!(
        (&report["right"], &report["bids_answered"]),
        (&true.into(), &3.into())
    );
    let page = std::fs::read_to_string(desk.path("war.html")).unwrap();
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"),
        "{page}"
    );
    let run = format!("<li>run <b>{}</b></li>", report["run"]);
    assert!(
        page.contains(&run) && page.contains("answered 3 of 3 offered"),
        "{page}"
    );
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_anything_is_played() {
    let desk = Desk::bare();
    for (file, why) in [
        ("none/page.html", "there is no folder none; make it first"),
        (".", "no plain file; name another"),
    ] {
        let said = desk.run(&format!("burst --html {file}"));
        assert_eq!(said.code, 2, "{}", said.stderr);
        let stated = format!("error: --html: cannot write {file}: ");
        assert!(
            said.stderr.starts_with(&stated) && said.stderr.contains(why),
            "{}",
            said.stderr
        );
    }
    assert!(!desk.database().exists());
}
