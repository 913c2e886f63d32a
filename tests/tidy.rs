//! Keeps the source tree as the design draws it: reachable tests, one-way layers, small files
//! with a header.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A module at the top of `src`, and which of the others it may use.
const ARROWS: [(&str, &[&str]); 17] = [
    ("auction", &[]),
    ("clock", &["auction"]),
    ("shutdown", &[]),
    ("store", &["auction", "clock"]),
    ("closer", SERVICE),
    ("ledger", SERVICE),
    ("checkpoint", SERVICE),
    ("history", SERVICE),
    ("relay", SERVICE),
    ("burst", SERVICE),
    ("demo", SERVICE),
    ("watch", SERVICE),
    ("top", SERVICE),
    ("output", OUTPUT),
    ("cli", ANYTHING),
    ("lib", ANYTHING),
    ("main", ANYTHING),
];
const SERVICE: &[&str] = &[
    "auction",
    "clock",
    "shutdown",
    "store",
    "closer",
    "ledger",
    "checkpoint",
    "history",
    "relay",
    "burst",
    "demo",
    "watch",
    "top",
];
const OUTPUT: &[&str] = &[
    "auction",
    "clock",
    "store",
    "closer",
    "ledger",
    "checkpoint",
    "history",
    "relay",
    "burst",
    "demo",
    "watch",
    "top",
];
const ANYTHING: &[&str] = &[
    "auction",
    "clock",
    "shutdown",
    "store",
    "closer",
    "ledger",
    "checkpoint",
    "history",
    "relay",
    "burst",
    "demo",
    "watch",
    "top",
    "output",
    "cli",
];
const LINES_MAX: usize = 600;
const NAMES_TOO_VAGUE: [&str; 6] = ["common", "helpers", "manager", "misc", "types", "utils"];

#[test]
fn every_test_file_is_compiled() {
    let tests = root().join("tests");
    let mut reached = BTreeSet::from([tests.join("main.rs")]);
    let mut open = vec![(tests.join("main.rs"), tests.clone())];
    while let Some((file, folder)) = open.pop() {
        for name in modules_of(&read(&file)) {
            let flat = folder.join(format!("{name}.rs"));
            let nested = folder.join(&name).join("mod.rs");
            let found = if flat.exists() { flat } else { nested };
            assert!(found.exists(), "{}: mod {name} has no file", shown(&file));
            reached.insert(found.clone());
            open.push((found, folder.join(name)));
        }
    }
    let forgotten: Vec<_> = rust_files(&tests)
        .into_iter()
        .filter(|file| !reached.contains(file))
        .map(|file| shown(&file))
        .collect();
    assert!(forgotten.is_empty(), "no mod line reaches {forgotten:?}");
}

#[test]
fn layers_are_one_way() {
    let src = root().join("src");
    let mut breaches = Vec::new();
    for file in rust_files(&src) {
        let module = top_module(&src, &file);
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            breaches.push(format!("{} is in no layer", shown(&file)));
            continue;
        };
        for used in crate_paths(&read(&file)) {
            let known = ARROWS.iter().any(|(name, _)| *name == used);
            if known && used != module && !allowed.contains(&used.as_str()) {
                breaches.push(format!("{} uses {used}", shown(&file)));
            }
        }
    }
    assert!(breaches.is_empty(), "{breaches:#?}");
}

#[test]
fn a_breach_would_be_seen() {
    let text = "use crate::store::Reply;\nuse crate::{\n  auction::{Bid, Book},\n  output,\n};\n\
                // use crate::cli::Args;\nfn f() -> crate::closer::Report {}";
    let found: Vec<_> = crate_paths(text).into_iter().collect();
    assert_eq!(found, ["auction", "closer", "output", "store"]);
}

#[test]
fn source_files_are_small_and_open_with_a_header() {
    let mut faults = Vec::new();
    for file in rust_files(&root().join("src")) {
        let (text, name) = (read(&file), shown(&file));
        if !text.starts_with("//! ") {
            faults.push(format!("{name} does not open with //!"));
        }
        if text.lines().count() > LINES_MAX {
            faults.push(format!("{name} has more than {LINES_MAX} lines"));
        }
        let stem = file.file_stem().unwrap().to_str().unwrap();
        if NAMES_TOO_VAGUE.contains(&stem) {
            faults.push(format!("{name} does not say what it holds"));
        }
        if stem == "mod" && code(&text).any(|line| line.contains("fn ")) {
            faults.push(format!("{name} holds more than a header and re-exports"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shown(file: &Path) -> String {
    let short = file.strip_prefix(root()).unwrap_or(file);
    short.display().to_string()
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The lines that are not comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

/// The names of `mod x;` lines, whatever stands before `mod`. One whose `path` attribute names
/// its file lies elsewhere, and the compiler finds it.
fn modules_of(text: &str) -> Vec<String> {
    let mut elsewhere = false;
    let mut names = Vec::new();
    for line in code(text).map(str::trim) {
        elsewhere |= line.starts_with("#[path");
        let Some(item) = line.strip_suffix(';') else {
            continue;
        };
        let name = item.split_once("mod ").map_or("", |(_, name)| name);
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.is_empty() && name.chars().all(is_name) && !elsewhere {
            names.push(name.to_owned());
        }
        elsewhere = false;
    }
    names
}

fn top_module(src: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(src).unwrap();
    let first = inside.components().next().unwrap();
    let name = Path::new(first.as_os_str()).file_stem().unwrap();
    name.to_str().unwrap().to_owned()
}

/// The first segment of every path that begins with `crate::`, grouped imports included.
fn crate_paths(text: &str) -> BTreeSet<String> {
    let text = code(text).collect::<Vec<_>>().join("\n");
    let mut found = BTreeSet::new();
    for (at, start) in text.match_indices("crate::") {
        let rest = &text[at + start.len()..];
        match rest.strip_prefix('{') {
            None => found.insert(identifier(rest)),
            Some(group) => {
                found.extend(group_members(group));
                true
            }
        };
    }
    found
}

fn identifier(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect()
}

/// The first segments of `a::b, c::{d, e}, f}`.
fn group_members(group: &str) -> Vec<String> {
    let (mut depth, mut members, mut member) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => members.push(std::mem::take(&mut member)),
            _ if depth == 0 => member.push(c),
            _ => {}
        }
    }
    members.push(member);
    members
        .iter()
        .map(|member| identifier(member.trim()))
        .filter(|member| !member.is_empty())
        .collect()
}
