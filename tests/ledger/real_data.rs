//! Real bid histories through the rules and the audit of a folder.
//!
//! The histories are not part of the repository. These tests are ignored unless asked for:
//!
//!     GAVEL_REAL_DATA=FOLDER cargo test real_data -- --ignored
//!
//! FOLDER holds `ebay/bids.csv`, `maxsold/lots.csv` and `maxsold/bids.csv`.
#![allow(
    clippy::duplicate_mod,
    reason = "each example takes in the file they share"
)]

use std::fs::File;
use std::path::PathBuf;

use gavel::auction::Currency;
use gavel::ledger::{Check, ReplayOptions, ReplayReport, replay_folder};
use gavel::store::Scope;

#[path = "../../examples/ebay_history.rs"]
#[allow(dead_code, reason = "main and its report belong to the example")]
mod ebay_history;
#[path = "../../examples/maxsold_history.rs"]
#[allow(dead_code, reason = "main and its report belong to the example")]
mod maxsold_history;

use ebay_history::Why;

/// The auctions whose recorded price is not what the rules give, as `examples/README.md` lists
/// them: derived and recorded.
const EBAY_DIFFERING: [(i64, &str, &str, Why); 13] = [
    (1_638_844_284, "227.50", "500.00", Why::ReserveMet),
    (1_644_077_790, "580.01", "1400.00", Why::ReserveMet),
    (1_645_594_382, "257.50", "500.00", Why::ReserveMet),
    (1_647_329_406, "810.00", "1000.00", Why::ReserveMet),
    (1_649_718_196, "1726.00", "1799.00", Why::ReserveMet),
    (1_649_848_613, "920.00", "1100.00", Why::ReserveMet),
    (1_650_515_990, "510.00", "850.00", Why::ReserveMet),
    (3_015_053_455, "225.00", "260.00", Why::ReserveMet),
    (3_016_587_753, "0.01", "255.00", Why::BidsMissing),
    (3_020_159_852, "205.00", "225.00", Why::ReserveMet),
    (3_021_870_696, "187.50", "240.00", Why::ReserveMet),
    (3_023_898_379, "212.50", "240.00", Why::ReserveMet),
    (8_212_190_120, "12.99", "28.00", Why::UnnamedBidders),
];

fn table(name: &str) -> File {
    let folder = std::env::var_os("GAVEL_REAL_DATA").expect("GAVEL_REAL_DATA names the folder");
    let path = PathBuf::from(folder).join(name);
    File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Writes the folder and audits it from the files alone.
async fn audited(write: impl FnOnce(&std::path::Path)) -> ReplayReport {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    replay_folder(
        folder.path(),
        &Scope::All,
        &ReplayOptions::default(),
        |_| {},
    )
    .await
    .unwrap()
}

#[tokio::test]
#[ignore = "needs the folder that GAVEL_REAL_DATA names"]
async fn ebay_prices_are_what_the_rules_give_in_238_of_251_auctions() {
    let histories = ebay_history::convert(table("ebay/bids.csv")).unwrap();
    assert_eq!(histories.dossiers.len(), 251);
    let entries: usize = histories.dossiers.iter().map(|it| it.entries.len()).sum();
    assert_eq!(
        entries - 251 + histories.left_out.len(),
        4_318,
        "each bid is in or left out"
    );

    let usd = Currency::from_code("USD").unwrap();
    let told = |price| usd.format(price);
    let differing: Vec<_> = histories
        .differing
        .iter()
        .map(|it| {
            (
                it.auction_id,
                it.derived.map(told),
                told(it.recorded),
                it.why,
            )
        })
        .collect();
    let expected = EBAY_DIFFERING
        .map(|(id, derived, recorded, why)| (id, Some(derived.into()), recorded.into(), why));
    assert_eq!(differing, expected);

    let refused = |code| {
        let of_code = histories
            .left_out
            .iter()
            .filter(|it| it.refusal.code() == code);
        of_code.map(|it| it.auction_id).collect::<Vec<_>>()
    };
    assert_eq!(
        refused("too-low"),
        [3_013_951_754, 3_013_951_754, 3_019_119_068]
    );
    assert_eq!(refused("not-above-own-maximum").len(), 33);
    assert_eq!(histories.left_out.len(), 36);

    let report = audited(|folder| ebay_history::write(folder, &histories).unwrap()).await;
    let found: Vec<_> = report
        .listed
        .iter()
        .map(|finding| (finding.check, finding.auction_id))
        .collect();
    let expected = EBAY_DIFFERING.map(|(id, ..)| (Check::FinalPrice, Some(id)));
    assert_eq!(found, expected);
    assert_eq!(report.auctions, 251);
}

#[tokio::test]
#[ignore = "needs the folder that GAVEL_REAL_DATA names"]
async fn maxsold_ends_are_what_the_rules_give_to_the_second() {
    let sale =
        maxsold_history::convert(table("maxsold/lots.csv"), table("maxsold/bids.csv")).unwrap();
    assert_eq!(sale.differing, [], "ends, and prices after each bid");
    assert_eq!((sale.dossiers.len(), sale.with_history), (77, 61));
    assert_eq!((sale.bids, sale.answers), (263, 105));
    // An end that is derived right because nothing moves it would show little.
    assert_eq!(sale.extended, 15);

    let report = audited(|folder| maxsold_history::write(folder, &sale).unwrap()).await;
    assert_eq!(report.listed, [], "row and event agree with the ledger");
    assert!(report.is_clean());
    assert_eq!(report.auctions, 77);
}
