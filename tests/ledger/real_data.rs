//! Real bid histories through the example mappings, the rules and the audit of a folder.
//!
//! The histories are not part of the repository. These tests are ignored unless asked for:
//!
//!     GAVEL_REAL_DATA=FOLDER cargo test real_data -- --ignored
//!
//! FOLDER holds `ebay/bids.csv`, `maxsold/lots.csv` and `maxsold/bids.csv`.

use std::path::PathBuf;

use gavel::history::{self, Histories, Mapping, Source, What, Why};
use gavel::ledger::{Check, ReplayOptions, ReplayReport, replay_folder};
use gavel::store::Scope;

const EBAY: &str = include_str!("../../examples/maps/ebay.toml");
const MAXSOLD: &str = include_str!("../../examples/maps/maxsold.toml");

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

fn table(name: &str) -> Source {
    let folder = std::env::var_os("GAVEL_REAL_DATA").expect("GAVEL_REAL_DATA names the folder");
    let path = PathBuf::from(folder).join(name);
    Source {
        name: name.to_owned(),
        bytes: std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    }
}

fn read(map: &str, files: &[&str]) -> Histories {
    let mapping = Mapping::parse("map.toml", map).unwrap();
    let sources: Vec<Source> = files.iter().map(|name| table(name)).collect();
    let now = "2026-01-01T00:00:00Z".parse().unwrap();
    history::read(&mapping, &sources, now).unwrap()
}

/// Writes the folder and audits it from the files alone.
async fn audited(histories: &Histories) -> ReplayReport {
    let folder = tempfile::tempdir().unwrap();
    history::write(folder.path(), &histories.dossiers, false).unwrap();
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
    let histories = read(EBAY, &["ebay/bids.csv"]);
    let report = &histories.report;
    assert_eq!((report.auctions, report.with_bids), (251, 251));
    assert_eq!(
        (report.final_prices.recorded, report.final_prices.agree),
        (251, 238)
    );
    let entries: usize = histories.dossiers.iter().map(|it| it.entries.len()).sum();
    assert_eq!(
        entries - 251 + report.left_out.len(),
        4_318,
        "each bid is in or left out"
    );

    let differing: Vec<_> = report
        .differing
        .iter()
        .map(|it| {
            assert_eq!(it.what, What::FinalPrice);
            (
                it.auction_id,
                it.derived.as_deref(),
                it.recorded.as_deref(),
                it.why,
            )
        })
        .collect();
    let expected = EBAY_DIFFERING
        .map(|(id, derived, recorded, why)| (id, Some(derived), Some(recorded), Some(why)));
    assert_eq!(differing, expected);

    let refused = |code| {
        let rows = report.left_out.iter();
        let of_code = rows.filter(|it| it.refusal == Some(code));
        of_code.filter_map(|it| it.auction_id).collect::<Vec<_>>()
    };
    assert_eq!(
        refused("too-low"),
        [3_013_951_754, 3_013_951_754, 3_019_119_068]
    );
    assert_eq!(refused("not-above-own-maximum").len(), 33);
    assert_eq!(report.left_out.len(), 36);

    let report = audited(&histories).await;
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
    let histories = read(MAXSOLD, &["maxsold/lots.csv", "maxsold/bids.csv"]);
    let report = &histories.report;
    assert_eq!(
        report.differing,
        [],
        "ends, final prices, and prices after each bid"
    );
    assert_eq!(report.left_out, []);
    assert_eq!((report.auctions, report.with_bids), (77, 61));
    for (of, recorded) in [
        (report.ends, 77),
        (report.final_prices, 77),
        (report.prices, 263),
    ] {
        assert_eq!((of.recorded, of.agree), (recorded, recorded));
    }
    assert_eq!(
        (report.bids, report.automatic, report.raises),
        (263, 105, 2)
    );
    // An end that is derived right because nothing moves it would show little.
    assert_eq!(report.extended, 15);

    let report = audited(&histories).await;
    assert_eq!(report.listed, [], "row and event agree with the ledger");
    assert!(report.is_clean());
    assert_eq!(report.auctions, 77);
}
