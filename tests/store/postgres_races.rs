//! Races between real connections. Nothing sleeps: a test waits until the server itself says that
//! a session waits for a lock.

use gavel::auction::{AuctionId, Bid, IdRange, Refusal, Remit, Terms};
use gavel::closer::{SweepOptions, sweep};
use gavel::store::{CloseReply, Contract as _, PostgresStore, Reply, Watch, WriteMode};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _};
use tokio::task::JoinSet;

use crate::support::make::{self, END, SECOND, START};
use crate::support::postgres::{Database, set_clock};

const COMMIT: WriteMode = WriteMode::Commit;

struct Scene {
    database: Database,
    store: PostgresStore,
    clock: PgConnection,
    id: AuctionId,
}

async fn scene(terms: Terms) -> Scene {
    let database = Database::stopped().await;
    let store = database.store();
    let clock = database.connect().await;
    let id = make::id(7731);
    let create = make::create(id, make::request(1), terms);
    store.auction_create(&[create], COMMIT).await.unwrap();
    Scene {
        database,
        store,
        clock,
        id,
    }
}

fn soft_terms() -> Terms {
    Terms {
        soft_close: Some(make::soft_close()),
        ..make::terms()
    }
}

fn bid(id: AuctionId, request: u128, bidder: &str, maximum: i64) -> Bid {
    let currency = make::currency("USD");
    make::bid_of(id, make::request(request), bidder, maximum, currency)
}

impl Scene {
    async fn until_waiting(&self, sessions: i64) {
        self.database.until_waiting(sessions).await;
    }

    /// A bid in a transaction that is not yet committed.
    async fn hold_bid(&self, bidder: &str, maximum: i64) -> PgConnection {
        let mut holder = self.database.connect().await;
        holder.execute("begin").await.unwrap();
        let outcome: String = sqlx::query_scalar(
            "select outcome from gavel.place_bid($1, gen_random_uuid(), $2, $3, 'USD', $4)",
        )
        .bind(self.id.get())
        .bind(bidder)
        .bind(maximum)
        .bind(&[7_u8; 16][..])
        .fetch_one(&mut holder)
        .await
        .unwrap();
        assert_eq!(outcome, "accepted");
        holder
    }
}

#[tokio::test]
async fn a_bid_that_waited_past_the_end_is_refused() {
    let mut scene = scene(make::terms()).await;
    set_clock(&mut scene.clock, make::at(END - 1)).await;
    let holder = scene.hold_bid("ann", 2_000).await;
    let store = scene.store.clone();
    let late = bid(scene.id, 2, "ben", 5_000);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { store.bid_place(&late, COMMIT).await.unwrap() });
    scene.until_waiting(1).await;
    set_clock(&mut scene.clock, make::at(END)).await;
    release(holder).await;
    let refused = Reply::Refused {
        refusal: Refusal::Ended { end: make::at(END) },
        now: make::at(END),
    };
    assert_eq!(tasks.join_next().await.unwrap().unwrap(), refused);
}

#[tokio::test]
async fn a_bid_that_waited_before_the_end_is_taken_at_its_lock() {
    let mut scene = scene(make::terms()).await;
    let holder = scene.hold_bid("ann", 2_000).await;
    let store = scene.store.clone();
    let waiting = bid(scene.id, 2, "ben", 5_000);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { store.bid_place(&waiting, COMMIT).await.unwrap() });
    scene.until_waiting(1).await;
    set_clock(&mut scene.clock, make::at(START + SECOND)).await;
    release(holder).await;
    match tasks.join_next().await.unwrap().unwrap() {
        Reply::Done(answer) => {
            assert_eq!(answer.at, make::at(START + SECOND));
            assert!(answer.leading);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_close_that_waits_for_an_extending_bid_is_not_due() {
    let mut scene = scene(soft_terms()).await;
    set_clock(&mut scene.clock, make::at(END - 1)).await;
    let holder = scene.hold_bid("ann", 2_000).await;
    set_clock(&mut scene.clock, make::at(END + 1)).await;
    let store = scene.store.clone();
    let id = scene.id;
    let mut tasks = JoinSet::new();
    tasks.spawn(async move { store.auction_close(id, COMMIT).await.unwrap() });
    scene.until_waiting(1).await;
    // The sweep does not wait: it passes over what is locked, and then finds it is not due.
    let sweep = || {
        scene
            .store
            .auction_close_due(id.shard(), IdRange::ALL, 500, &[], COMMIT)
    };
    assert_eq!(sweep().await.unwrap().closed, []);
    assert_eq!(scene.store.backlog(Remit::ALL).await.unwrap().due, 1);
    release(holder).await;
    let end = make::at(END - 1 + 300 * SECOND);
    let not_due = CloseReply::NotDue {
        end,
        now: make::at(END + 1),
    };
    assert_eq!(tasks.join_next().await.unwrap().unwrap(), not_due);
    assert_eq!(sweep().await.unwrap().closed, []);
    assert_eq!(scene.store.backlog(Remit::ALL).await.unwrap().due, 0);
    assert_eq!(events(&scene).await, 0);
    set_clock(&mut scene.clock, end).await;
    assert_eq!(
        scene
            .store
            .auction_close_due(id.shard(), IdRange::ALL, 500, &[], COMMIT)
            .await
            .unwrap()
            .closed
            .len(),
        1
    );
    assert_eq!(events(&scene).await, 1);
}

#[tokio::test]
async fn a_watcher_being_added_holds_up_nobody() {
    let mut scene = scene(make::terms()).await;
    let mut holder = scene.database.connect().await;
    holder.execute("begin").await.unwrap();
    holder
        .execute("insert into gavel.watchers values (7731, 'eve')")
        .await
        .unwrap();
    let ann = bid(scene.id, 2, "ann", 2_000);
    let reply = scene.store.bid_place(&ann, COMMIT);
    assert!(matches!(reply.await.unwrap(), Reply::Done(_)));
    set_clock(&mut scene.clock, make::at(END)).await;
    let shard = scene.id.shard();
    let batch = scene
        .store
        .auction_close_due(shard, IdRange::ALL, 500, &[], COMMIT)
        .await;
    assert_eq!(batch.unwrap().closed.len(), 1);
    release(holder).await;
    let watcher = make::party("eve");
    let added = scene.store.watch_add(scene.id, &watcher, COMMIT).await;
    assert_eq!(added.unwrap(), Watch::Unchanged);
}

#[tokio::test]
async fn parallel_equal_maxima_have_one_leader() {
    let scene = scene(make::terms()).await;
    let mut tasks = JoinSet::new();
    for number in 0..60_u128 {
        let (store, id) = (scene.store.clone(), scene.id);
        tasks.spawn(async move {
            let bid = bid(id, 100 + number, &format!("b{number}"), 5_000);
            store.bid_place(&bid, COMMIT).await.unwrap()
        });
    }
    let replies = tasks.join_all().await;
    let leading = replies
        .iter()
        .filter(|reply| matches!(reply, Reply::Done(answer) if answer.leading))
        .count();
    assert_eq!(leading, 1);
    let accepted = replies
        .iter()
        .filter(|reply| matches!(reply, Reply::Done(_)))
        .count();
    let ledger = scene.store.ledger_get(scene.id, 0, 1_000).await.unwrap();
    let seqs: Vec<i64> = ledger.iter().map(|entry| entry.seq).collect();
    let gapless: Vec<i64> = (1..).take(accepted + 1).collect();
    assert_eq!(seqs, gapless);
}

#[tokio::test]
async fn one_request_id_in_parallel_makes_one_entry() {
    let scene = scene(make::terms()).await;
    let mut tasks = JoinSet::new();
    for _ in 0..24 {
        let (store, id) = (scene.store.clone(), scene.id);
        tasks.spawn(async move { store.bid_place(&bid(id, 9, "ann", 5_000), COMMIT).await });
    }
    let mut done = 0;
    let mut answers = Vec::new();
    for reply in tasks.join_all().await {
        match reply.unwrap() {
            Reply::Done(answer) => {
                done += 1;
                answers.push(answer);
            }
            Reply::Repeated(answer) => answers.push(answer),
            other => panic!("{other:?}"),
        }
    }
    answers.dedup();
    assert_eq!((done, answers.len()), (1, 1));
}

#[tokio::test]
async fn one_auction_created_in_parallel_exists_once() {
    let scene = scene(make::terms()).await;
    let mut tasks = JoinSet::new();
    for number in 0..12 {
        let store = scene.store.clone();
        tasks.spawn(async move {
            let create = make::create(make::id(55), make::request(number), make::terms());
            store.auction_create(&[create], COMMIT).await.unwrap()
        });
    }
    let mut replies: Vec<_> = tasks.join_all().await.concat();
    replies.retain(|reply| matches!(reply, Reply::Done(_)));
    assert_eq!(replies.len(), 1);
}

#[tokio::test]
async fn parallel_sweeps_close_each_auction_once() {
    const AUCTIONS: usize = 300;
    let mut scene = scene(make::terms()).await;
    let creates: Vec<_> = (1..)
        .take(AUCTIONS)
        .map(|number| make::create(make::id(number), make::request(1), make::terms()))
        .collect();
    scene.store.auction_create(&creates, COMMIT).await.unwrap();
    set_clock(&mut scene.clock, make::at(END)).await;
    let mut tasks = JoinSet::new();
    for _ in 0..8 {
        let store = scene.store.clone();
        tasks.spawn(async move {
            let mut closed = 0;
            for shard in 0..AuctionId::SHARDS {
                let batch = store
                    .auction_close_due(shard, IdRange::ALL, 7, &[], COMMIT)
                    .await;
                closed += batch.unwrap().closed.len();
            }
            closed
        });
    }
    let mut closed: usize = tasks.join_all().await.into_iter().sum();
    for shard in 0..AuctionId::SHARDS {
        let batch = scene
            .store
            .auction_close_due(shard, IdRange::ALL, 500, &[], COMMIT)
            .await;
        closed += batch.unwrap().closed.len();
    }
    assert_eq!(closed, AUCTIONS + 1);
    assert_eq!(usize::try_from(events(&scene).await).unwrap(), AUCTIONS + 1);
}

#[tokio::test]
async fn a_sweep_closes_the_other_shards_while_one_waits() {
    let mut scene = scene(make::terms()).await;
    let creates: Vec<_> = (1..=300)
        .map(|number| make::create(make::id(number), make::request(1), make::terms()))
        .collect();
    scene.store.auction_create(&creates, COMMIT).await.unwrap();
    set_clock(&mut scene.clock, make::at(END)).await;
    let stuck = make::id(7).shard();
    let waiting = (1..=300).filter(|number| make::id(*number).shard() == stuck);
    let waiting = waiting.count() + usize::from(scene.id.shard() == stuck);

    let mut holder = scene.database.connect().await;
    let event = "begin; insert into gavel.outbox (auction_id, event_id, kind, end_us, closed_us,
        ledger_head) values (7, '7.closed', 'auction.closed', 1, 1, sha256(''))";
    holder.execute(event).await.unwrap();
    let store = scene.store.clone();
    let mut tasks = JoinSet::new();
    let options = SweepOptions {
        batch: 50,
        ..SweepOptions::default()
    };
    tasks.spawn(async move { sweep(&store, &options, |_| {}).await });
    let others = i64::try_from(301 - waiting).unwrap();
    while events(&scene).await < others {
        tokio::task::yield_now().await;
    }
    scene.until_waiting(1).await;
    assert_eq!(events(&scene).await, others);
    holder.execute("rollback").await.unwrap();

    let (report, outcome) = tasks.join_next().await.unwrap().unwrap();
    outcome.unwrap();
    assert_eq!((report.closed, report.left, report.bad), (301, 0, vec![]));
    assert_eq!(events(&scene).await, 301);
}

async fn release(mut holder: PgConnection) {
    holder.execute("commit").await.unwrap();
    holder.close().await.unwrap();
}

async fn events(scene: &Scene) -> i64 {
    let mut connection = scene.database.connect().await;
    sqlx::query_scalar("select count(*) from gavel.outbox")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}
