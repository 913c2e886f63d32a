//! Every scenario, small: right, complete, and nothing of anybody else's touched.

use serde_json::Value;

use super::stage::{command, of_runs, played, stored};
use crate::closer::hall::{Hall, on_both};

on_both!(
    seven_pm_closes_every_auction_at_its_end,
    seven_pm_by_claims_without_look_ahead,
    a_hot_item_is_extended_and_sold,
    a_war_loses_no_bid,
    steady_bids_at_its_rate,
    as_many_bids_as_go,
    nothing_of_others_is_touched,
    a_rate_that_is_not_held_is_told,
    a_dry_run_makes_nothing,
    what_is_left_is_removed_by_number_or_all,
    the_same_seed_offers_the_same_bids,
);

async fn seven_pm_closes_every_auction_at_its_end(hall: Hall) {
    let line = "seven-pm --rate 60 --for 3s --warm-up 1s --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.number("auctions"), 4 * 60);
    assert_eq!(run.number("auctions_closed"), 3 * 60);
    assert_eq!(run.number("auctions_checked"), 4 * 60);
    // One in twenty is bid upon late, the first not before its end.
    assert_eq!(run.number("bids_checked"), 2 * 12 - 2);
    let refused = run.report["bids_refused"].as_array().unwrap();
    assert_eq!((refused.len(), &refused[0]["code"]), (1, &"ended".into()));
    assert_eq!(run.report["replay"]["auctions"], 4 * 60 + 1);
    assert_eq!(of_runs(&hall).await, 0);
}

async fn seven_pm_by_claims_without_look_ahead(hall: Hall) {
    let line = "seven-pm --rate 40 --for 2s --strategy claim --no-look-ahead --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.report["closer"], "claim");
    assert_eq!(run.report["look_ahead"], false);
    assert_eq!(run.number("lag_count"), 2 * 40);
    assert_eq!(run.number("durable_count"), 2 * 40);
    // A tick is a second: auctions wait for the next.
    assert!(run.number("lag_max_us") > 100_000, "{}", run.report);
}

async fn a_hot_item_is_extended_and_sold(hall: Hall) {
    let run = played(&hall, "hot-item --rate 60 --for 2s --cleanup").await;
    run.assert_right();
    assert_eq!(run.number("auctions"), 1);
    assert_eq!(run.number("durable_count"), 1);
    assert!(run.number("bids_accepted") > 20, "{}", run.report);
    // Ten seconds after the last bid that extended it.
    let seconds = run.report["seconds"].as_array().unwrap();
    let closed = seconds
        .iter()
        .position(|second| second["closes"] == 1)
        .unwrap();
    assert!((10..=13).contains(&closed), "closed in second {closed}");
}

async fn a_war_loses_no_bid(hall: Hall) {
    let line = "bidding-war --bidders 20 --rounds 3 --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.number("bids_answered"), 60);
    assert_eq!(run.number("bids_checked"), 60);
    let entries = run.report["replay"]["entries"].as_i64().unwrap();
    // Two creations and the bids of the probe beside those of the war.
    assert_eq!(entries, 2 + 45 + run.number("bids_accepted"));
}

async fn steady_bids_at_its_rate(hall: Hall) {
    let line = "steady --rate 100 --auctions 30 --for 2s --warm-up 1s --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.number("bids_planned"), 300);
    assert_eq!(run.number("bids_offered"), 200);
    assert_eq!(run.number("auctions_closed"), 30);
    let seconds = run.report["seconds"].as_array().unwrap();
    for second in &seconds[..3] {
        assert_eq!(second["bids_offered"], 100);
    }
}

async fn as_many_bids_as_go(hall: Hall) {
    let line = "hot-item --rate max --for 1s --cleanup --connections 4";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(run.report["rate"], Value::Null);
    assert!(run.number("bids_answered") > 50, "{}", run.report);
}

async fn nothing_of_others_is_touched(hall: Hall) {
    hall.overdue(3).await;
    let before = stored(&hall).await;
    let line = "seven-pm --rate 20 --for 1s --warm-up 0 --cleanup";
    let run = played(&hall, line).await;
    run.assert_right();
    assert_eq!(stored(&hall).await, before, "due before, due after");
}

async fn a_rate_that_is_not_held_is_told(hall: Hall) {
    let line = "steady --rate 60000 --auctions 5 --for 1s --warm-up 0 --connections 1";
    let run = played(&hall, &format!("{line} --require-rate --cleanup")).await;
    assert_eq!(run.code, 4, "{}", run.said);
    assert_eq!(run.report["right"], true, "{}", run.report);
    assert_eq!(run.report["shortfalls"][0]["of"], "bids");
    assert_eq!(run.report["shortfalls"][0]["offered"], 60_000);
    let done = run.report["shortfalls"][0]["done"].as_i64().unwrap();
    assert!(done < 59_400, "{done}");
    // Every bid was answered all the same, late.
    assert_eq!(run.number("bids_answered"), 60_000);
}

async fn a_dry_run_makes_nothing(hall: Hall) {
    let output = command(&hall, "burst --dry-run").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("99200 auctions would be made"), "{said}");
    assert_eq!(of_runs(&hall).await, 0);
}

async fn what_is_left_is_removed_by_number_or_all(hall: Hall) {
    hall.lots(1, |_| 86_400_000).await;
    let before = stored(&hall).await;
    let mut runs = Vec::new();
    for _ in 0..3 {
        let run = played(&hall, "seven-pm --rate 5 --for 1s --warm-up 0").await;
        run.assert_right();
        runs.push(run.number("run"));
        assert!(
            run.said
                .contains(&format!("gavel burst --remove {}", runs[runs.len() - 1])),
            "{}",
            run.said
        );
    }
    assert_eq!(of_runs(&hall).await, 3 * 6);
    let remove = |which: &str| {
        let output = command(&hall, &format!("burst --remove {which}")).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = remove(&format!("{} --dry-run", runs[0]));
    assert!(said.contains("6 auctions, would be removed"), "{said}");
    assert_eq!(of_runs(&hall).await, 3 * 6);
    let said = remove(&runs[0].to_string());
    assert!(said.contains("6 auctions"), "{said}");
    assert_eq!(of_runs(&hall).await, 2 * 6);
    let said = remove(&runs[0].to_string());
    assert!(said.contains("has left nothing"), "{said}");
    remove("all");
    assert_eq!(stored(&hall).await, before);
    assert!(remove("all").contains("no run has left anything"));
}

async fn the_same_seed_offers_the_same_bids(hall: Hall) {
    let mut ledgers = Vec::new();
    for seed in [1, 1, 2] {
        let line = "bidding-war --bidders 1 --rounds 2 --connections 1 --seed";
        let run = played(&hall, &format!("{line} {seed}")).await;
        run.assert_right();
        let first = run.number("first_auction_id");
        let all = stored(&hall).await;
        let lot = all.iter().find(|dossier| dossier.auction_id == first);
        let bids = lot.unwrap().entries.iter();
        let maxima: Vec<_> = bids
            .filter_map(|entry| entry.secret.map(|s| s.amount))
            .collect();
        ledgers.push(maxima);
    }
    assert_eq!(ledgers[0].len(), 2);
    assert_eq!(ledgers[0], ledgers[1]);
    assert_ne!(ledgers[0], ledgers[2]);
}
