//! What a run of generated load gave, for programs: everything as one JSON object, the replay in it
//! as `gavel replay` tells it, or the seconds as CSV.

use serde::Serialize;

use crate::burst::{BidFigures, BurstReport, CloseFigures, Fault, Percentiles, Second, Shortfall};
use crate::ledger::ReplayReport;
use crate::output::record::record;
use crate::output::units;
use crate::store::Setting;

/// A run.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct BurstView {
    scenario: &'static str,
    run: u32,
    first_auction_id: i64,
    last_auction_id: i64,
    seed: u64,
    auctions: u64,
    opening_bids: u64,
    connections: u32,
    /// `batch`, `claim` or `external`.
    closer: &'static str,
    look_ahead: Option<bool>,
    /// What was asked for, a second; none: as fast as it goes.
    rate: Option<u32>,
    warm_up_s: u32,
    measured_s: u32,
    began_at: String,
    /// Every answer, result and event is as it had to be.
    right: bool,
    shortfalls: Vec<Shortfall>,
    bids_planned: u64,
    bids_offered: u64,
    bids_answered: u64,
    bids_accepted: u64,
    bids_refused: Vec<RefusedLine>,
    bids_retried: u64,
    /// Answers a second, in thousandths.
    bids_rate_milli: u64,
    /// From the intended instant to the answer.
    latency_count: u64,
    latency_p50_us: i64,
    latency_p90_us: i64,
    latency_p99_us: i64,
    latency_p999_us: i64,
    latency_max_us: i64,
    latency_curve: Vec<CurveLine>,
    /// From the sending to the answer.
    service_count: u64,
    service_p50_us: i64,
    service_p90_us: i64,
    service_p99_us: i64,
    service_p999_us: i64,
    service_max_us: i64,
    service_curve: Vec<CurveLine>,
    auctions_ended: u64,
    auctions_closed: u64,
    /// Closes a second, in thousandths.
    closes_rate_milli: u64,
    /// From the end in force to the closing.
    lag_count: u64,
    lag_p50_us: i64,
    lag_p90_us: i64,
    lag_p99_us: i64,
    lag_p999_us: i64,
    lag_max_us: i64,
    lag_curve: Vec<CurveLine>,
    /// From the end in force to when the run's closer knew that the closing is durable.
    durable_count: u64,
    durable_p50_us: i64,
    durable_p90_us: i64,
    durable_p99_us: i64,
    durable_p999_us: i64,
    durable_max_us: i64,
    durable_curve: Vec<CurveLine>,
    bids_checked: u64,
    auctions_checked: u64,
    faults: u64,
    faults_listed: Vec<Fault>,
    /// As `gavel replay` tells it.
    replay: ReplayReport,
    probe_round_trip_us: i64,
    probe_bid_us: i64,
    probe_bid_p99_us: i64,
    probe_flush_us: i64,
    settings: Vec<SettingLine>,
    seconds: Vec<SecondLine>,
}

record! {
    /// Bids refused for one reason.
    pub(crate) struct RefusedLine {
        code: &'static str,
        count: u64,
    }
}

record! {
    /// A point of a distribution: so many of all are at most this long.
    pub(crate) struct CurveLine {
        /// Thousandths of a percent.
        percent_milli: u32,
        us: i64,
    }
}

record! {
    /// How the database is set up.
    pub(crate) struct SettingLine {
        name: String,
        value: String,
    }
}

record! {
    /// A second of the run.
    pub(crate) struct SecondLine {
        /// From the start of the load.
        second: i64,
        bids_offered: u64,
        bids_answered: u64,
        latency_p50_us: i64,
        latency_p99_us: i64,
        latency_max_us: i64,
        ends: u64,
        closes: u64,
        lag_p50_us: i64,
        lag_p99_us: i64,
        lag_max_us: i64,
    }
}

impl From<&BurstReport> for BurstView {
    fn from(report: &BurstReport) -> Self {
        let BidFigures {
            latency, service, ..
        } = &report.bids;
        let CloseFigures { lag, durable, .. } = &report.closes;
        Self {
            scenario: report.scenario.as_str(),
            run: report.run,
            first_auction_id: report.first.get(),
            last_auction_id: report.last.get(),
            seed: report.seed,
            auctions: report.auctions,
            opening_bids: report.opening_bids,
            connections: report.connections,
            closer: report.closer,
            look_ahead: report.look_ahead,
            rate: report.rate,
            warm_up_s: report.warm_up_s,
            measured_s: report.measured_s,
            began_at: units::utc(report.began),
            right: report.is_right(),
            shortfalls: report.shortfalls.clone(),
            bids_planned: report.bids.planned,
            bids_offered: report.bids.offered,
            bids_answered: report.bids.answered,
            bids_accepted: report.bids.accepted,
            bids_refused: report.bids.refused.iter().map(refused).collect(),
            bids_retried: report.bids.retried,
            bids_rate_milli: report.bids.rate_milli,
            latency_count: latency.count,
            latency_p50_us: latency.p50_us,
            latency_p90_us: latency.p90_us,
            latency_p99_us: latency.p99_us,
            latency_p999_us: latency.p999_us,
            latency_max_us: latency.max_us,
            latency_curve: curve(latency),
            service_count: service.count,
            service_p50_us: service.p50_us,
            service_p90_us: service.p90_us,
            service_p99_us: service.p99_us,
            service_p999_us: service.p999_us,
            service_max_us: service.max_us,
            service_curve: curve(service),
            auctions_ended: report.closes.ended,
            auctions_closed: report.closes.closed,
            closes_rate_milli: report.closes.rate_milli,
            lag_count: lag.count,
            lag_p50_us: lag.p50_us,
            lag_p90_us: lag.p90_us,
            lag_p99_us: lag.p99_us,
            lag_p999_us: lag.p999_us,
            lag_max_us: lag.max_us,
            lag_curve: curve(lag),
            durable_count: durable.count,
            durable_p50_us: durable.p50_us,
            durable_p90_us: durable.p90_us,
            durable_p99_us: durable.p99_us,
            durable_p999_us: durable.p999_us,
            durable_max_us: durable.max_us,
            durable_curve: curve(durable),
            bids_checked: report.checks.bids,
            auctions_checked: report.checks.auctions,
            faults: report.checks.faults,
            faults_listed: report.checks.listed.clone(),
            replay: report.checks.replay.clone(),
            probe_round_trip_us: report.probe.round_trip_us,
            probe_bid_us: report.probe.bid_us,
            probe_bid_p99_us: report.probe.bid_p99_us,
            probe_flush_us: report.probe.flush_us(),
            settings: report.settings.iter().map(SettingLine::from).collect(),
            seconds: second_lines(report),
        }
    }
}

/// The rows of the CSV file.
pub(crate) fn second_lines(report: &BurstReport) -> Vec<SecondLine> {
    report.seconds.iter().map(SecondLine::from).collect()
}

fn refused((code, count): &(&'static str, u64)) -> RefusedLine {
    RefusedLine {
        code,
        count: *count,
    }
}

fn curve(of: &Percentiles) -> Vec<CurveLine> {
    let point = |(percent_milli, us): &(u32, i64)| CurveLine {
        percent_milli: *percent_milli,
        us: *us,
    };
    of.curve.iter().map(point).collect()
}

impl From<&Setting> for SettingLine {
    fn from(setting: &Setting) -> Self {
        Self {
            name: setting.name.clone(),
            value: setting.value.clone(),
        }
    }
}

impl From<&Second> for SecondLine {
    fn from(of: &Second) -> Self {
        Self {
            second: of.second,
            bids_offered: of.bids_offered,
            bids_answered: of.bids_answered,
            latency_p50_us: of.latency_p50_us,
            latency_p99_us: of.latency_p99_us,
            latency_max_us: of.latency_max_us,
            ends: of.ends,
            closes: of.closes,
            lag_p50_us: of.lag_p50_us,
            lag_p99_us: of.lag_p99_us,
            lag_max_us: of.lag_max_us,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::output::csv;
    use crate::output::views::burst_sample;

    /// Holds a value against the part of JSON Schema that the kept schema uses.
    fn check(schema: &Value, value: &Value, at: &str) {
        let found = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let allowed = &schema["type"];
        let one_of = allowed
            .as_array()
            .is_some_and(|all| all.contains(&json!(found)));
        assert!(
            one_of || allowed == found,
            "{at}: {found} instead of {allowed}"
        );
        if let Some(words) = schema["enum"].as_array() {
            assert!(words.contains(value), "{at}: {value}");
        }
        for item in value.as_array().into_iter().flatten() {
            check(&schema["items"], item, at);
        }
        if let (Some(object), Some(properties)) =
            (value.as_object(), schema["properties"].as_object())
        {
            let keys: Vec<&String> = object.keys().collect();
            assert_eq!(keys, properties.keys().collect::<Vec<_>>(), "{at}");
            assert_eq!(
                schema["required"].as_array().unwrap().len(),
                keys.len(),
                "{at}"
            );
            for (key, value) in object {
                check(&properties[key], value, key);
            }
        }
    }

    #[test]
    fn json_is_what_the_schema_says() {
        let schema = include_str!("../../../tests/fixtures/schemas/burst.json");
        let schema: Value = serde_json::from_str(schema).unwrap();
        for report in [
            burst_sample::rich(),
            burst_sample::wrong(),
            burst_sample::empty(),
        ] {
            let value = serde_json::to_value(BurstView::from(&report)).unwrap();
            check(&schema, &value, "the report");
        }
    }

    #[test]
    fn json_tells_everything_of_the_run() {
        let value = serde_json::to_value(BurstView::from(&burst_sample::wrong())).unwrap();
        assert_eq!(value["began_at"], "2026-12-06T03:00:00.250000Z");
        assert_eq!(value["right"], false);
        assert_eq!(
            value["bids_refused"][1],
            json!({"code": "ended", "count": 4_186})
        );
        assert_eq!(value["probe_flush_us"], 592);
        assert_eq!(value["replay"]["listed"][0]["check"], "price");
        assert_eq!(value["seconds"].as_array().unwrap().len(), 62);
        assert_eq!(value["latency_curve"][0]["percent_milli"], 0);
        let last = value["latency_curve"].as_array().unwrap().last().unwrap();
        assert_eq!(
            last,
            &json!({"percent_milli": 100_000, "us": value["latency_max_us"]})
        );
    }

    #[test]
    fn csv_has_a_row_a_second() {
        let mut out = Vec::new();
        csv::write_header::<SecondLine>(&mut out).unwrap();
        for line in second_lines(&burst_sample::rich()).iter().take(1) {
            csv::write(&mut out, line, false).unwrap();
        }
        let expected = "\
second,bids_offered,bids_answered,latency_p50_us,latency_p99_us,latency_max_us,ends,closes,lag_p50_us,lag_p99_us,lag_max_us
0,960,959,630,4431,8326,1600,1606,3098,6226,12630
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
