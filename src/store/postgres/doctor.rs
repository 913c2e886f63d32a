//! The health of a PostgreSQL database. Reads only; a check that cannot run says so and the next
//! runs.

use sqlx::FromRow;
use sqlx::postgres::PgRow;

use super::PostgresStore;
use super::migrate::{migration_state, unfinished, unfinished_versions};
use crate::auction::Micros;
use crate::clock::Clock;
use crate::store::contract::WriteMode;
use crate::store::diagnosis::Diagnosis;
use crate::store::error::{StoreError, StoreErrorKind};

/// The oldest server whose features the migrations use.
const VERSION_MIN: i32 = 150_000;
/// The body of `gavel.clock_us()` as the migration wrote it.
const CLOCK_SOURCE: &str = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint";
/// This machine's clock may differ from the server's by so much without a word.
const SKEW_US: i64 = 1_000_000;
/// An auction that has been due for so long says that no closer runs.
const DUE_LONG_US: i64 = 300_000_000;

pub(super) async fn doctor(store: &PostgresStore) -> Result<Vec<Diagnosis>, StoreError> {
    // Without a connection there is nothing to examine: that error is the answer.
    store
        .step(WriteMode::Commit)
        .await?
        .finish(WriteMode::Commit)
        .await?;
    let schema = schema(store).await;
    let usable = schema.advice.is_none();
    let mut found = vec![
        told("server", server(store).await),
        told("writing", writing(store).await),
        told("encoding", encoding(store).await),
        told("durability", durability(store).await),
        told("parameter logging", parameter_logging(store).await),
        told("pooler", pooler(store).await),
        schema,
    ];
    if usable {
        found.push(told("ledger guards", guards(store).await));
        found.push(told("indexes", indexes(store).await));
        found.push(told("functions", functions(store).await));
        found.push(told("roles", roles(store).await));
        found.push(told("clock", clock(store).await));
        found.push(told("backlog", backlog(store).await));
        found.push(told("stuck", stuck(store).await));
    }
    Ok(found)
}

fn told(name: &'static str, checked: Result<Diagnosis, StoreError>) -> Diagnosis {
    checked.unwrap_or_else(|error| match error.kind() {
        StoreErrorKind::Denied => Diagnosis::warn(
            name,
            format!("could not look: {error}"),
            "examine the database as its owner",
        ),
        _ => Diagnosis::fail(
            name,
            format!("could not look: {error}"),
            "the check could not run; see the others",
        ),
    })
}

async fn one<T>(store: &PostgresStore, query: &'static str) -> Result<T, StoreError>
where
    T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
{
    let mut step = store.step(WriteMode::Commit).await?;
    let row = step.query_as(query).fetch_one(step.connection()).await?;
    step.finish(WriteMode::Commit).await?;
    Ok(row)
}

async fn server(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "server";
    let query = r"
        select current_setting('server_version_num')::integer, current_setting('server_version')
    ";
    let (number, version): (i32, String) = one(store, query).await?;
    Ok(if number >= VERSION_MIN {
        Diagnosis::ok(NAME, format!("PostgreSQL {version}"))
    } else {
        Diagnosis::fail(
            NAME,
            format!("PostgreSQL {version}"),
            "use version 15 or later",
        )
    })
}

async fn writing(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "writing";
    let query = r"
        select pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'
    ";
    Ok(match one(store, query).await? {
        (true, _) => Diagnosis::fail(
            NAME,
            "this server is a standby: it can be read and takes no bid",
            "name the primary in the database URL",
        ),
        (false, true) => Diagnosis::fail(
            NAME,
            "default_transaction_read_only is on: no bid is taken",
            "switch it off for this database or role, or name the primary in the database URL",
        ),
        (false, false) => Diagnosis::ok(NAME, "the server takes writes"),
    })
}

async fn encoding(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "encoding";
    let (encoding,): (String,) = one(store, "select current_setting('server_encoding')").await?;
    Ok(if encoding == "UTF8" {
        Diagnosis::ok(NAME, encoding)
    } else {
        Diagnosis::fail(
            NAME,
            encoding,
            "make a database with encoding UTF8 and import into it",
        )
    })
}

async fn durability(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "durability";
    let query = r"
        select coalesce(string_agg(s.name, ', ' order by s.name), '')
        from pg_settings s
        where s.name in ('fsync', 'full_page_writes', 'synchronous_commit') and s.setting = 'off'
    ";
    let (off,): (String,) = one(store, query).await?;
    Ok(if off.is_empty() {
        Diagnosis::ok(NAME, "every commit is flushed")
    } else {
        Diagnosis::warn(
            NAME,
            format!("switched off: {off}"),
            "a crash of the server can lose bids that were accepted: switch it on",
        )
    })
}

/// A bid's maximum is a bound parameter: where the server logs those, its log holds secrets.
async fn parameter_logging(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "parameter logging";
    let query = r"
        select current_setting('log_parameter_max_length_on_error') <> '0',
               current_setting('log_parameter_max_length') <> '0'
               and (current_setting('log_statement') = 'all'
                    or current_setting('log_min_duration_statement') <> '-1'
                    or current_setting('log_min_duration_sample') <> '-1'
                    or current_setting('log_transaction_sample_rate') <> '0')
    ";
    let (on_error, with_statements): (bool, bool) = one(store, query).await?;
    Ok(if on_error || with_statements {
        Diagnosis::warn(
            NAME,
            "the server can log bound parameters, and hidden maxima are among them",
            "set log_parameter_max_length = 0 and log_parameter_max_length_on_error = 0",
        )
    } else {
        Diagnosis::ok(NAME, "the server logs no bound parameters")
    })
}

/// Two clients that meet the same server session have a pooler between.
async fn pooler(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "pooler";
    const SESSION: &str = "select pg_backend_pid()";
    let (first,): (i32,) = one(store, SESSION).await?;
    let mut apart = store.connect_apart().await?;
    let second: i32 = sqlx::query_scalar(SESSION)
        .persistent(false)
        .fetch_one(&mut apart)
        .await?;
    sqlx::Connection::close(apart).await?;
    Ok(match (first == second, store.pooled()) {
        (false, false) => Diagnosis::ok(NAME, "connected to the server itself"),
        (_, true) => Diagnosis::ok(NAME, "nothing is prepared for later, as poolers need it"),
        (true, false) => Diagnosis::warn(
            NAME,
            "a pooler hands server sessions from client to client",
            "append ?statement-cache-capacity=0 to the database URL",
        ),
    })
}

async fn schema(store: &PostgresStore) -> Diagnosis {
    const NAME: &str = "schema";
    if let Ok([version, ..]) = unfinished_versions(store).await.as_deref() {
        return Diagnosis::fail(
            NAME,
            unfinished(*version).to_string(),
            "restore the database from a backup, or drop schema gavel if it holds nothing yet",
        );
    }
    match migration_state(store).await {
        Ok(state) if state.is_current() => {
            let version = state.applied.last().copied().unwrap_or_default();
            Diagnosis::ok(NAME, format!("version {version}, nothing pending"))
        }
        Ok(state) if !state.unknown.is_empty() => Diagnosis::fail(
            NAME,
            "migrated by a newer gavel",
            "use the newer gavel, or another database",
        ),
        Ok(state) => Diagnosis::fail(
            NAME,
            format!("{} migrations pending", state.pending.len()),
            "run gavel migrate",
        ),
        Err(error) if error.kind() == StoreErrorKind::Denied => Diagnosis::fail(
            NAME,
            error.to_string(),
            "connect as gavel's owner, or let it grant this role one of gavel's \
             (gavel migrate --roles makes them)",
        ),
        Err(error) => Diagnosis::failed(NAME, &error),
    }
}

/// The triggers that keep the ledger append-only; distributed tables have privileges alone.
async fn guards(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "ledger guards";
    let query = r"
        select exists (select from pg_extension where extname = 'citus'),
               (select count(*) from pg_trigger t
                where t.tgrelid = 'gavel.ledger'::regclass and t.tgenabled in ('O', 'A')
                  and t.tgname in ('ledger_append_only', 'ledger_never_truncated'))
    ";
    let (distributed, triggers): (bool, i64) = one(store, query).await?;
    Ok(if distributed || triggers == 2 {
        Diagnosis::ok(NAME, "the ledger can only grow")
    } else {
        Diagnosis::fail(
            NAME,
            "a trigger that keeps the ledger append-only is missing or disabled",
            "somebody changed the schema: run gavel replay",
        )
    })
}

async fn indexes(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "indexes";
    let query = r"
        select coalesce(string_agg(wanted, ', ' order by wanted), '')
        from unnest(array['auctions_pkey', 'auctions_due', 'auctions_claimed', 'auctions_end',
                          'auctions_seller', 'ledger_pkey', 'ledger_auction_id_request_id_key',
                          'ledger_bidder',
                          'outbox_pkey', 'outbox_pending', 'watchers_pkey',
                          'watchers_watcher']) wanted
        where not exists (
              select from pg_index i join pg_class c on c.oid = i.indexrelid
              where c.relnamespace = 'gavel'::regnamespace and c.relname = wanted
                and i.indisvalid)
    ";
    let (missing,): (String,) = one(store, query).await?;
    Ok(if missing.is_empty() {
        Diagnosis::ok(NAME, "all there and valid")
    } else {
        Diagnosis::fail(
            NAME,
            format!("missing or invalid: {missing}"),
            "make them again as the migration does, or reindex",
        )
    })
}

async fn functions(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "functions";
    let query = r"
        select coalesce(string_agg(p.proname, ', ' order by p.proname), '')
        from pg_proc p
        where p.pronamespace = 'gavel'::regnamespace
          and (p.proacl is null
               or exists (select from aclexplode(p.proacl) g where g.grantee = 0))
    ";
    let (open,): (String,) = one(store, query).await?;
    Ok(if open.is_empty() {
        Diagnosis::ok(NAME, "none is open to everybody")
    } else {
        Diagnosis::fail(
            NAME,
            format!("everybody may call: {open}"),
            "revoke all on all functions in schema gavel from public",
        )
    })
}

async fn roles(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "roles";
    // A role belongs to the whole server; what counts is what it was granted here.
    let query = r"
        select count(*) filter (where has_schema_privilege(r.oid, 'gavel', 'usage')),
               count(*) filter (where has_function_privilege(r.oid, f.name, 'execute'))
        from (values
            ('gavel_operator', 'gavel.place_bid(bigint, uuid, text, bigint, text, bytea)'),
            ('gavel_bidder', 'gavel.place_bid(bigint, uuid, text, bigint, text, bytea)'),
            ('gavel_closer', 'gavel.close_due(integer, bigint, bigint, integer, bigint[])'),
            ('gavel_auditor', 'gavel.clock_us()'),
            ('gavel_public', 'gavel.clock_us()')) f (role, name)
        join pg_roles r on r.rolname = f.role
    ";
    Ok(match one(store, query).await? {
        (5_i64, 5_i64) => Diagnosis::ok(NAME, "made, with their grants"),
        (0, 0) => Diagnosis::ok(NAME, "not made here: only the owner may work"),
        _ => Diagnosis::warn(
            NAME,
            "a role or a grant is missing",
            "run gavel migrate --roles",
        ),
    })
}

async fn clock(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "clock";
    let query = r"
        select p.prosrc, gavel.clock_us() from pg_proc p
        where p.oid = 'gavel.clock_us()'::regprocedure
    ";
    let (source, server_us): (String, i64) = one(store, query).await?;
    if source.trim() != CLOCK_SOURCE {
        return Ok(Diagnosis::fail(
            NAME,
            "gavel.clock_us() is not the one of the migration",
            "somebody replaced the clock that decides every bid: put it back",
        ));
    }
    let skew_us = Clock::System.now().get() - server_us;
    let (skew_ms, side) = (
        skew_us.abs() / 1_000,
        if skew_us < 0 { "behind" } else { "ahead of" },
    );
    Ok(if skew_us.abs() > SKEW_US {
        Diagnosis::warn(
            NAME,
            format!("this machine is {skew_ms} ms {side} the server"),
            "the server's clock decides; set this machine's, or its reports mislead",
        )
    } else {
        Diagnosis::ok(
            NAME,
            format!("the server's; this machine is {skew_ms} ms {side} it"),
        )
    })
}

async fn backlog(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "backlog";
    let query = r"
        select count(*) filter (where a.end_us > now.us),
               count(*) filter (where a.end_us <= now.us and a.owner_node is null),
               coalesce(min(a.end_us) filter (
                   where a.end_us <= now.us and a.owner_node is null), now.us),
               now.us
        from (select gavel.clock_us() as us) now
        left join gavel.auctions a on a.status = 'OPEN'
        group by now.us
    ";
    let (open, due, oldest, now): (i64, i64, i64, i64) = one(store, query).await?;
    Ok(if due > 0 && now - oldest > DUE_LONG_US {
        let since = Micros::new(oldest).map_or(String::new(), |end| format!(" since {end}"));
        Diagnosis::warn(
            NAME,
            format!("{open} open, {due} due{since}"),
            "run gavel close-sweep, and let it run regularly",
        )
    } else {
        Diagnosis::ok(NAME, format!("{open} open, {due} due"))
    })
}

async fn stuck(store: &PostgresStore) -> Result<Diagnosis, StoreError> {
    const NAME: &str = "stuck";
    let query = "select count(*) from gavel.auctions a where a.status = 'CLOSING'";
    let (stuck,): (i64,) = one(store, query).await?;
    Ok(if stuck == 0 {
        Diagnosis::ok(NAME, "nothing is stuck in closing")
    } else {
        Diagnosis::warn(
            NAME,
            format!("{stuck} claimed by a closer and not closed"),
            "a sweep gives back what a closer has left for too long; gavel close ID finishes one",
        )
    })
}
