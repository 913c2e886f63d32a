-- Who may do what. Can be run again at any time; needs the right to create roles, and to grant
-- what gavel's owner owns. The roles cannot log in: grant them to those who do.

do $$
declare
    v_role text;
begin
    foreach v_role in array array['gavel_operator', 'gavel_bidder', 'gavel_closer',
                                  'gavel_auditor', 'gavel_public'] loop
        begin
            if not exists (select from pg_roles where rolname = v_role) then
                execute format('create role %I nologin', v_role);
            end if;
        exception
            -- Roles belong to all databases of a server; another one made it just now.
            when duplicate_object or unique_violation then null;
        end;
    end loop;
end $$;

grant usage on schema gavel
    to gavel_operator, gavel_bidder, gavel_closer, gavel_auditor, gavel_public;
grant select on gavel.meta, gavel._sqlx_migrations
    to gavel_operator, gavel_bidder, gavel_closer, gavel_auditor, gavel_public;
grant execute on function gavel.clock_us(), gavel.auction_currency(bigint),
                       gavel.auction_currencies(bigint[])
    to gavel_operator, gavel_bidder, gavel_closer, gavel_auditor, gavel_public;

-- Those who upload files.
grant select on gavel.upload_key to gavel_operator, gavel_bidder;

-- What anybody may see: aliases for bidders, no maximum, no reserve.
grant select on gavel.public_auctions, gavel.public_ledger to gavel_public, gavel_bidder;

grant execute on function gavel.place_bid(bigint, uuid, text, bigint, text, bytea)
    to gavel_bidder, gavel_operator;

-- A closer sees when auctions end, and nothing of their bids.
grant select (auction_id, shard, status, end_us, owner_node) on gavel.auctions to gavel_closer;
-- And how much waits to be told, not what.
grant select (state, closed_us) on gavel.outbox to gavel_closer;
grant execute on function gavel.close_due(integer, bigint, bigint, integer, bigint[]),
                       gavel.close_one(bigint), gavel.close_these(bigint[]), gavel.claim_these(bigint[]),
                       gavel.close_claimed(bigint[], bigint[]),
                       gavel.release_claims(bigint[], bigint[]),
                       gavel.reap_claims(integer[], bigint, bigint, bigint, integer)
    to gavel_closer, gavel_operator;

grant select on gavel.auctions, gavel.ledger, gavel.outbox, gavel.watchers,
                gavel.bidder_aliases, gavel.public_auctions, gavel.public_ledger
    to gavel_operator, gavel_auditor;
grant select on gavel.auditor_auctions, gavel.auditor_ledger to gavel_auditor;

-- The ledger only grows, for operators too.
grant insert on gavel.auctions, gavel.ledger, gavel.outbox, gavel.watchers to gavel_operator;
grant update on gavel.auctions, gavel.outbox to gavel_operator;
grant delete on gavel.watchers to gavel_operator;
