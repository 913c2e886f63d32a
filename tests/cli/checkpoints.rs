//! keygen, checkpoint, verify, prove, verify-proof, and replay held against what was kept.

use crate::support::cli::Desk;

/// Auctions 1 and 2 have ended, 3 is open until 2099.
fn desk() -> Desk {
    let desk = Desk::ready();
    let (store, clock) = desk.store_at("2026-01-02T00:00:00Z");
    for id in [1, 2] {
        desk.past_auction(&store, id, "2026-01-03T00:00:00Z");
    }
    desk.past_auction(&store, 3, "2099-01-03T00:00:00Z");
    desk.past_bid(&store, 1, "ann", 50_000);
    clock.set("2026-01-03T00:00:01Z".parse().unwrap());
    desk.past_close(&store, 1);
    desk.past_close(&store, 2);
    desk
}

/// With a key, a checkpoint, its leaves and a proof of auction 1.
fn kept() -> Desk {
    let desk = desk();
    desk.ok("keygen desk.key");
    desk.ok("checkpoint --key desk.key --out may.note --leaves may.csv");
    desk.ok("prove 1 --note may.note --out 1.tlog-proof");
    desk
}

fn read(desk: &Desk, name: &str) -> String {
    std::fs::read_to_string(desk.path(name)).unwrap()
}

#[track_caller]
fn refused(desk: &Desk, line: &str, code: i32, words: &str) {
    let said = desk.run(line);
    assert_eq!(said.code, code, "{line}: {}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains(words), "{line}: {}", said.stderr);
}

#[test]
fn a_key_is_private_and_replaced_only_when_that_is_asked_for() {
    let desk = desk();
    let said = desk.ok("keygen desk.key");
    let (private, public) = (read(&desk, "desk.key"), read(&desk, "desk.key.pub"));
    assert!(private.starts_with("PRIVATE+KEY+gavel/"), "{public}");
    assert!(said.contains(public.trim()));
    assert!(!said.contains("PRIVATE"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |name| {
            std::fs::metadata(desk.path(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("desk.key") & 0o777, 0o600);
    }
    refused(&desk, "keygen desk.key", 2, "is there already");
    assert_eq!(read(&desk, "desk.key"), private);
    std::fs::rename(desk.path("desk.key"), desk.path("old.key")).unwrap();
    refused(&desk, "keygen desk.key", 2, "desk.key.pub is there already");
    assert!(!desk.path("desk.key").exists());
    desk.ok("keygen desk.key --overwrite");
    assert_ne!(read(&desk, "desk.key.pub"), public);
    // A name of one's own needs no database.
    desk.ok("keygen own.key --origin example.org/auctions --database-url sqlite:none.db");
    assert!(read(&desk, "own.key.pub").starts_with("example.org/auctions+"));
    refused(
        &desk,
        "keygen x.key --origin 'two words'",
        2,
        "without spaces",
    );
    refused(&desk, "keygen none/x.key", 1, "there is no folder");
}

#[test]
fn a_checkpoint_is_signed_verified_and_continued() {
    let desk = kept();
    let note = read(&desk, "may.note");
    let lines: Vec<&str> = note.lines().collect();
    assert!(lines[0].starts_with("gavel/") && lines[1] == "2");
    assert!(lines[3].starts_with("cut 20") && lines[4].is_empty());
    let said = desk.ok("verify may.note --key desk.key.pub");
    assert!(said.contains("verified: a checkpoint of 2 auctions that ended before"));
    let key = read(&desk, "desk.key.pub");
    desk.ok(&format!("verify may.note --key {key}"));
    let piped = desk.run_with("verify - --key desk.key.pub", note.as_bytes());
    assert_eq!(piped.code, 0);
    assert_eq!(read(&desk, "may.csv").lines().count(), 3);

    // Without --out the note itself is printed, and nothing else.
    let said = desk.run("checkpoint --key desk.key --previous may.note");
    desk.write("june.note", &said.stdout);
    assert!(said.stderr.contains("checkpoint of 2 auctions"));
    desk.ok("verify june.note --key desk.key.pub");

    // Refused: signed by another, changed, no note, no key.
    desk.ok("keygen other.key");
    refused(
        &desk,
        "verify may.note --key other.key.pub",
        4,
        "is not signed by",
    );
    desk.write("changed.note", note.replacen("\n2\n", "\n3\n", 1));
    refused(
        &desk,
        "verify changed.note --key desk.key.pub",
        4,
        "does not belong to its text",
    );
    refused(
        &desk,
        "verify may.csv --key desk.key.pub",
        2,
        "may.csv: this is no signed note",
    );
    refused(
        &desk,
        "verify none.note --key desk.key.pub",
        2,
        "cannot read none.note",
    );
    refused(
        &desk,
        "verify may.note --key nonsense",
        2,
        "--key: this is no verifier key",
    );
    refused(
        &desk,
        "checkpoint --key desk.key.pub",
        2,
        "this is no signer key",
    );
    let line = "checkpoint --key other.key --previous may.note";
    refused(&desk, line, 4, "is no previous checkpoint of this key");
    // A key of another record, unless the record goes by its name.
    desk.ok("keygen own.key --origin example.org/auctions");
    refused(
        &desk,
        "checkpoint --key own.key",
        2,
        "the key is of example.org/auctions",
    );
    desk.ok("checkpoint --key own.key --origin example.org/auctions");
    let line = "checkpoint --key desk.key --until 2098-01-01T00:00Z";
    refused(&desk, line, 2, "is settled until");
    let until = "checkpoint --key desk.key --until 2026-01-03T00:00:01Z --format json";
    assert!(desk.ok(until).contains("\"size\":0"));
}

#[test]
fn a_proof_is_verified_without_the_database() {
    let desk = kept();
    let proof = read(&desk, "1.tlog-proof");
    assert_eq!(desk.ok("prove 1 --note may.note"), proof);
    desk.ok("export folder");
    assert_eq!(desk.ok("prove 1 --note may.note --from folder"), proof);
    std::fs::remove_file(desk.database()).unwrap();
    let line = "verify-proof 1.tlog-proof --key desk.key.pub";
    let said = desk.ok(line);
    assert!(
        said.starts_with("verified: auction 1 had ended before"),
        "{said}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&desk.ok(&format!("{line} --format json"))).unwrap();
    let head = json["head"].as_str().unwrap();
    let other = head.replace(|c: char| c.is_ascii_digit(), "a");
    desk.write(
        "event.json",
        format!("{{\"data\":{{\"auction_id\":1,\"ledger_head\":\"{head}\"}}}}"),
    );
    desk.write(
        "forged.json",
        format!("{{\"auction_id\":1,\"ledger_head\":\"{other}\"}}"),
    );
    desk.write(
        "two.json",
        format!("{{\"auction_id\":2,\"ledger_head\":\"{head}\"}}"),
    );
    desk.write("bid.json", "{\"auction_id\":1}");
    desk.ok(&format!(
        "{line} --auction 1 --event event.json --head {head}"
    ));
    desk.ok(&format!("{line} --event folder/outbox.csv"));
    for (more, code, words) in [
        ("--auction 2", 4, "is of auction 1, not of 2"),
        ("--event forged.json", 4, "the head that was kept is"),
        ("--event two.json", 4, "the event is not of auction 1"),
        ("--event bid.json", 2, "tells of no head"),
        ("--event may.note", 2, "this is no list of kept heads"),
        ("--head abc", 2, "64 hexadecimal digits"),
    ] {
        refused(&desk, &format!("{line} {more}"), code, words);
    }
    desk.write("spoiled", proof.replacen("index 0", "index 1", 1));
    refused(
        &desk,
        "verify-proof spoiled --key desk.key.pub",
        4,
        "does not show that auction 1",
    );
    refused(
        &desk,
        "verify-proof may.note --key desk.key.pub",
        2,
        "no proof of a checkpoint",
    );
}

#[test]
fn what_is_not_in_a_checkpoint_is_not_proved() {
    let desk = kept();
    refused(
        &desk,
        "prove 3 --note may.note",
        3,
        "auction 3 is not in this checkpoint (not-covered)",
    );
    refused(
        &desk,
        "prove 9 --note may.note",
        3,
        "there is no such auction",
    );
    super::audit::tamper(
        &desk,
        "update auctions set head = zeroblob(32) where auction_id = 2",
    );
    refused(
        &desk,
        "prove 1 --note may.note",
        4,
        "is not the one that the checkpoint was taken of",
    );
}

#[test]
fn a_replay_names_what_a_checkpoint_or_an_event_proves() {
    let desk = kept();
    desk.ok("export folder");
    let against = "replay --against may.note --key desk.key.pub";
    let whole = format!("{against} --leaves may.csv --kept folder/outbox.csv");
    let said = desk.run(&whole);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("clean by 31 checks"),
        "{}",
        said.stdout
    );
    assert!(
        said.stderr
            .contains("held against a checkpoint of 2 auctions")
    );
    assert!(said.stderr.contains("held against 2 kept heads"));
    assert!(desk.ok("replay").contains("clean by 29 checks"));
    desk.ok(&format!("{whole} --from folder"));

    // The head stands alone here; `checkpoint::forged` rewrites the whole auction.
    super::audit::tamper(
        &desk,
        "update auctions set head = zeroblob(32) where auction_id = 2",
    );
    let checks = |line: &str| {
        let said = desk.run(&format!("{line} --format csv --quiet"));
        assert_eq!(said.code, 4, "{line}: {}", said.stderr);
        let rows = said.stdout.lines().skip(1);
        let place = |row: &str| row.split(',').take(3).collect::<Vec<_>>().join(",");
        rows.map(place).collect::<Vec<_>>()
    };
    assert_eq!(checks("replay"), ["2,1,head"]);
    assert_eq!(checks(against), ["2,1,head", ",,checkpoint"]);
    let all = ["2,1,head", "2,,checkpoint", "2,,kept-head"];
    assert_eq!(checks(&whole), all);
    assert_eq!(checks(&format!("{whole} --findings 2")), all[..2]);
    let said = desk.run(&whole);
    assert!(
        said.stdout.contains("3 findings in 1 auction"),
        "{}",
        said.stdout
    );
    let said = desk.run("replay 1 --kept folder/outbox.csv");
    assert_eq!(said.code, 4);
    assert!(
        said.stdout.contains("auction 2: kept-head"),
        "{}",
        said.stdout
    );

    refused(&desk, "replay --against may.note", 2, "--key");
    refused(&desk, &format!("{against} 1"), 2, "cannot be used with");
    refused(
        &desk,
        &format!("{against} --leaves may.note"),
        2,
        "this is no list of leaves",
    );
    let leaves = read(&desk, "may.csv");
    let line = leaves.lines().nth(1).unwrap();
    desk.write("some.csv", format!("index,auction_id,head\n{line}\n"));
    refused(
        &desk,
        &format!("{against} --leaves some.csv"),
        4,
        "not those of the checkpoint",
    );
    refused(
        &desk,
        "replay --kept may.note",
        2,
        "this is no list of kept heads",
    );
    refused(
        &desk,
        "replay --explain 1 --kept may.note",
        2,
        "cannot be used with",
    );
}
