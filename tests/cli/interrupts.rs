//! A reader that goes away, and Ctrl-C.

use std::io::Read as _;
use std::process::{Command, Stdio};

use crate::support::cli::Desk;

fn long_list() -> Desk {
    let desk = Desk::ready();
    let mut rows = String::from("id,seller,title,start_price,ends_at\n");
    for id in 1..=3_000 {
        rows.push_str(&format!(
            "{id},seller,A lot with a fairly long title {id},5,2099-01-01T00:00Z\n"
        ));
    }
    desk.write("lots.csv", rows);
    assert_eq!(desk.run("create --file lots.csv --quiet").code, 0);
    desk
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let desk = long_list();
    for format in ["table", "json", "csv"] {
        let mut child = desk
            .command(&["list", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0; 64];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.as_str()),
            (Some(0), ""),
            "{format}"
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_even_while_the_input_is_silent() {
    let desk = Desk::ready();
    let pipe = desk.path("lots.csv");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut child = desk
        .command(&["create", "--file", "lots.csv"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Opening to write returns when the process has opened to read: now it waits for input.
    let silent = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted"), "{stderr}");
    drop(silent);
}
