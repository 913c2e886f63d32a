//! What people see on a terminal of 80 and of 160 columns: kept as snapshots, in
//! `tests/fixtures/snapshots`; and that bars and colours leave nothing where they do not belong.

use crate::support::cli::{Desk, masking, words};
use crate::support::screen::Terminal;

const TITLE: &str = "Steinway Model D concert grand piano, 1962, ebonised, rebuilt 2019 with a new \
                     soundboard and pinblock";

/// Auctions as they are: an id as `create` gives one, long titles, every status.
fn market() -> Desk {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for (id, end) in [(1, "01"), (2, "02"), (3, "03"), (4, "04")] {
        desk.past_auction(&store, id, &format!("2026-01-03T{end}:00:00Z"));
    }
    desk.past_reserve(&store, 5, "2026-01-03T05:00:00Z");
    for (id, bidder, max) in [(1, "ann", 20_000), (1, "bob", 15_000), (5, "ann", 20_000)] {
        desk.past_bid(&store, id, bidder, max);
    }
    desk.past_cancel(&store, 4);
    clock.set("2026-01-03T12:00:00Z".parse().unwrap());
    for id in [1, 2, 5] {
        desk.past_close(&store, id);
    }
    let soft = "--soft-close-window 2m --soft-close-cap 2099-12-07T03:00Z";
    for (id, title, more) in [
        ("7731", TITLE, "--start-price 1000 --reserve 5000"),
        (
            "900719925474099",
            "東京の古い時計 とても珍しい一品です",
            "--start-price 25000 --steps 500 --currency JPY",
        ),
    ] {
        desk.ok(&format!(
            "create --id {id} --seller alice --title '{title}' {more} {soft} \
             --starts-at 2026-01-01T00:00Z --ends-at 2099-12-06T03:00Z"
        ));
    }
    desk.ok("bid 7731 --bidder ann --max 12000");
    desk.ok("bid 7731 --bidder bob --max 7000");
    desk
}

/// Lines that change nothing, so that they can be shown at every width.
const LINES: [&str; 16] = [
    "list",
    "list --status open",
    "show 7731 1",
    "history 7731",
    "mine --bidder ann",
    "doctor",
    "replay",
    "bid 7731 --bidder cid --max 8000 --dry-run",
    "bid 7731 --bidder cid --max 1",
    "bid 7731 --bidder cid --max 1e3",
    "bid 7731 --bidder cid",
    "show 9",
    "create --file lots.csv",
    "create --file absent.csv",
    "list --database-url mysql://host/db",
    "list --database-url sqlite:absent.db",
];

fn kept(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../fixtures/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"[0-9]+ bytes", "[bytes]");
    settings.add_filter(r"(sqlite +ok +)[0-9.]+", "${1}[version]");
    settings.add_filter(r"/[^ ]*/home/data", "[folder]");
    settings.bind(|| masking(|| insta::assert_snapshot!(name, text)));
}

#[test]
fn results_errors_and_refusals_read_well_at_both_widths() {
    let desk = market();
    desk.write(
        "lots.csv",
        "seller,title,start_price,ends_at\nalice,T,\"1,000\",2099-01-01T00:00Z\n",
    );
    for columns in [80, 160] {
        let mut text = String::new();
        for line in LINES {
            let shown = Terminal::of(columns).run(&desk, line);
            let code = match shown.code {
                0 => String::new(),
                code => format!("[exit {code}]\n"),
            };
            text.push_str(&format!("$ gavel {line}\n{}{code}", shown.screen()));
        }
        kept(&format!("results_{columns}"), &text);
    }
}

#[test]
fn help_reads_well_at_both_widths() {
    let desk = Desk::bare();
    for columns in [80, 160] {
        let mut text = String::new();
        for line in ["--help", "create -h", "bid --help"] {
            let shown = Terminal::of(columns).run(&desk, line);
            text.push_str(&format!("$ gavel {line}\n{}\n", shown.screen()));
        }
        kept(&format!("help_{columns}"), &text);
    }
}

/// The names that `gavel --help` lists.
fn commands(desk: &Desk) -> Vec<String> {
    let help = desk.ok("--help");
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| !line.starts_with(' '));
    names
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_help_is_wider_than_the_terminal_and_no_example_is_broken() {
    let desk = Desk::bare();
    let names = commands(&desk);
    assert!(names.len() > 15, "{names:?}");
    let examples = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.ends_with("xamples:"));
        lines
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    };
    for name in names.iter().filter(|name| *name != "help") {
        let help = |columns: &str| {
            let output = desk.command(&[name, "-h"]).env("COLUMNS", columns).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        let (narrow, wide) = (help("80"), help("200"));
        // Usage is one line, whatever its length.
        for line in narrow.lines().filter(|line| !line.starts_with("Usage: ")) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        assert!(!examples(&narrow).is_empty(), "{name} has no example");
        assert_eq!(examples(&narrow), examples(&wide), "{name}");
    }
}

/// Rows of plain letters are never wider than the terminal: a title gives way, or stands below.
#[test]
fn a_row_is_a_line_on_a_terminal_and_whole_elsewhere() {
    let desk = market();
    for columns in [80, 100, 160] {
        for line in ["list --status open", "mine --bidder ann", "list"] {
            let screen = Terminal::of(columns).run(&desk, line).screen();
            for row in screen.lines().filter(|row| row.is_ascii()) {
                assert!(row.len() <= usize::from(columns), "{columns}: {row}");
            }
            assert!(!screen.contains(TITLE), "{columns}: {screen}");
            assert!(screen.contains("Steinway M"), "{columns}: {screen}");
        }
    }
    let output = desk
        .command(&["list"])
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    let piped = String::from_utf8(output.stdout).unwrap();
    assert!(
        piped.contains(TITLE) && !piped.contains('\u{1b}'),
        "{piped}"
    );
}

/// A bar is drawn while something lasts, and nothing of it is left: neither behind what was done
/// nor before an error.
#[test]
fn bars_are_drawn_and_leave_nothing_behind() {
    let desk = Desk::ready();
    let rows: String = (1..=3_000)
        .map(|id| format!("{id},alice,Lot {id},5,2099-01-01T00:00Z\n"))
        .collect();
    let header = "id,seller,title,start_price,ends_at\n";
    desk.write("lots.csv", format!("{header}{rows}"));
    desk.write(
        "bad.csv",
        format!("{header}{}1,a,T,x,2099-01-01T00:00Z\n", &rows[..80_000]),
    );
    desk.write(
        "more.csv",
        format!("{header}{rows}9001,a,T,x,2099-01-01T00:00Z\n"),
    );
    let bids: String = (1..=1_500).map(|id| format!("{id},ann,50\n")).collect();
    desk.write("bids.csv", format!("auction_id,bidder,maximum\n{bids}"));
    let terminal = Terminal::of(80);
    for (line, bar, lines) in [
        ("create --file bad.csv", "checking [", 3),
        ("create --file lots.csv", "creating [", 3_002),
        ("create --file more.csv --skip-bad", "creating [", 3_003),
        ("bid --file bids.csv", "bidding [", 1_502),
        ("export out", "exporting [", 3),
        ("replay", "replaying [", 1),
        ("import out", "verifying [", 2),
    ] {
        let shown = terminal.run(&desk, line);
        assert!(shown.raw.contains(bar), "{line}: no bar");
        let screen = shown.screen();
        assert!(!screen.contains('['), "{line}: {screen}");
        assert!(!screen.contains('%'), "{line}: {screen}");
        assert_eq!(screen.lines().count(), lines, "{line}: {screen}");
        for option in ["--quiet", "--no-progress"] {
            let shown = terminal.run(&desk, &format!("{line} --dry-run {option}"));
            assert!(!shown.raw.contains(bar), "{line} {option}");
        }
    }
    // A list is its own progress where it is seen.
    let shown = terminal.run(&desk, "list");
    assert!(!shown.raw.contains("listing"), "{}", &shown.raw[..200]);
    assert_eq!(shown.screen().lines().count(), 3_002);
}

#[test]
fn colours_are_for_terminals_that_want_them_and_change_no_word() {
    let desk = market();
    desk.write("lots.csv", "seller\nalice\n");
    let plain = Terminal::of(100);
    let coloured = Terminal {
        colours: true,
        ..plain
    };
    let lines = LINES.iter().copied().filter(|line| *line != "doctor");
    for line in lines.chain(["--help", "help bid", "nonsense"]) {
        let (bare, styled) = (plain.run(&desk, line), coloured.run(&desk, line));
        assert!(!bare.is_styled(), "{line}: {:?}", bare.raw);
        assert!(styled.is_styled(), "{line}: {:?}", styled.raw);
        // Instants and ids that are fresh are left out.
        let words = |shown: String| -> Vec<String> {
            let words = shown.split_whitespace();
            let kept = words.filter(|word| !word.starts_with("20") && word.len() < 30);
            kept.map(str::to_owned).collect()
        };
        assert_eq!(words(bare.screen()), words(styled.screen()), "{line}");
        let never = coloured.run(&desk, &format!("{line} --color never"));
        let by_clap = ["--help", "help bid", "nonsense", "bid 7731 --bidder cid"];
        assert!(!never.is_styled() || by_clap.contains(&line), "{line}");
        // In a pipe there are none, and no bars, whether or not they are wanted.
        let mut command = desk.command(&self::words(line));
        let output = command.env_remove("NO_COLOR").output().unwrap();
        let all = [output.stdout, output.stderr].concat();
        assert!(!all.contains(&0x1b) && !all.contains(&b'\r'), "{line}");
    }
}
