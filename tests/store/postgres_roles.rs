//! Each role tries what it must not do, and fails; what it is for works.

use gavel::store::{Contract as _, WriteMode};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor as _};

use crate::support::make;
use crate::support::postgres::Database;

const BID: &str = "select outcome from gavel.place_bid(7731, gen_random_uuid(), 'ann', 1500, \
                   'USD', '\\x00112233445566778899aabbccddeeff')";
const DENIED: &str = "42501";

async fn database() -> Database {
    let database = Database::stopped().await;
    let store = database.store();
    // Twice: making the roles is repeatable.
    store.roles_make().await.unwrap();
    store.roles_make().await.unwrap();
    let create = make::create(make::id(7731), make::request(1), make::terms());
    store
        .auction_create(&[create], WriteMode::Commit)
        .await
        .unwrap();
    // The harness's clock is read by everybody, as the real one is.
    let mut owner = database.connect().await;
    let grant = "grant select on public.test_clock to public";
    owner.execute(grant).await.unwrap();
    owner.execute(BID).await.unwrap();
    database
}

async fn as_role(database: &Database, role: &str) -> PgConnection {
    let mut connection = database.connect().await;
    connection
        .execute(AssertSqlSafe(format!("set role {role}")))
        .await
        .unwrap();
    connection
}

async fn outcome(connection: &mut PgConnection, statement: &str) -> String {
    match connection
        .execute(AssertSqlSafe(statement.to_owned()))
        .await
    {
        Ok(_) => "done".to_owned(),
        Err(error) => {
            let error = error.as_database_error().unwrap();
            error.code().unwrap().into_owned()
        }
    }
}

async fn expect(database: &Database, role: &str, allowed: &[&str], denied: &[&str]) {
    let mut connection = as_role(database, role).await;
    for statement in allowed {
        let outcome = outcome(&mut connection, statement).await;
        assert_eq!(outcome, "done", "{role} may: {statement}");
    }
    for statement in denied {
        let outcome = outcome(&mut connection, statement).await;
        assert_eq!(outcome, DENIED, "{role} may not: {statement}");
    }
}

const INTERNALS: [&str; 3] = [
    "select gavel.step_at('{1,1}', 5)",
    "select gavel.commitment('\\x00', 5)",
    "select * from gavel.bid_repeated(7731, 2, 'ann', 1500)",
];
const LEDGER_CHANGES: [&str; 4] = [
    "select gavel.burst_remove(1000000000000000, 1000000000000001, 1)",
    "update gavel.ledger set price = 1",
    "delete from gavel.ledger",
    "truncate gavel.ledger",
];

#[tokio::test]
async fn the_public_sees_no_maximum_and_changes_nothing() {
    let database = database().await;
    let allowed = [
        "select * from gavel.public_auctions",
        "select * from gavel.public_ledger",
    ];
    let denied = [
        "select key from gavel.upload_key",
        "select leader_max from gavel.auctions",
        "select reserve from gavel.auctions",
        "select secret from gavel.ledger",
        "select * from gavel.auditor_ledger",
        "select * from gavel.bidder_aliases",
        "select * from gavel.watchers",
        "select * from gavel.close_one(7731)",
        "insert into gavel.watchers values (7731, 'ann')",
        BID,
    ];
    expect(&database, "gavel_public", &allowed, &denied).await;
    expect(&database, "gavel_public", &[], &INTERNALS).await;
    expect(&database, "gavel_public", &[], &LEDGER_CHANGES).await;
}

#[tokio::test]
async fn a_bidder_bids_through_the_function_alone() {
    let database = database().await;
    let allowed = [
        BID,
        "select * from gavel.public_auctions",
        "select gavel.clock_us()",
    ];
    let denied = [
        "select leader_max from gavel.auctions",
        "select secret from gavel.ledger",
        "update gavel.auctions set price = 1",
        "insert into gavel.ledger select * from gavel.ledger",
        "select * from gavel.close_due(0, 1, 9, 1, '{}')",
    ];
    expect(&database, "gavel_bidder", &allowed, &denied).await;
    expect(&database, "gavel_bidder", &[], &INTERNALS).await;
    expect(&database, "gavel_bidder", &[], &LEDGER_CHANGES).await;
}

#[tokio::test]
async fn a_closer_reads_ends_and_no_amount() {
    let database = database().await;
    let allowed = [
        "select auction_id, shard, status, end_us, owner_node from gavel.auctions",
        "select * from gavel.close_one(7731)",
        "select * from gavel.close_due(0, 1, 9, 1, '{}')",
        "select count(*), min(closed_us) from gavel.outbox where state = 'pending'",
        "select * from gavel.close_these('{7731}')",
        "select * from gavel.claim_these('{7731}')",
        "select * from gavel.close_claimed('{7731}', '{1}')",
        "select * from gavel.release_claims('{7731}', '{1}')",
        "select * from gavel.reap_claims('{0}', 1, 9, 1, 1)",
    ];
    let denied = [
        "select key from gavel.upload_key",
        "select winner from gavel.outbox",
        "select * from gavel.close_locked('{7731}', 1)",
        "select gavel.lock_claims('{7731}', '{1}')",
        "update gavel.auctions set status = 'CLOSING'",
        "select leader_max from gavel.auctions",
        "select runner_up_max from gavel.auctions",
        "select reserve from gavel.auctions",
        "select price from gavel.auctions",
        "select * from gavel.ledger",
        "update gavel.auctions set status = 'CLOSED'",
        "insert into gavel.outbox select * from gavel.outbox",
        BID,
    ];
    expect(&database, "gavel_closer", &allowed, &denied).await;
    expect(&database, "gavel_closer", &[], &INTERNALS).await;
    expect(&database, "gavel_closer", &[], &LEDGER_CHANGES).await;
}

#[tokio::test]
async fn an_auditor_reads_everything_and_changes_nothing() {
    let database = database().await;
    let allowed = [
        "select * from gavel.auditor_auctions",
        "select secret, nonce, commit from gavel.auditor_ledger",
        "select * from gavel.outbox",
        "select * from gavel.watchers",
    ];
    let denied = [
        "select key from gavel.upload_key",
        "update gavel.auctions set price = 1",
        "insert into gavel.watchers values (7731, 'ann')",
        "select * from gavel.close_one(7731)",
        BID,
    ];
    expect(&database, "gavel_auditor", &allowed, &denied).await;
    expect(&database, "gavel_auditor", &[], &LEDGER_CHANGES).await;
}

#[tokio::test]
async fn an_operator_never_rewrites_the_ledger() {
    let database = database().await;
    let allowed = [
        BID,
        "select * from gavel.auctions where auction_id = 7731 for no key update",
        "insert into gavel.watchers values (7731, 'ann')",
        "delete from gavel.watchers",
    ];
    let denied = ["delete from gavel.auctions", "delete from gavel.outbox"];
    expect(&database, "gavel_operator", &allowed, &denied).await;
    expect(&database, "gavel_operator", &[], &INTERNALS).await;
    expect(&database, "gavel_operator", &[], &LEDGER_CHANGES).await;
}

#[tokio::test]
async fn public_views_hold_no_secret() {
    let mut connection = database().await.connect().await;
    let columns: Vec<String> = sqlx::query_scalar(
        r"
        select c.column_name::text from information_schema.columns c
        where c.table_schema = 'gavel' and c.table_name like 'public%'
          and c.column_name in ('leader_max', 'runner_up_max', 'reserve', 'secret', 'nonce')
        ",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    assert_eq!(columns, [""; 0]);
    let (actor, leader): (String, String) =
        sqlx::query_as("select actor, leader from gavel.public_ledger where kind = 2")
            .fetch_one(&mut connection)
            .await
            .unwrap();
    assert_eq!((actor.as_str(), leader.as_str()), ("Bidder 1", "Bidder 1"));
}

/// A server's DETAIL holds the failing row, its maximum included.
#[tokio::test]
async fn errors_carry_no_values() {
    let database = database().await;
    let mut owner = database.connect().await;
    let forbid = "alter table gavel.ledger add check (secret is distinct from 7777777)";
    owner.execute(forbid).await.unwrap();
    let bid = make::bid_of(
        make::id(7731),
        make::request(9),
        "ben",
        7_777_777,
        make::currency("USD"),
    );
    let error = database
        .store()
        .bid_place(&bid, WriteMode::Commit)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the server refused a statement (23514, ledger_secret_check)"
    );
    assert!(!format!("{error:?}").contains("7777777"));
}
