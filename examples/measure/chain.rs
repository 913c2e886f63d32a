//! What commitments and the hash chain cost a bid: the same calls in a copy of the database whose
//! two hashing functions answer a constant.

use gavel::auction::Micros;

use super::bids::{LOADS, accepted, place_bid};
use super::figures::Figures;
use super::server::Server;

const CHAINED: &str = "chained";
const UNCHAINED: &str = "unchained";

/// The functions stay calls with the same arguments; what they compute is gone.
const WITHOUT: &str = "
    create or replace function gavel.commitment(p_nonce bytea, p_secret bigint) returns bytea
    language sql immutable
    as $$ select '\\x0000000000000000000000000000000000000000000000000000000000000000'::bytea $$;
    create or replace function gavel.entry_hash(
        p_prev bytea, p_kind integer, p_auction_id bigint, p_seq bigint, p_at_us bigint,
        p_request_id uuid, p_actor text, p_commit bytea, p_detail text, p_price bigint,
        p_leader text, p_end_us bigint, p_flags integer
    ) returns bytea
    language sql stable
    as $$ select '\\x0000000000000000000000000000000000000000000000000000000000000000'::bytea $$;";

/// Two copies of a database nobody has bid in yet, one of which chains nothing.
pub(crate) fn prepare(server: &Server, database: &str) -> anyhow::Result<()> {
    for copy in [CHAINED, UNCHAINED] {
        let create = format!("create database {copy} template {database}");
        server.sql("postgres", &create)?;
    }
    server.sql(UNCHAINED, WITHOUT)?;
    Ok(())
}

pub(crate) fn round(server: &Server, since: Micros, figures: &mut Figures) -> anyhow::Result<()> {
    for load in LOADS {
        let script = place_bid(since, load);
        let name = load.name();
        let chained = accepted(server, CHAINED, &script, "gavel", load.clients)?;
        let bare = accepted(server, UNCHAINED, &script, "gavel", load.clients)?;
        figures.add(format!("chained, {name}"), chained);
        figures.add(format!("unchained, {name}"), bare);
    }
    Ok(())
}

pub(crate) fn lines(figures: &Figures) -> Vec<String> {
    let line = |name: String| {
        let what = format!("bids/s, {name}, with chain and commitments against without");
        let (with, without) = (format!("chained, {name}"), format!("unchained, {name}"));
        figures.ratio(&what, &with, &without)
    };
    LOADS.into_iter().map(|load| line(load.name())).collect()
}
