//! The manual pages and completion scripts in `man/` are what the binary writes.
//!
//! With `GAVEL_REGENERATE=1` the test writes them instead of comparing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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
