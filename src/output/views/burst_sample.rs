//! Reports for the tests of their views: a rich one, a wrong one, and one in which nothing happened.

use crate::auction::AuctionId;
use crate::burst::{
    BidFigures, BurstReport, Checks, CloseFigures, Fault, Percentiles, Probe, Scenario, Second,
    Shortfall,
};
use crate::ledger::{Check, CheckCount, Finding, ReplayReport};
use crate::store::Setting;

/// A minute of `seven-pm` as a small server might do it, all right.
pub(super) fn rich() -> BurstReport {
    BurstReport {
        scenario: Scenario::SevenPm,
        run: 12,
        first: id(1),
        last: id(99_200),
        seed: 42,
        auctions: 99_200,
        opening_bids: 198_400,
        connections: 16,
        closer: "batch",
        look_ahead: Some(true),
        rate: Some(1_600),
        warm_up_s: 2,
        measured_s: 60,
        began: "2026-12-06T03:00:00.250000Z".parse().unwrap(),
        settings: settings(),
        probe: Probe {
            round_trip_us: 92,
            bid_us: 684,
            bid_p99_us: 1_930,
        },
        bids: BidFigures {
            planned: 59_520,
            offered: 57_600,
            answered: 57_600,
            accepted: 48_211,
            refused: vec![("too-low", 5_203), ("ended", 4_186)],
            retried: 3,
            rate_milli: 959_874,
            latency: spread(57_600, 640, 5),
            service: spread(57_600, 590, 4),
        },
        closes: CloseFigures {
            ended: 96_000,
            closed: 96_000,
            rate_milli: 1_599_611,
            lag: spread(96_000, 2_900, 3),
            durable: spread(96_000, 4_100, 3),
        },
        seconds: (0..62).map(second).collect(),
        checks: Checks {
            bids: 59_520,
            auctions: 99_200,
            faults: 0,
            listed: Vec::new(),
            replay: replay(),
        },
        shortfalls: Vec::new(),
    }
}

/// The same with everything that can go wrong, and texts that want to be markup.
pub(super) fn wrong() -> BurstReport {
    let mut report = rich();
    report.shortfalls = vec![Shortfall {
        of: "bids",
        offered: 57_600,
        done: 51_003,
    }];
    report.checks.faults = 27;
    let fault = |n: i64| Fault {
        auction_id: id(n),
        kind: "lost-bid",
        what: format!("answered accepted at 41.50, <b>not</b> in the ledger & seq {n}"),
    };
    report.checks.listed = (1..=12).map(fault).collect();
    let replay = &mut report.checks.replay;
    replay.findings = 1;
    replay.auctions_with_findings = 1;
    replay.listed = vec![Finding {
        auction_id: Some(id(7).get()),
        seq: Some(3),
        check: Check::Price,
        expected: "41.50".to_owned(),
        found: "<script>alert(\"41\")</script>".to_owned(),
    }];
    for counted in &mut replay.checks {
        counted.findings = u64::from(counted.check == Check::Price);
    }
    report.settings.push(Setting {
        name: "cluster_name".to_owned(),
        value: "</style><img src=x onerror=\"alert(1)\">'&\u{202e}\u{7}".to_owned(),
    });
    report
}

/// A run in which nothing happened.
pub(super) fn empty() -> BurstReport {
    BurstReport {
        rate: None,
        closer: "external",
        look_ahead: None,
        settings: Vec::new(),
        probe: Probe::default(),
        bids: BidFigures::default(),
        closes: CloseFigures::default(),
        seconds: Vec::new(),
        checks: Checks {
            bids: 0,
            auctions: 0,
            faults: 0,
            listed: Vec::new(),
            replay: ReplayReport {
                auctions: 0,
                entries: 0,
                ..replay()
            },
        },
        ..rich()
    }
}

fn id(n: i64) -> AuctionId {
    AuctionId::new(AuctionId::BURST_MIN + 12_000_000 + n).unwrap()
}

/// Durations that grow towards the end: the median, and how steeply.
fn spread(count: u64, median_us: i64, steep: i64) -> Percentiles {
    let at = |thousandths: u32| -> i64 {
        let beyond = f64::from(100_001 - thousandths) / 100_000.0;
        let growth = (0.5 / beyond).log2() * 0.07 * steep as f64;
        (median_us as f64 * growth.exp() * (1.0 + 0.04 * (growth * 9.0).sin())) as i64
    };
    let mut curve: Vec<(u32, i64)> = Vec::new();
    let percents = (0..90).map(|p| p * 1_000);
    let nines = (90..99).flat_map(|p| [p * 1_000, p * 1_000 + 500]);
    let tail = (0..10).map(|p| 99_000 + p * 100);
    let end = [99_900, 99_950, 99_980, 99_990, 99_995, 99_998, 100_000];
    for percent in percents.chain(nines).chain(tail).chain(end) {
        let lowest = curve.last().map_or(0, |(_, us)| *us);
        curve.push((percent, at(percent).max(lowest)));
    }
    Percentiles {
        count,
        p50_us: at(50_000),
        p90_us: at(90_000),
        p99_us: at(99_000),
        p999_us: at(99_900),
        max_us: at(100_000),
        curve,
    }
}

/// A second with some noise; a checkpoint makes one of them slow.
fn second(second: i64) -> Second {
    let noise = |salt: i64, spread: i64| {
        let mix = |n: i64| (n ^ (n >> 29)).wrapping_mul(-7_046_029_254_386_353_131);
        mix(mix(second * 31 + salt)).rem_euclid(1_000) * spread / 1_000
    };
    let slow = match second {
        31 => 9,
        32 | 33 => 3,
        _ => 1,
    };
    Second {
        second,
        bids_offered: 960,
        bids_answered: u64::try_from(960 + noise(1, 9) - 4 - i64::from(slow == 9) * 180).unwrap(),
        latency_p50_us: 610 + noise(2, 90) * slow,
        latency_p99_us: (2_600 + noise(3, 1_900)) * slow,
        latency_max_us: (5_200 + noise(4, 9_800)) * slow,
        ends: 1_600,
        closes: u64::try_from(1_600 + noise(5, 15) - 7 - i64::from(slow == 9) * 240).unwrap(),
        lag_p50_us: 2_700 + noise(6, 500) * slow,
        lag_p99_us: (5_900 + noise(7, 2_400)) * slow,
        lag_max_us: (8_100 + noise(8, 6_000)) * slow,
    }
}

fn settings() -> Vec<Setting> {
    let settings = [
        ("autovacuum", "on"),
        ("checkpoint_timeout", "5min"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("max_connections", "100"),
        ("max_wal_size", "1GB"),
        ("server_version", "15.18 (Debian 15.18-0+deb12u1)"),
        ("shared_buffers", "128MB"),
        ("synchronous_commit", "on"),
        ("synchronous_standby_names", ""),
        ("wal_sync_method", "fdatasync"),
    ];
    let setting = |(name, value): (&str, &str)| Setting {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    settings.into_iter().map(setting).collect()
}

fn replay() -> ReplayReport {
    let checks = Check::ALL
        .into_iter()
        .filter(|check| !check.is_of_manifest() && !check.is_of_kept());
    ReplayReport {
        auctions: 99_200,
        entries: 345_811,
        looked_twice: 0,
        auctions_with_findings: 0,
        findings: 0,
        listed: Vec::new(),
        files_differ: Vec::new(),
        checks: checks
            .map(|check| CheckCount { check, findings: 0 })
            .collect(),
        not_possible: Vec::new(),
        secrets_visible: true,
        not_found: Vec::new(),
        now: "2026-12-06T03:01:09.000000Z".parse().unwrap(),
    }
}
