//! How the view looks at several sizes: kept as snapshots in `tests/fixtures/snapshots`.

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

use super::Scene;
use crate::auction::{Amount, AuctionId, Currency, Micros, Shards};
use crate::store::{Backlog, OutboxBacklog};
use crate::top::{Lag, Next, Pace, Reading, Second};

const NOW: i64 = 1_796_526_000_000_000;

fn at(us: i64) -> Micros {
    Micros::new(NOW + us).unwrap()
}

/// In the middle of 7 p.m.: the closes came up and went down, some were late.
fn busy() -> Reading {
    let seconds: Vec<Second> = (0..60)
        .map(|second: u64| Second {
            closed: 1_600 * second.min(60 - second) / 30,
            lag_max_us: (!second.is_multiple_of(7)).then_some(2_000 + second * second * 10),
        })
        .collect();
    let title = "Steinway Model D concert grand piano, 1962, ebonised, with a new soundboard";
    let ending = (1..=40).map(|number: i64| Next {
        auction_id: AuctionId::new(7_700 + number * number * number).unwrap(),
        title: format!("{title} {number}"),
        end: at((number - 1) * 1_500_000),
        currency: Currency::from_code("USD").unwrap(),
        price: (number > 2).then(|| Amount::new(number * 12_345).unwrap()),
        bids: (number - 2).max(0),
    });
    Reading {
        at: at(0),
        due: Backlog {
            due: 31,
            oldest_end: Some(at(-5_200_000)),
        },
        outbox: OutboxBacklog {
            pending: 48_000,
            oldest: Some(at(-61_000_000)),
        },
        pace: Pace {
            closed: seconds.iter().map(|second| second.closed).sum(),
            seconds,
            lag: Some(Lag {
                p50_us: 4_321,
                p99_us: 39_000,
                max_us: 1_250_000,
            }),
        },
        ending: ending.collect(),
    }
}

fn quiet() -> Reading {
    Reading {
        due: Backlog::default(),
        outbox: OutboxBacklog::default(),
        pace: Pace {
            seconds: vec![Second::default(); 60],
            closed: 0,
            lag: None,
        },
        ending: Vec::new(),
        ..busy()
    }
}

fn drawn(width: u16, height: u16, scene: &Scene<'_>) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| scene.draw(frame)).unwrap();
    terminal
}

fn scene(reading: &Reading) -> Scene<'_> {
    Scene {
        database: "postgres://olga@db.example/auctions",
        shards: Shards::ALL,
        reading,
        now: at(400_000),
        trouble: None,
        coloured: false,
    }
}

fn look(width: u16, height: u16, reading: &Reading) -> String {
    drawn(width, height, &scene(reading)).backend().to_string()
}

/// Among the other snapshots of what people see.
fn kept(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../tests/fixtures/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn at_80_by_24_everything_has_its_place() {
    kept("top_80x24", &look(80, 24, &busy()));
}

#[test]
fn a_large_terminal_has_the_charts_side_by_side() {
    kept("top_132x40", &look(132, 40, &busy()));
}

#[test]
fn at_120_by_40_there_is_room_for_more_auctions() {
    kept("top_120x40", &look(120, 40, &busy()));
}

#[test]
fn a_small_terminal_has_the_figures_first() {
    kept("top_48x11", &look(48, 11, &busy()));
}

#[test]
fn nothing_at_all_is_told_as_that() {
    kept("top_80x24_quiet", &look(80, 24, &quiet()));
}

#[test]
fn a_database_that_went_away_is_told_above_what_was_read_last() {
    let reading = busy();
    let trouble = Some("the database cannot be reached; trying again");
    let scene = Scene {
        trouble,
        ..scene(&reading)
    };
    let lines = drawn(80, 24, &scene).backend().to_string();
    let lines: Vec<&str> = lines.lines().take(4).collect();
    kept("top_trouble", &lines.join("\n"));
}

#[test]
fn no_size_is_too_small_or_too_large() {
    let (busy, quiet) = (busy(), quiet());
    for width in [0, 1, 2, 5, 20, 49, 59, 60, 79, 123, 124, 400] {
        for height in (0..30).chain([100, 300]) {
            drawn(width, height, &scene(&busy));
            drawn(width, height, &scene(&quiet));
        }
    }
}

#[test]
fn colours_say_how_it_stands_and_only_where_they_are_wanted() {
    let reading = busy();
    let colours = |coloured| -> Vec<Color> {
        let scene = Scene {
            coloured,
            ..scene(&reading)
        };
        let terminal = drawn(80, 24, &scene);
        let cells = terminal.backend().buffer().content();
        cells.iter().map(|cell| cell.fg).collect()
    };
    assert!(colours(true).contains(&Color::Yellow));
    assert!(colours(false).iter().all(|colour| *colour == Color::Reset));
}
