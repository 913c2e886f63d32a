//! A record is written anew by the rules, hashes, heads and events included: no audit can see it,
//! and whoever kept a checkpoint, its leaves or one event proves it.

use std::sync::Arc;

use gavel::auction::operator::Deed;
use gavel::auction::{Digest, Micros};
use gavel::checkpoint::{
    Checkpoint, CheckpointError, Differences, Kept, KeptHead, LEAVES_HEADER, Leaves, Mismatch,
    Proof, Proved, Record, Request, SignedNote, SignerKey, compare, compare_kept, leaves_line,
    prove, take,
};
use gavel::ledger::bundle::{ExportOptions, Form, export};
use gavel::ledger::{Check, ReplayOptions, replay_folder};
use gavel::store::{Contract, Dossier, Scope};

use crate::support::audit::findings;
use crate::support::backend::{Backend, Sqlite, on_every_backend};
use crate::support::drive::{accepted, clock, closed, done, dossier, opened, row};
use crate::support::make::{END, SECOND, START, at, id, terms};
use crate::support::superuser::{erase, restore};

on_every_backend!(
    a_forged_auction_is_told_by_whatever_was_kept,
    what_is_gone_added_or_moved_is_named,
    a_checkpoint_continues_the_one_before,
    a_folder_gives_the_same_tree,
);

/// Auctions 1 to 5, sold one after the other, 4 withdrawn; ben's maximum in the third as stated.
async fn play<B: Backend>(backend: &B, ben: i64) {
    clock(backend, START).await;
    for number in 1..=5 {
        opened(backend, number, terms()).await;
    }
    clock(backend, START + SECOND).await;
    for number in 1..=5 {
        accepted(backend, number, 2, "ann", 5_000).await;
    }
    accepted(backend, 3, 3, "ben", ben).await;
    done(backend, 4, 4, Deed::Cancel).await;
    for number in [3, 1, 5, 2] {
        clock(backend, END + number * SECOND).await;
        closed(backend, number).await;
    }
    clock(backend, END + 9 * SECOND).await;
}

fn key() -> SignerKey {
    SignerKey::new("example.org/auctions", [7; 32]).unwrap()
}

fn request(previous: Option<&Checkpoint>) -> Request<'_> {
    Request {
        origin: key().name().to_owned(),
        until: None,
        previous,
    }
}

/// What an outsider keeps.
struct Outsider {
    note: SignedNote,
    checkpoint: Checkpoint,
    leaves: Leaves,
    proof: Proof,
    kept: Vec<KeptHead>,
}

async fn keep<B: Backend>(backend: &B) -> Outsider {
    let record = Record::Store(backend.store());
    let mut list = LEAVES_HEADER.to_owned();
    let taken = take(&record, request(None), |index, leaf| {
        list.push_str(&leaves_line(index, leaf));
        Ok(())
    });
    let taken = taken.await.unwrap();
    let note = SignedNote::sign(taken.to_text(), &key());
    let checkpoint = Checkpoint::verified(&note, &key().verifier()).unwrap();
    assert_eq!(checkpoint, taken);
    let proof = match prove(&record, note.clone(), id(3)).await.unwrap() {
        Proved::Proof(proof) => *proof,
        other => panic!("{other:?}"),
    };
    let head = hex::encode(row(backend, 3).await.head);
    let event = format!("{{\"data\":{{\"auction_id\":3,\"ledger_head\":\"{head}\"}}}}");
    Outsider {
        note,
        checkpoint,
        leaves: Leaves::parse(list.as_bytes()).unwrap(),
        proof,
        kept: Kept::parse(event.as_bytes()).unwrap().heads,
    }
}

impl Outsider {
    async fn compared<S: Contract>(&self, record: &Record<'_, S>) -> [Differences; 3] {
        let leaves = Some(&self.leaves);
        [
            compare(record, &self.checkpoint, None, 9).await.unwrap(),
            compare(record, &self.checkpoint, leaves, 9).await.unwrap(),
            compare_kept(record, &self.kept, 9).await.unwrap(),
        ]
    }
}

async fn a_forged_auction_is_told_by_whatever_was_kept<B: Backend>(backend: Arc<B>) {
    play(&*backend, 4_000).await;
    let outsider = keep(&*backend).await;
    let record = Record::Store(backend.store());
    assert_eq!(outsider.checkpoint.size, 5);
    assert_eq!(outsider.checkpoint.cut, at(END + 9 * SECOND));
    for same in outsider.compared(&record).await {
        assert_eq!(same, Differences::default());
    }
    let honest = row(&*backend, 3).await.head;

    // The same auction, as if ben had been ready to pay less.
    let elsewhere = Sqlite::fresh().await;
    play(&elsewhere, 2_000).await;
    erase(&*backend, 3).await;
    restore(&*backend, vec![dossier(&elsewhere, 3).await]).await;
    let forged = row(&*backend, 3).await.head;
    assert_ne!(honest, forged);
    assert_eq!(findings(backend.store()).await, []);

    let [tree, named, kept] = outsider.compared(&record).await;
    assert!(
        matches!(tree.listed[..], [Mismatch::Tree { expected, found }]
            if expected.0 == 5 && found.0 == 5 && expected.1 != found.1),
        "{tree:?}"
    );
    assert_eq!(tree.listed[0].finding().check, Check::Checkpoint);
    let changed = Mismatch::Changed {
        auction_id: id(3),
        expected: honest,
        found: forged,
    };
    assert_eq!((named.total, &named.listed[..]), (1, &[changed][..]));
    let other = Mismatch::KeptHead {
        auction_id: id(3),
        expected: honest,
        found: Some(forged),
    };
    assert_eq!(kept.listed, [other]);
    let finding = kept.listed[0].finding();
    assert_eq!(
        (finding.auction_id, finding.check),
        (Some(3), Check::KeptHead)
    );

    // No proof can be made of it any more; the one that was made holds, for what was.
    let refused = prove(&record, outsider.note.clone(), id(3)).await;
    assert!(
        matches!(refused, Err(CheckpointError::Differs(_))),
        "{refused:?}"
    );
    outsider.proof.verify(&key().verifier()).unwrap();
    assert_eq!(outsider.proof.leaf.head, honest);
    let refused = take(&record, request(Some(&outsider.checkpoint)), |_, _| Ok(())).await;
    assert!(
        matches!(refused, Err(CheckpointError::Differs(_))),
        "{refused:?}"
    );
}

async fn what_is_gone_added_or_moved_is_named<B: Backend>(backend: Arc<B>) {
    play(&*backend, 4_000).await;
    let outsider = keep(&*backend).await;
    let record = Record::Store(backend.store());
    let before = dossier(&*backend, 1).await;
    let head = |dossier: &Dossier| -> Digest { dossier.row.as_ref().unwrap().head };
    erase(&*backend, 1).await;
    let gone = Mismatch::Gone {
        auction_id: id(1),
        expected: head(&before),
    };
    let [tree, named, _] = outsider.compared(&record).await;
    assert!(matches!(
        tree.listed[..],
        [Mismatch::Tree { found: (4, _), .. }]
    ));
    assert_eq!(named.listed, [gone]);
    let refused = take(&record, request(Some(&outsider.checkpoint)), |_, _| Ok(())).await;
    let why = refused.unwrap_err().to_string();
    assert!(why.contains("has 4 ended auctions"), "{why}");

    // Back, but closed at another time: the heads are all there, in another order.
    let mut moved = before.clone();
    let late = at(END + 8 * SECOND);
    moved.row.as_mut().unwrap().closed_at = Some(late);
    moved.events[0].closed_at = late;
    restore(&*backend, vec![moved]).await;
    let [tree, named, _] = outsider.compared(&record).await;
    assert_eq!(tree.total, 1);
    // 4, 1, 2, 3, 5 has become 4, 2, 3, 5, 1.
    let expected = Mismatch::Moved {
        auction_id: id(2),
        expected: 2,
        found: 1,
    };
    assert_eq!(named.listed, [expected]);

    // One more that is said to have ended before the cut.
    erase(&*backend, 1).await;
    restore(&*backend, vec![before]).await;
    for same in outsider.compared(&record).await {
        assert_eq!(same, Differences::default());
    }
    let elsewhere = Sqlite::fresh().await;
    opened(&elsewhere, 6, terms()).await;
    clock(&elsewhere, END + 4 * SECOND).await;
    closed(&elsewhere, 6).await;
    let added = dossier(&elsewhere, 6).await;
    let new = head(&added);
    restore(&*backend, vec![added]).await;
    let [_, named, kept] = outsider.compared(&record).await;
    let expected = Mismatch::Added {
        auction_id: id(6),
        found: new,
    };
    assert_eq!((named.listed, kept.total), (vec![expected], 0));
    // All are counted, and as many listed as there is room for.
    erase(&*backend, 1).await;
    erase(&*backend, 2).await;
    let leaves = Some(&outsider.leaves);
    let found = compare(&record, &outsider.checkpoint, leaves, 2)
        .await
        .unwrap();
    assert_eq!((found.total, found.listed.len()), (3, 2));
    // A kept head of an auction that is not there, or has not ended.
    erase(&*backend, 3).await;
    let found = compare_kept(&record, &outsider.kept, 9).await.unwrap();
    assert!(matches!(
        found.listed[..],
        [Mismatch::KeptHead { found: None, .. }]
    ));
    // Leaves of another checkpoint are of no use.
    let other = Checkpoint {
        size: 4,
        ..outsider.checkpoint.clone()
    };
    let refused = compare(&record, &other, leaves, 9).await;
    assert!(
        matches!(refused, Err(CheckpointError::NotVerified(_))),
        "{refused:?}"
    );
}

async fn a_checkpoint_continues_the_one_before<B: Backend>(backend: Arc<B>) {
    let record = Record::Store(backend.store());
    let empty = take(&record, request(None), |_, _| Ok(())).await.unwrap();
    assert_eq!(empty.size, 0);
    play(&*backend, 4_000).await;
    let first = keep(&*backend).await;
    opened(&*backend, 6, terms_ending(END + 60 * SECOND)).await;
    let again = take(&record, request(Some(&first.checkpoint)), |_, _| Ok(())).await;
    assert_eq!(again.unwrap(), first.checkpoint);
    clock(&*backend, END + 60 * SECOND).await;
    closed(&*backend, 6).await;
    clock(&*backend, END + 61 * SECOND).await;
    for earlier in [&empty, &first.checkpoint] {
        let next = take(&record, request(Some(earlier)), |_, _| Ok(()))
            .await
            .unwrap();
        assert_eq!((next.size, next.cut), (6, at(END + 61 * SECOND)));
    }
    // What came later is not in the earlier one, and the record still is what it was.
    for same in first.compared(&record).await {
        assert_eq!(same, Differences::default());
    }
    for number in [6, 7] {
        let proved = prove(&record, first.note.clone(), id(number))
            .await
            .unwrap();
        assert_eq!(proved, Proved::NotCovered(first.checkpoint.clone()));
    }
    // Until an instant of one's own, but not one that is not settled.
    let until = |us| Request {
        until: Some(at(us)),
        ..request(None)
    };
    let some = take(&record, until(END + 2 * SECOND), |_, _| Ok(()))
        .await
        .unwrap();
    assert_eq!((some.size, some.cut), (2, at(END + 2 * SECOND)));
    for refused in [
        take(&record, until(END + 62 * SECOND), |_, _| Ok(())).await,
        take(
            &record,
            Request {
                until: Some(at(END)),
                ..request(Some(&first.checkpoint))
            },
            |_, _| Ok(()),
        )
        .await,
        take(
            &record,
            Request {
                origin: "example.org/other".to_owned(),
                ..request(Some(&first.checkpoint))
            },
            |_, _| Ok(()),
        )
        .await,
    ] {
        assert!(
            matches!(refused, Err(CheckpointError::Input(_))),
            "{refused:?}"
        );
    }
}

fn terms_ending(us: i64) -> gavel::auction::Terms {
    gavel::auction::Terms {
        end: at(us),
        ..terms()
    }
}

async fn a_folder_gives_the_same_tree<B: Backend>(backend: Arc<B>) {
    play(&*backend, 4_000).await;
    let outsider = keep(&*backend).await;
    let work = tempfile::tempdir().unwrap();
    for (public, form) in [
        (false, Form::Csv),
        (true, Form::Csv),
        (false, Form::Parquet),
        (true, Form::Parquet),
    ] {
        let folder = work.path().join(format!("{form:?}-{public}"));
        let options = ExportOptions {
            public,
            form,
            ..ExportOptions::default()
        };
        let exported = export(backend.store(), &Scope::All, &folder, options, |_| ());
        exported.await.unwrap();
        let record = Record::<B::Store>::folder(&folder).await.unwrap();
        for same in outsider.compared(&record).await {
            assert_eq!(same, Differences::default());
        }
        // By default a minute is left, for what was being closed during the export.
        let usual = take(&record, request(None), |_, _| Ok(())).await.unwrap();
        assert_eq!(
            (usual.size, usual.cut),
            (1, at(END + 9 * SECOND - 60 * SECOND))
        );
        let latest = Request {
            until: Some(outsider.checkpoint.cut),
            ..request(None)
        };
        let latest = take(&record, latest, |_, _| Ok(())).await.unwrap();
        assert_eq!(latest, outsider.checkpoint);
        let proved = prove(&record, outsider.note.clone(), id(3)).await.unwrap();
        assert_eq!(proved, Proved::Proof(Box::new(outsider.proof.clone())));
        let later = Checkpoint {
            cut: Micros::MAX,
            ..latest
        };
        let refused = compare(&record, &later, None, 9).await;
        assert!(
            matches!(refused, Err(CheckpointError::Input(_))),
            "{refused:?}"
        );
    }
    // A file that was changed is no ground for a signature.
    let folder = work.path().join("Csv-false");
    let path = folder.join("auctions.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("A lot", "A pot")).unwrap();
    let record = Record::<B::Store>::folder(&folder).await.unwrap();
    let refused = take(&record, request(None), |_, _| Ok(())).await;
    assert!(
        matches!(refused, Err(CheckpointError::Input(_))),
        "{refused:?}"
    );
    let options = ReplayOptions::default();
    let report = replay_folder(&folder, &Scope::All, &options, |_| ());
    assert!(!report.await.unwrap().is_clean());
}
