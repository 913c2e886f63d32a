//! The manual pages and completion scripts in `man/` are what the binary writes.
//!
//! With `GAVEL_REGENERATE=1` the test writes them instead of comparing.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::cli::Desk;

const SHELLS: [(&str, &str); 3] = [
    ("bash", "gavel.bash"),
    ("zsh", "_gavel"),
    ("fish", "gavel.fish"),
];

#[test]
fn manual_pages_and_completions_are_up_to_date() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    let desk = Desk::bare();
    desk.ok("man --output man");
    fs::create_dir_all(desk.path("man/completions")).unwrap();
    for (shell, file) in SHELLS {
        desk.write(
            &format!("man/completions/{file}"),
            desk.ok(&format!("completions {shell}")),
        );
    }
    let fresh = contents(&desk.path("man"));
    if std::env::var_os("GAVEL_REGENERATE").is_some() {
        if kept.exists() {
            fs::remove_dir_all(&kept).unwrap();
        }
        fs::create_dir_all(kept.join("completions")).unwrap();
        for (name, text) in &fresh {
            fs::write(kept.join(name), text).unwrap();
        }
        return;
    }
    let stored = contents(&kept);
    let names = |files: &BTreeMap<PathBuf, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&stored), names(&fresh), "run with GAVEL_REGENERATE=1");
    for (name, text) in &fresh {
        assert!(
            stored[name] == *text,
            "{} differs: run with GAVEL_REGENERATE=1",
            name.display()
        );
    }
}

#[test]
fn a_page_can_be_printed() {
    let desk = Desk::bare();
    assert!(desk.ok("man").contains("gavel"));
    assert!(desk.ok("man bid").contains("\\-\\-bidder"));
    assert_eq!(desk.run("man nonsense").code, 2);
}

#[test]
fn every_page_says_how_it_ends_what_it_reads_and_where_to_read_on() {
    let desk = Desk::bare();
    desk.ok("man --output man");
    let pages = contents(&desk.path("man"));
    assert!(pages.len() > 20, "{}", pages.len());
    for (name, text) in &pages {
        let name = name.to_str().unwrap();
        let mut sections = vec!["EXIT STATUS", "ENVIRONMENT", "SEE ALSO"];
        if name != "gavel.1" {
            sections.insert(0, "EXAMPLES");
        }
        let mut rest = text.as_str();
        for section in sections {
            let heading = format!("\n.SH \"{section}\"\n");
            let (_, after) = rest
                .split_once(&heading)
                .unwrap_or_else(|| panic!("{name}: {section}"));
            rest = after;
        }
        assert!(
            text.contains("DATABASE_URL") && text.contains("130"),
            "{name}"
        );
        // What is left is the last section.
        for page in rest.split("\\fB").skip(1) {
            let page = page.split("\\fR(1)").next().unwrap().replace('\\', "");
            assert!(
                pages.contains_key(Path::new(&format!("{page}.1"))),
                "{name}: {page}"
            );
        }
    }
    let read = [
        ("gavel-amend.1", "GAVEL_ACTOR"),
        ("gavel.1", "XDG_DATA_HOME"),
        ("gavel-list.1", "COLUMNS"),
        ("gavel-list.1", "NO_COLOR"),
        ("gavel-replay.1", "hash\\-chain"),
    ];
    for (page, words) in read {
        assert!(pages[Path::new(page)].contains(words), "{page}: {words}");
    }
}

/// Shells that are not installed are not asked: the kept script is then all there is.
#[test]
fn completion_scripts_are_ones_that_their_shell_reads() {
    let desk = Desk::bare();
    for (shell, file) in SHELLS {
        desk.write(file, desk.ok(&format!("completions {shell}")));
        let checked = Command::new(shell).arg("-n").arg(desk.path(file)).output();
        match checked {
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(
                    output.status.success() && said.is_empty(),
                    "{shell}: {said}"
                );
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                assert_ne!(shell, "bash", "the tests need bash");
            }
            Err(error) => panic!("{shell}: {error}"),
        }
    }
}

/// What bash offers after a line, asked of the script itself. `compopt` works in a live completion
/// alone; for folders (`plusdirs`) its part is played here.
#[test]
fn words_and_files_are_completed_and_nothing_is_where_nothing_is_known() {
    let desk = Desk::bare();
    desk.write("gavel.bash", desk.ok("completions bash"));
    desk.write("lots.csv", "");
    std::fs::create_dir(desk.path("folder")).unwrap();
    let offered = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let script = format!(
            "compopt() {{ [ \"$2\" != plusdirs ] || COMPREPLY=($(compgen -d \"$cur\")); }}
             source gavel.bash
             COMP_WORDS=({}) COMP_CWORD={}
             _gavel gavel \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            quoted.join(" "),
            words.len() - 1,
        );
        let mut bash = Command::new("bash");
        bash.arg("-c").arg(script).current_dir(desk.path(""));
        let output = bash.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        said.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(offered("gavel create --own-raise "), ["keep", "reprice"]);
    assert_eq!(offered("gavel amend --soft-close-mode a"), ["add"]);
    let triggers = ["not-own-raise", "any", "leader-change"];
    assert_eq!(offered("gavel create --soft-close-trigger "), triggers);
    assert_eq!(offered("gavel create --steps "), ["ebay-us", "ebay-uk"]);
    assert_eq!(offered("gavel list --status cl"), ["closing", "closed"]);
    assert_eq!(offered("gavel list --format c"), ["csv"]);
    assert_eq!(offered("gavel create --file lo"), ["lots.csv"]);
    assert_eq!(offered("gavel replay --from fo"), ["folder"]);
    assert_eq!(offered("gavel create --title lo"), ["lo"]);
    assert_eq!(offered("gavel completions b"), ["bash"]);
    assert_eq!(offered("gavel close-"), ["close-sweep"]);
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for part in ["", "completions"] {
        let Ok(entries) = fs::read_dir(folder.join(part)) else {
            continue;
        };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let name = Path::new(part).join(entry.file_name());
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    files
}
