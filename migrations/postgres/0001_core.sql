-- Money is in minor units, instants are in Unix microseconds. 0 is never stored for "none" here:
-- absent values are null; the zeros of the canonical bytes are made when hashing.
--
-- Every key and foreign key of a per-auction table leads with auction_id, no UPDATE computes a
-- STABLE expression over a column, and a bid is one call: so the tables can be distributed by
-- auction_id later without touching a function.

do $$
begin
    if current_setting('server_encoding') <> 'UTF8' then
        raise exception 'gavel needs a database with encoding UTF8'
            using errcode = 'feature_not_supported';
    end if;
end $$;

create schema if not exists gavel;

create table gavel.meta (
    name  text not null primary key,
    value text not null
);

insert into gavel.meta (name, value) values ('installation', gen_random_uuid()::text);

-- Goes into the request ids that follow from an uploaded file; who knows it could try amounts.
create table gavel.upload_key (
    key bytea not null check (length(key) = 32)
);

insert into gavel.upload_key (key)
select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
              || uuid_send(gen_random_uuid()));


-- --------------------------------------------------------------------------------------- domains

-- A column's limits are its type's: those are looked at where the column is written. A table's CHECK
-- is read anew from the catalogue by every statement that writes a row, whatever it writes: a
-- dozen of them took two fifths of a bid's time. Limits of more than one column are kept by
-- gavel, which writes them together, judges them when it reads, and audits them.

create domain gavel.amount as bigint check (value between 1 and 1000000000000000);
create domain gavel.digest as bytea check (octet_length(value) = 32);
create domain gavel.nonce as bytea check (octet_length(value) = 16);
create domain gavel.entry_kind as smallint check (value between 1 and 5);
create domain gavel.entry_flags as smallint check (value between 0 and 3);
create domain gavel.auction_status as text collate "C" check (value in
    ('OPEN', 'CLOSING', 'CLOSED', 'CLOSED_RESERVE_NOT_MET', 'CANCELLED'));
create domain gavel.steps as bigint[] check
    (cardinality(value) >= 2 and cardinality(value) % 2 = 0);
create domain gavel.own_raise as text collate "C" check (value in ('keep', 'reprice'));
create domain gavel.soft_mode as text collate "C" check (value in ('reset', 'add'));
create domain gavel.soft_trigger as text collate "C" check (value in
    ('not-own-raise', 'any', 'leader-change'));
create domain gavel.event_kind as text collate "C" check (value in
    ('auction.closed', 'auction.cancelled'));
create domain gavel.close_result as text collate "C" check (value in
    ('sold', 'no-bids', 'reserve-not-met'));
create domain gavel.event_state as text collate "C" check (value in
    ('pending', 'sent', 'parked'));

-- ---------------------------------------------------------------------------------------- tables

create table gavel.auctions (
    auction_id     bigint  not null primary key,
    shard          integer not null generated always as (
                       ((auction_id % 1000003) * 40503 % 65536) / 2048) stored,
    status         gavel.auction_status not null,

    seller         text    collate "C" not null,
    title          text    collate "C" not null,
    currency       text    collate "C" not null,
    exponent       integer not null,
    start_price    gavel.amount not null,
    steps_name     text    collate "C" not null,
    steps          gavel.steps not null,  -- {from, step, from, step, …}
    reserve        gavel.amount,
    own_raise      gavel.own_raise not null,
    soft_window_us bigint,
    soft_extend_us bigint,
    soft_mode      gavel.soft_mode,
    soft_trigger   gavel.soft_trigger,
    soft_cap_us    bigint,
    start_us       bigint  not null,
    first_end_us   bigint  not null,
    end_us         bigint  not null,

    leader         text    collate "C",
    leader_max     bigint,
    runner_up_max  bigint,
    price          bigint,
    reserve_met    boolean not null default false,
    bid_count      bigint  not null default 0,
    last_seq       integer not null,
    last_us        bigint  not null,
    head           gavel.digest not null,

    closer_epoch   bigint  not null default 0,
    closing_us     bigint,
    closed_us      bigint,
    winner         text    collate "C",
    final_price    bigint,

    owner_node     text    collate "C",
    owner_epoch    bigint  not null default 0,
    owner_lease_us bigint
) with (fillfactor = 80);  -- room for a bid's update on the same page

-- What a closer looks for: open auctions that no hot-mode node owns, by shard and end.
create index auctions_due on gavel.auctions (shard, end_us)
    where status = 'OPEN' and owner_node is null;
-- What a reaper looks for: claims, by shard and age.
create index auctions_claimed on gavel.auctions (shard, closing_us) where status = 'CLOSING';
create index auctions_end on gavel.auctions (end_us, auction_id);
create index auctions_seller on gavel.auctions (seller, end_us, auction_id);

create table gavel.ledger (
    auction_id bigint   not null references gavel.auctions (auction_id),
    seq        integer  not null,
    kind       gavel.entry_kind not null,
    flags      gavel.entry_flags not null,
    at_us      bigint   not null,
    request_id uuid     not null,
    secret     gavel.amount,
    price      gavel.amount,
    end_us     bigint   not null,
    actor      text     collate "C" not null,
    nonce      gavel.nonce,
    detail     text     collate "C" not null,
    leader     text     collate "C",
    hash       gavel.digest not null,
    primary key (auction_id, seq),
    unique (auction_id, request_id)
);

-- The one index that does not lead with auction_id: it is not unique, so it may.
create index ledger_bidder on gavel.ledger (actor, auction_id) where kind = 2;

create table gavel.outbox (
    auction_id  bigint  not null references gavel.auctions (auction_id),
    event_id    text    collate "C" not null,
    kind        gavel.event_kind not null,
    result      gavel.close_result,
    winner      text    collate "C",
    price       bigint,
    end_us      bigint  not null,
    closed_us   bigint  not null,
    ledger_head gavel.digest not null,
    state       gavel.event_state not null default 'pending',
    attempts    integer not null default 0,
    next_us     bigint  not null default 0,
    primary key (auction_id, event_id)
);

create index outbox_pending on gavel.outbox (next_us, auction_id) where state = 'pending';

create table gavel.watchers (
    auction_id bigint not null references gavel.auctions (auction_id),
    watcher    text   collate "C" not null,
    primary key (auction_id, watcher)
);

create index watchers_watcher on gavel.watchers (watcher, auction_id);

-- ------------------------------------------------------------------------- clock, steps, bytes

-- The only clock, read where the data is. Only a test harness replaces it.
create function gavel.clock_us() returns bigint
language sql volatile
as $$ select (extract(epoch from clock_timestamp()) * 1000000)::bigint $$;

-- The step at an amount: the last rung whose threshold is not above it, else the first.
create function gavel.step_at(p_steps bigint[], p_amount bigint) returns bigint
language plpgsql immutable
as $$
begin
    for v_rung in reverse cardinality(p_steps) - 1 .. 3 by 2 loop
        if p_steps[v_rung] <= p_amount then
            return p_steps[v_rung + 1];
        end if;
    end loop;
    return p_steps[2];
end $$;

-- What a bidder or a closer must know to read and write an auction's amounts; nulls without one.
create function gavel.auction_currency(p_auction_id bigint, out code text, out exponent integer)
language sql stable security definer
set search_path = gavel, pg_temp
as $$ select a.currency, a.exponent from gavel.auctions a where a.auction_id = p_auction_id $$;

-- The same of many; no row where there is no such auction.
create function gavel.auction_currencies(p_auction_ids bigint[])
    returns table (auction_id bigint, currency text, exponent bigint)
language sql stable security definer
set search_path = gavel, pg_temp
as $$ select a.auction_id, a.currency, a.exponent::bigint from gavel.auctions a
      where a.auction_id = any (p_auction_ids) $$;

-- Hides an amount while binding it.
create function gavel.commitment(p_nonce bytea, p_secret bigint) returns bytea
language sql immutable
as $$
    select case when p_secret is null then decode(repeat('00', 32), 'hex')
                else sha256(p_nonce || int8send(p_secret)) end
$$;

-- The chain: sha256 over the canonical bytes of an entry after the hash before it.
-- No literal holds a backslash: what that means is a setting of the session.
create function gavel.entry_hash(
    p_prev bytea, p_kind integer, p_auction_id bigint, p_seq bigint, p_at_us bigint,
    p_request_id uuid, p_actor text, p_commit bytea, p_detail text, p_price bigint,
    p_leader text, p_end_us bigint, p_flags integer
) returns bytea
language sql stable
as $$
    select sha256(
        decode('474156454c31', 'hex')
        || p_prev
        || set_byte(decode('00', 'hex'), 0, p_kind)
        || int8send(p_auction_id)
        || int8send(p_seq)
        || int8send(p_at_us)
        || uuid_send(p_request_id)
        || int4send(octet_length(p_actor)) || convert_to(p_actor, 'UTF8')
        || p_commit
        || int4send(octet_length(p_detail)) || convert_to(p_detail, 'UTF8')
        || int8send(coalesce(p_price, 0))
        || int4send(octet_length(coalesce(p_leader, '')))
        || convert_to(coalesce(p_leader, ''), 'UTF8')
        || int8send(p_end_us)
        || set_byte(decode('00', 'hex'), 0, p_flags))
$$;

-- ---------------------------------------------------------------------------------------- bids

-- The answer to a request id that stands in the ledger: the first answer, rebuilt from the entry,
-- or which field differs.
create function gavel.bid_repeated(
    p_auction_id bigint, p_seq integer, p_bidder text, p_maximum bigint,
    out outcome text, out seq integer, out at_us bigint, out price bigint, out "leading" boolean,
    out end_us bigint, out extended boolean, out minimum bigint, out now_us bigint,
    out voided boolean, out hint text
)
language plpgsql stable
as $$
declare
    e record;
begin
    select l.kind, l.actor, l.secret, l.at_us, l.price, l.leader, l.end_us, l.flags, a.steps
      into strict e
      from gavel.ledger l join gavel.auctions a on a.auction_id = l.auction_id
     where l.auction_id = p_auction_id and l.seq = p_seq;
    hint := case when e.kind <> 2 then 'kind'
                 when e.actor <> p_bidder then 'bidder'
                 when e.secret is distinct from p_maximum then 'maximum' end;
    if hint is not null then
        outcome := 'request-id-reused';
        return;
    end if;
    outcome := 'duplicate';
    seq := p_seq;
    at_us := e.at_us;
    price := e.price;
    "leading" := e.leader is not distinct from e.actor;
    end_us := e.end_us;
    extended := e.flags & 2 <> 0;
    minimum := e.price + gavel.step_at(e.steps, e.price);
    -- The operator's words are read here, never written: JSON is made in Rust only.
    select exists (
        select from gavel.ledger v
         where v.auction_id = p_auction_id and v.kind = 3 and v.seq > p_seq
           and v.detail::jsonb -> 'targets' @> to_jsonb(p_seq))
      into voided;
end $$;

-- Places a bid: one row, whatever happens. outcome is accepted, duplicate or a refusal.
-- hint: the field that differs (request-id-reused), the currency and its exponent
-- (wrong-currency), the start in microseconds (not-started).
create function gavel.place_bid(
    p_auction_id bigint, p_request_id uuid, p_bidder text, p_maximum bigint, p_currency text,
    p_nonce bytea,
    out outcome text, out seq integer, out at_us bigint, out price bigint, out "leading" boolean,
    out end_us bigint, out extended boolean, out minimum bigint, out now_us bigint,
    out voided boolean, out hint text
)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    amount_max constant bigint := 1000000000000000;
    instant_max constant bigint := 253402207200999999;
    seen record;        -- the row before the lock
    a record;           -- the row under the lock
    v_seq integer;
    v_t bigint;
    v_leader text;
    v_leader_max bigint;
    v_runner_up_max bigint;
    v_price bigint;
    v_own_raise boolean;
    v_reserve_met boolean;
    v_end_us bigint;
    v_flags integer;
    v_hash bytea;
begin
    -- A call that gavel cannot make; nothing of it may reach the ledger.
    if p_auction_id is null or p_request_id is null or p_maximum is null or p_currency is null
       or p_bidder is null or p_bidder !~ '^[A-Za-z0-9._:@-]{1,64}$'
       or p_nonce is null or octet_length(p_nonce) <> 16 then
        raise exception 'place_bid: an argument is not valid'
            using errcode = 'invalid_parameter_value';
    end if;

    -- Row and request id from one snapshot.
    select x.status, x.owner_node, x.currency, x.seller, x.start_price, x.steps, x.start_us,
           x.end_us, x.leader, x.price, x.last_seq, x.last_us, l.seq as repeats
      into seen
      from gavel.auctions x
      left join gavel.ledger l on l.auction_id = x.auction_id and l.request_id = p_request_id
     where x.auction_id = p_auction_id;
    now_us := gavel.clock_us();
    if seen.last_seq is null then
        outcome := 'not-found';
        return;
    end if;
    v_seq := seen.repeats;

    if v_seq is null then
        -- Refusals that need no lock: what this snapshot refuses was to be refused then, and the
        -- price only falls by a void. Nothing that comes earlier in the order may apply, and
        -- never `ended`: an extension may be in flight.
        v_t := greatest(now_us, seen.last_us);
        if seen.status = 'OPEN' and seen.owner_node is null and seen.currency = p_currency
           and v_t >= seen.start_us and v_t < seen.end_us and seen.seller <> p_bidder
           and p_maximum <= amount_max then
            if seen.leader is null then
                if p_maximum < seen.start_price then
                    outcome := 'below-start';
                    minimum := seen.start_price;
                    return;
                end if;
            elsif seen.leader <> p_bidder then
                minimum := seen.price + gavel.step_at(seen.steps, seen.price);
                if p_maximum < minimum then
                    outcome := 'too-low';
                    return;
                end if;
                minimum := null;
            end if;
        end if;

        -- The lock. It does not collide with the share locks of foreign keys.
        select x.status, x.owner_node, x.currency, x.exponent, x.seller, x.start_price, x.steps,
               x.reserve, x.own_raise, x.soft_window_us, x.soft_extend_us, x.soft_mode,
               x.soft_trigger, x.soft_cap_us, x.start_us, x.end_us, x.leader, x.leader_max,
               x.runner_up_max, x.price, x.bid_count, x.last_seq, x.last_us, x.head
          into a
          from gavel.auctions x
         where x.auction_id = p_auction_id
           for no key update;
        -- The clock, only now: what waited for the lock is judged by when it got it.
        now_us := gavel.clock_us();
        if a.last_seq is null then
            outcome := 'not-found';
            return;
        end if;
        -- Every entry moves last_seq, so without a move the first look-up still holds.
        if a.last_seq <> seen.last_seq then
            select l.seq into v_seq
              from gavel.ledger l
             where l.auction_id = p_auction_id and l.request_id = p_request_id;
        end if;
    end if;

    if v_seq is not null then
        select r.outcome, r.seq, r.at_us, r.price, r."leading", r.end_us, r.extended, r.minimum,
               r.voided, r.hint
          into outcome, seq, at_us, price, "leading", end_us, extended, minimum, voided, hint
          from gavel.bid_repeated(p_auction_id, v_seq, p_bidder, p_maximum) r;
        return;
    end if;

    -- The first refusal in the documented order: one expression, for each one that plpgsql meets
    -- is set up anew in every transaction.
    v_t := greatest(now_us, a.last_us);
    outcome := case
        when a.currency <> p_currency then 'wrong-currency'
        when a.status = 'CANCELLED' then 'cancelled'
        when a.owner_node is not null then 'owned'
        when v_t < a.start_us then 'not-started'
        when v_t >= a.end_us or a.status <> 'OPEN' then 'ended'
        when a.seller = p_bidder then 'seller-cannot-bid'
        when p_maximum > amount_max then 'too-high'
        when a.leader is null then
            case when p_maximum < a.start_price then 'below-start' end
        when a.leader = p_bidder then
            case when p_maximum <= a.leader_max then 'not-above-own-maximum' end
        when p_maximum < a.price + gavel.step_at(a.steps, a.price) then 'too-low'
    end;
    if outcome is not null then
        hint := case outcome when 'wrong-currency' then a.currency || ' ' || a.exponent
                             when 'not-started' then a.start_us::text end;
        end_us := case outcome when 'ended' then a.end_us end;
        minimum := case outcome when 'below-start' then a.start_price
                                when 'too-low' then a.price + gavel.step_at(a.steps, a.price) end;
        return;
    end if;

    -- Leader and runner-up.
    v_own_raise := a.leader is not distinct from p_bidder;
    if a.leader is null or v_own_raise then
        v_leader := p_bidder;
        v_leader_max := p_maximum;
        v_runner_up_max := case when v_own_raise then a.runner_up_max end;
    elsif p_maximum > a.leader_max then
        v_leader := p_bidder;
        v_leader_max := p_maximum;
        v_runner_up_max := a.leader_max;
    else
        v_leader := a.leader;
        v_leader_max := a.leader_max;
        v_runner_up_max := greatest(a.runner_up_max, p_maximum);
    end if;

    -- Price and reserve.
    if v_own_raise and a.own_raise = 'keep' then
        v_price := a.price;
    elsif v_runner_up_max is null then
        v_price := a.start_price;
    else
        v_price := least(v_leader_max,
                         v_runner_up_max + gavel.step_at(a.steps, v_runner_up_max));
    end if;
    v_reserve_met := a.reserve is null or v_leader_max >= a.reserve;
    if v_reserve_met and a.reserve is not null then
        v_price := greatest(v_price, a.reserve);
    end if;

    -- Soft close.
    v_end_us := a.end_us;
    if a.soft_window_us is not null and a.end_us - v_t < a.soft_window_us
       and (a.soft_trigger = 'any'
            or a.soft_trigger = 'not-own-raise' and not v_own_raise
            or a.soft_trigger = 'leader-change' and a.leader is distinct from v_leader) then
        v_end_us := case a.soft_mode when 'reset' then v_t else a.end_us end + a.soft_extend_us;
        v_end_us := least(v_end_us, instant_max, a.soft_cap_us);
        v_end_us := greatest(v_end_us, a.end_us);
    end if;

    seq := a.last_seq + 1;
    extended := v_end_us > a.end_us;
    v_flags := v_reserve_met::integer | (extended::integer << 1);
    v_hash := gavel.entry_hash(a.head, 2, p_auction_id, seq, v_t, p_request_id, p_bidder,
                               gavel.commitment(p_nonce, p_maximum), '', v_price, v_leader,
                               v_end_us, v_flags);

    -- The entry before the row: its foreign key then finds the row locked by us and unchanged.
    insert into gavel.ledger (auction_id, seq, kind, flags, at_us, request_id, secret, price,
                              end_us, actor, nonce, detail, leader, hash)
    values (p_auction_id, seq, 2, v_flags, v_t, p_request_id, p_maximum, v_price, v_end_us,
            p_bidder, p_nonce, '', v_leader, v_hash);
    update gavel.auctions x
       set leader = v_leader, leader_max = v_leader_max, runner_up_max = v_runner_up_max,
           price = v_price, reserve_met = v_reserve_met, bid_count = x.bid_count + 1,
           end_us = v_end_us, last_seq = place_bid.seq, last_us = v_t, head = v_hash
     where x.auction_id = p_auction_id;

    outcome := 'accepted';
    at_us := v_t;
    price := v_price;
    "leading" := v_leader = p_bidder;
    end_us := v_end_us;
    minimum := v_price + gavel.step_at(a.steps, v_price);
    voided := false;
end $$;

-- ------------------------------------------------------------------------------------- closing

-- An UPDATE by an array of ids is left out where the array is empty, below and in what follows:
-- the planner takes "any of none" to imply whatever a partial index says, and walks that index.

-- Closes auctions that the caller has locked and judged: status, result and event.
create function gavel.close_locked(p_auction_ids bigint[], p_now bigint)
returns table (auction_id bigint, event_id text, result text, winner text, price bigint,
               end_us bigint, closed_us bigint, ledger_head bytea)
language plpgsql
as $$
begin
    if cardinality(p_auction_ids) = 0 then
        return;
    end if;
    return query
    with closed as (
        update gavel.auctions a
           set status = case when a.leader is null or a.reserve_met then 'CLOSED'
                             else 'CLOSED_RESERVE_NOT_MET' end,
               winner = case when a.reserve_met then a.leader end,
               final_price = case when a.reserve_met then a.price end,
               -- A clock that stepped back does not close before the claim.
               closed_us = greatest(p_now, a.closing_us)
         where a.auction_id = any (p_auction_ids)
        returning a.auction_id, a.leader, a.winner, a.final_price, a.end_us, a.closed_us, a.head
    ), told as (
        insert into gavel.outbox as o (auction_id, event_id, kind, result, winner, price, end_us,
                                       closed_us, ledger_head)
        select c.auction_id, c.auction_id::text || '.closed', 'auction.closed',
               case when c.leader is null then 'no-bids'
                    when c.winner is null then 'reserve-not-met'
                    else 'sold' end,
               c.winner, c.final_price, c.end_us, c.closed_us, c.head
          from closed c
        returning o.auction_id, o.event_id, o.result, o.winner, o.price, o.end_us, o.closed_us,
                  o.ledger_head
    )
    select t.auction_id, t.event_id, t.result::text, t.winner, t.price, t.end_us, t.closed_us,
           t.ledger_head::bytea
      from told t
     order by t.end_us, t.auction_id;
end $$;

-- Closes up to p_limit due auctions of a shard with ids from p_first to p_last, earliest end
-- first: passes over p_skip and what others have locked; the locking read judges the newest version
-- of each row. `+ 0`: a plain range would let the planner walk the primary key instead.
create function gavel.close_due(p_shard integer, p_first bigint, p_last bigint, p_limit integer,
                                p_skip bigint[])
returns table (auction_id bigint, event_id text, result text, winner text, price bigint,
               end_us bigint, closed_us bigint, ledger_head bytea)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    -- Read before the locks: that can only find less to be due.
    v_now bigint := gavel.clock_us();
    v_skip bigint[] := coalesce(p_skip, '{}');
    v_due bigint[];
begin
    v_due := array(
        select d.auction_id
          from gavel.auctions d
         where d.shard = p_shard and d.status = 'OPEN' and d.owner_node is null
           and d.end_us <= v_now and d.auction_id <> all (v_skip)
           and d.auction_id + 0 between p_first and p_last
         order by d.end_us
         limit p_limit
           for no key update skip locked);
    return query select * from gavel.close_locked(v_due, v_now);
end $$;

-- The functions from here on that take ids find rows by them. A plain `status = …` would let the
-- planner walk a partial index instead, where whatever was closed since the last vacuum still
-- stands; `status || ''` does not.

-- Locks those of these auctions that are due, passing over what others have locked.
create function gavel.lock_due(p_auction_ids bigint[], p_now bigint) returns bigint[]
language plpgsql
as $$
begin
    return array(
        select d.auction_id
          from gavel.auctions d
         where d.auction_id = any (p_auction_ids) and d.status || '' = 'OPEN'
           and d.owner_node is null and d.end_us <= p_now
           for no key update skip locked);
end $$;

-- Closes those of these auctions that are due, passing over what others have locked.
create function gavel.close_these(p_auction_ids bigint[])
returns table (auction_id bigint, event_id text, result text, winner text, price bigint,
               end_us bigint, closed_us bigint, ledger_head bytea)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    v_now bigint := gavel.clock_us();
    v_due bigint[];
begin
    v_due := gavel.lock_due(p_auction_ids, v_now);
    return query select * from gavel.close_locked(v_due, v_now);
end $$;

-- Claims those of these auctions that are due, passing over what others have locked. The epoch
-- fences: only who has the latest may close.
create function gavel.claim_these(p_auction_ids bigint[])
returns table (auction_id bigint, epoch bigint)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    v_now bigint := gavel.clock_us();
    v_due bigint[];
begin
    v_due := gavel.lock_due(p_auction_ids, v_now);
    if cardinality(v_due) = 0 then
        return;
    end if;
    return query
    update gavel.auctions a
       set status = 'CLOSING', closer_epoch = a.closer_epoch + 1, closing_us = v_now
     where a.auction_id = any (v_due)
    returning a.auction_id, a.closer_epoch;
end $$;

-- The fence: locks what is claimed with these epochs and not fenced out since (reaped, claimed by
-- another or closed). Waits for locks: whoever bids now is refused in a moment. In order, so that
-- no two closers wait for each other.
create function gavel.lock_claims(p_auction_ids bigint[], p_epochs bigint[]) returns bigint[]
language plpgsql
as $$
begin
    return array(
        select d.auction_id
          from gavel.auctions d
          join unnest(p_auction_ids, p_epochs) c (auction_id, epoch)
            on c.auction_id = d.auction_id and c.epoch = d.closer_epoch
         where d.status || '' = 'CLOSING'
         order by d.auction_id
           for no key update of d);
end $$;

-- Closes what the caller still has.
create function gavel.close_claimed(p_auction_ids bigint[], p_epochs bigint[])
returns table (auction_id bigint, event_id text, result text, winner text, price bigint,
               end_us bigint, closed_us bigint, ledger_head bytea)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    v_own bigint[];
begin
    v_own := gavel.lock_claims(p_auction_ids, p_epochs);
    return query select * from gavel.close_locked(v_own, gavel.clock_us());
end $$;

-- Gives claims back that could not be closed.
create function gavel.release_claims(p_auction_ids bigint[], p_epochs bigint[])
returns setof bigint
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    v_own bigint[];
begin
    v_own := gavel.lock_claims(p_auction_ids, p_epochs);
    if cardinality(v_own) = 0 then
        return;
    end if;
    return query
    update gavel.auctions a set status = 'OPEN', closing_us = null
     where a.auction_id = any (v_own)
    returning a.auction_id;
end $$;

-- Gives back up to p_limit claims that are older than p_timeout_us: their closers are gone, or
-- will find themselves fenced out.
create function gavel.reap_claims(p_shards integer[], p_first bigint, p_last bigint,
                                  p_timeout_us bigint, p_limit integer)
returns setof bigint
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    v_before bigint := gavel.clock_us() - p_timeout_us;
    v_stuck bigint[];
begin
    v_stuck := array(
        select d.auction_id
          from gavel.auctions d
         where d.shard = any (p_shards) and d.status = 'CLOSING' and d.closing_us <= v_before
           and d.auction_id + 0 between p_first and p_last
         order by d.closing_us
         limit p_limit
           for no key update skip locked);
    if cardinality(v_stuck) = 0 then
        return;
    end if;
    return query
    update gavel.auctions a set status = 'OPEN', closing_us = null
     where a.auction_id = any (v_stuck) and a.status || '' = 'CLOSING'
       and a.closing_us <= v_before
    returning a.auction_id;
end $$;

-- Closes one auction if it is due, be it claimed by a closer or not: one row, whatever happens.
-- outcome is closed, already-closed (with the event of then), not-due, cancelled, owned or
-- not-found.
create function gavel.close_one(
    p_auction_id bigint,
    out outcome text, out result text, out winner text, out price bigint, out end_us bigint,
    out closed_us bigint, out ledger_head bytea, out now_us bigint
)
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
as $$
declare
    a record;
    v_status text;
begin
    select x.status, x.owner_node, x.leader, x.price, x.reserve_met, x.end_us, x.closing_us, x.head
      into a
      from gavel.auctions x
     where x.auction_id = p_auction_id
       for no key update;
    now_us := gavel.clock_us();
    end_us := a.end_us;
    if a.status is null then
        outcome := 'not-found';
    elsif a.status = 'CANCELLED' then
        outcome := 'cancelled';
    elsif a.status in ('CLOSED', 'CLOSED_RESERVE_NOT_MET') then
        outcome := 'already-closed';
        select o.result, o.winner, o.price, o.end_us, o.closed_us, o.ledger_head
          into result, winner, price, end_us, closed_us, ledger_head
          from gavel.outbox o
         where o.auction_id = p_auction_id and o.kind = 'auction.closed';
    elsif a.owner_node is not null then
        outcome := 'owned';
    elsif a.end_us > now_us then
        outcome := 'not-due';
    end if;
    if outcome is not null then
        return;
    end if;

    outcome := 'closed';
    closed_us := greatest(now_us, a.closing_us);
    ledger_head := a.head;
    v_status := 'CLOSED';
    if a.leader is null then
        result := 'no-bids';
    elsif a.reserve_met then
        result := 'sold';
        winner := a.leader;
        price := a.price;
    else
        result := 'reserve-not-met';
        v_status := 'CLOSED_RESERVE_NOT_MET';
    end if;
    update gavel.auctions x
       set status = v_status, winner = close_one.winner, final_price = close_one.price,
           closed_us = close_one.closed_us
     where x.auction_id = p_auction_id;
    insert into gavel.outbox (auction_id, event_id, kind, result, winner, price, end_us,
                              closed_us, ledger_head)
    values (p_auction_id, p_auction_id::text || '.closed', 'auction.closed', close_one.result,
            close_one.winner, close_one.price, close_one.end_us, close_one.closed_us,
            close_one.ledger_head);
end $$;

-- --------------------------------------------------------------------------------- load generation

-- Removes up to p_limit auctions of load-generation runs (ids from 10^15 up, of the seller that runs
-- have) with all that belongs to them; returns how many. Nobody is given the right to call it: it is the owner's alone.
create function gavel.burst_remove(p_first bigint, p_last bigint, p_limit integer) returns bigint
language plpgsql security definer
set search_path = gavel, pg_temp
set lock_timeout = '2s'
set gavel.burst_removal = 'on'
as $$
declare
    v_ids bigint[];
begin
    if p_first is null or p_first < 1000000000000000 then
        raise exception 'burst_remove: ids from 1000000000000000 up alone'
            using errcode = 'invalid_parameter_value';
    end if;
    v_ids := array(
        select a.auction_id
          from gavel.auctions a
         where a.auction_id between p_first and p_last and a.seller = 'burst-seller'
         order by a.auction_id
         limit p_limit
           for update);
    delete from gavel.outbox o where o.auction_id = any (v_ids);
    delete from gavel.watchers w where w.auction_id = any (v_ids);
    delete from gavel.ledger l where l.auction_id = any (v_ids);
    delete from gavel.auctions a where a.auction_id = any (v_ids);
    return cardinality(v_ids);
end $$;

-- --------------------------------------------------------------------------------------- views

-- A bidder's name for the public: per auction, by first bid.
create view gavel.bidder_aliases with (security_barrier) as
select f.auction_id, f.bidder,
       'Bidder ' || row_number() over (partition by f.auction_id order by f.first_seq) as alias
  from (select l.auction_id, l.actor as bidder, min(l.seq) as first_seq
          from gavel.ledger l
         where l.kind = 2
         group by l.auction_id, l.actor) f;

create view gavel.public_auctions with (security_barrier) as
select a.auction_id, a.status, a.seller, a.title, a.currency, a.exponent, a.start_price,
       a.steps_name, a.steps, a.own_raise, a.soft_window_us, a.soft_extend_us, a.soft_mode,
       a.soft_trigger,
       timestamptz 'epoch' + a.soft_cap_us * interval '1 microsecond' as soft_cap,
       timestamptz 'epoch' + a.start_us * interval '1 microsecond' as starts,
       timestamptz 'epoch' + a.first_end_us * interval '1 microsecond' as first_end,
       timestamptz 'epoch' + a.end_us * interval '1 microsecond' as ends,
       l.alias as leader, a.price, a.reserve_met, a.bid_count, a.last_seq, a.head,
       timestamptz 'epoch' + a.closed_us * interval '1 microsecond' as closed,
       w.alias as winner, a.final_price
  from gavel.auctions a
  left join gavel.bidder_aliases l on l.auction_id = a.auction_id and l.bidder = a.leader
  left join gavel.bidder_aliases w on w.auction_id = a.auction_id and w.bidder = a.winner;

-- Details of terms are public; those of a void name a bidder.
create view gavel.public_ledger with (security_barrier) as
select e.auction_id, e.seq, e.kind,
       timestamptz 'epoch' + e.at_us * interval '1 microsecond' as at,
       case when e.kind = 2 then b.alias
            when e.actor = a.seller then 'seller'
            else 'operator' end as actor,
       case when e.secret is null then decode(repeat('00', 32), 'hex')
            else sha256(e.nonce || int8send(e.secret)) end as commit,
       case when e.kind in (1, 4) then e.detail end as detail,
       e.price, l.alias as leader,
       timestamptz 'epoch' + e.end_us * interval '1 microsecond' as ends,
       e.flags, e.hash
  from gavel.ledger e
  join gavel.auctions a on a.auction_id = e.auction_id
  left join gavel.bidder_aliases b on b.auction_id = e.auction_id and b.bidder = e.actor
  left join gavel.bidder_aliases l on l.auction_id = e.auction_id and l.bidder = e.leader;

-- Everything, maxima and reserves included; by name, for auditors.
create view gavel.auditor_auctions with (security_barrier) as
select a.*,
       timestamptz 'epoch' + a.start_us * interval '1 microsecond' as starts,
       timestamptz 'epoch' + a.end_us * interval '1 microsecond' as ends,
       timestamptz 'epoch' + a.closed_us * interval '1 microsecond' as closed
  from gavel.auctions a;

create view gavel.auditor_ledger with (security_barrier) as
select e.*,
       timestamptz 'epoch' + e.at_us * interval '1 microsecond' as at,
       timestamptz 'epoch' + e.end_us * interval '1 microsecond' as ends,
       case when e.secret is null then decode(repeat('00', 32), 'hex')
            else sha256(e.nonce || int8send(e.secret)) end as commit
  from gavel.ledger e;

-- ------------------------------------------------------------------------- privileges, triggers

-- Triggers cannot stand on distributed tables; privileges guard the ledger everywhere.
do $guard$
begin
    if exists (select from pg_extension where extname = 'citus') then
        return;
    end if;
    -- Rows of load-generation runs (ids from 10^15 up) may go, through their clean-up alone.
    create function gavel.ledger_append_only() returns trigger
    language plpgsql
    as $$
    begin
        if tg_op = 'DELETE' and old.auction_id >= 1000000000000000
           and current_setting('gavel.burst_removal', true) = 'on' then
            return old;
        end if;
        raise exception 'ledger rows are never updated or deleted'
            using errcode = 'integrity_constraint_violation';
    end $$;
    create trigger ledger_append_only before update or delete on gavel.ledger
        for each row execute function gavel.ledger_append_only();
    create trigger ledger_never_truncated before truncate on gavel.ledger
        for each statement execute function gavel.ledger_append_only();
end $guard$;

revoke all on schema gavel from public;
revoke all on all tables in schema gavel from public;
revoke all on all functions in schema gavel from public;
