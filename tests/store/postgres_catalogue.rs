//! What the database's own catalogue says about gavel's schema: it can be distributed by auction,
//! functions are nobody's by default, and the clock is the real one.

use gavel::store::{Contract as _, WriteMode};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _};

use crate::support::make;
use crate::support::postgres::Database;

/// The names a query finds; none is right.
async fn found(connection: &mut PgConnection, query: &'static str) -> Vec<String> {
    sqlx::query_scalar(query)
        .fetch_all(connection)
        .await
        .unwrap()
}

async fn code_of(connection: &mut PgConnection, statement: &'static str) -> String {
    match connection.execute(statement).await {
        Ok(_) => "done".to_owned(),
        Err(error) => error
            .as_database_error()
            .unwrap()
            .code()
            .unwrap()
            .into_owned(),
    }
}

#[tokio::test]
async fn unique_keys_lead_with_the_auction() {
    let mut connection = Database::ticking().await.connect().await;
    let query = r"
        select i.indexrelid::regclass::text
        from pg_index i
        join pg_class t on t.oid = i.indrelid
        left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
        where t.relnamespace = 'gavel'::regnamespace
          and t.relname not in ('meta', '_sqlx_migrations')
          and (i.indisunique or i.indisexclusion)
          and a.attname is distinct from 'auction_id'
    ";
    assert_eq!(found(&mut connection, query).await, [""; 0]);
    // The query would see one.
    connection
        .execute("create unique index wrong on gavel.ledger (request_id)")
        .await
        .unwrap();
    assert_eq!(found(&mut connection, query).await, ["gavel.wrong"]);
}

#[tokio::test]
async fn foreign_keys_lead_with_the_auction() {
    let mut connection = Database::ticking().await.connect().await;
    let query = r"
        select c.conname::text
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        join pg_attribute f on f.attrelid = c.confrelid and f.attnum = c.confkey[1]
        where c.connamespace = 'gavel'::regnamespace and c.contype = 'f'
          and not (a.attname = 'auction_id' and f.attname = 'auction_id')
    ";
    assert_eq!(found(&mut connection, query).await, [""; 0]);
    let query = r"
        select conname::text from pg_constraint
        where connamespace = 'gavel'::regnamespace and contype = 'f' order by 1
    ";
    let all = found(&mut connection, query).await;
    assert_eq!(
        all,
        [
            "ledger_auction_id_fkey",
            "outbox_auction_id_fkey",
            "watchers_auction_id_fkey"
        ]
    );
}

#[tokio::test]
async fn triggers_guard_the_ledger_and_nothing_else() {
    let database = Database::stopped().await;
    let mut connection = database.connect().await;
    let query = r"
        select t.tgname::text from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'gavel'::regnamespace and not t.tgisinternal order by 1
    ";
    let triggers = found(&mut connection, query).await;
    assert_eq!(triggers, ["ledger_append_only", "ledger_never_truncated"]);
    let create = make::create(make::id(7731), make::request(1), make::terms());
    let seller = make::party("burst-seller");
    let terms = gavel::auction::Terms {
        seller,
        ..make::terms()
    };
    let run = make::create(make::id(1_000_000_000_000_001), make::request(1), terms);
    let replies = database
        .store()
        .auction_create(&[create, run], WriteMode::Commit)
        .await;
    assert_eq!(replies.unwrap().len(), 2);
    for statement in [
        "update gavel.ledger set actor = 'eve'",
        "delete from gavel.ledger where auction_id = 7731",
        "delete from gavel.ledger where auction_id >= 1000000000000000",
        "truncate gavel.ledger",
    ] {
        assert_eq!(
            code_of(&mut connection, statement).await,
            "23000",
            "{statement}"
        );
    }
    let clean_up = "select gavel.burst_remove(1000000000000000, 9007199254740991, 10)";
    assert_eq!(code_of(&mut connection, clean_up).await, "done");
    let kept = found(&mut connection, "select auction_id::text from gavel.ledger").await;
    assert_eq!(kept, ["7731"]);
}

#[tokio::test]
async fn functions_are_closed_and_pinned() {
    let mut connection = Database::ticking().await.connect().await;
    let query = r"
        select p.oid::regprocedure::text
        from pg_proc p
        where p.pronamespace = 'gavel'::regnamespace
          and (p.proacl is null
               or exists (select from aclexplode(p.proacl) g where g.grantee = 0))
    ";
    assert_eq!(
        found(&mut connection, query).await,
        [""; 0],
        "executable by anybody"
    );
    let query = r#"
        select p.oid::regprocedure::text
        from pg_proc p
        where p.pronamespace = 'gavel'::regnamespace and p.prosecdef
          and not coalesce('search_path=gavel, pg_temp' = any (p.proconfig), false)
    "#;
    assert_eq!(
        found(&mut connection, query).await,
        [""; 0],
        "search_path not pinned"
    );
    let query = r"
        select p.proname::text from pg_proc p
        where p.pronamespace = 'gavel'::regnamespace and p.prosecdef order by 1
    ";
    let definers = found(&mut connection, query).await;
    let known = [
        "auction_currencies",
        "auction_currency",
        "burst_remove",
        "claim_these",
        "close_claimed",
        "close_due",
        "close_one",
        "close_these",
        "place_bid",
        "reap_claims",
        "release_claims",
    ];
    assert_eq!(definers, known);
}

#[tokio::test]
async fn the_clock_is_the_servers() {
    let database = Database::ticking().await;
    let mut connection = database.connect().await;
    let query = r"
        select p.prosrc from pg_proc p
        where p.pronamespace = 'gavel'::regnamespace and p.proname = 'clock_us'
    ";
    let source = found(&mut connection, query).await;
    let real = " select (extract(epoch from clock_timestamp()) * 1000000)::bigint ";
    assert_eq!(source, [real]);
    let (ours, servers): (i64, i64) = sqlx::query_as(
        "select gavel.clock_us(), floor(extract(epoch from clock_timestamp()) * 1000000)::bigint",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert!(
        (0..1_000_000).contains(&(servers - ours)),
        "{ours} {servers}"
    );
    // It runs on inside a transaction, unlike now().
    let mut transaction = connection.begin().await.unwrap();
    let ticks: (i64, i64) = (
        sqlx::query_scalar("select gavel.clock_us()")
            .fetch_one(&mut *transaction)
            .await
            .unwrap(),
        sqlx::query_scalar("select gavel.clock_us()")
            .fetch_one(&mut *transaction)
            .await
            .unwrap(),
    );
    assert!(ticks.0 < ticks.1, "{ticks:?}");
}

#[tokio::test]
async fn shards_are_the_rules_own() {
    let mut connection = Database::ticking().await.connect().await;
    for id in [
        1,
        2,
        7731,
        1_000_003,
        999_999_999_999_999,
        9_007_199_254_740_991,
    ] {
        let shard: i64 =
            sqlx::query_scalar("select ((($1::bigint % 1000003) * 40503 % 65536) / 2048)::bigint")
                .bind(id)
                .fetch_one(&mut connection)
                .await
                .unwrap();
        assert_eq!(shard, make::id(id).shard());
    }
    let column: String = sqlx::query_scalar(
        r"
        select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
        join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where d.adrelid = 'gavel.auctions'::regclass and a.attname = 'shard'
        ",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(
        column,
        "((((auction_id % (1000003)::bigint) * 40503) % (65536)::bigint) / 2048)"
    );
}
