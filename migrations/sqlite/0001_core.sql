-- Money is in minor units, instants are in Unix microseconds. 0 is never stored for "none" here:
-- absent values are null; the zeros of the canonical bytes are made when hashing.

create table meta (
    name  text not null primary key,
    value text not null
) strict, without rowid;

insert into meta (name, value) values (
    'installation',
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
          || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
);

-- Goes into the request ids that follow from an uploaded file; who knows it could try amounts.
create table upload_key (
    key blob not null check (length(key) = 32)
) strict;

insert into upload_key (key) values (randomblob(32));


create table auctions (
    auction_id     integer not null primary key check (auction_id between 1 and 9007199254740991),
    shard          integer not null generated always as (
                       ((auction_id % 1000003) * 40503 % 65536) / 2048) stored,
    status         text    not null check (status in
                       ('OPEN', 'CLOSING', 'CLOSED', 'CLOSED_RESERVE_NOT_MET', 'CANCELLED')),

    seller         text    not null,
    title          text    not null,
    currency       text    not null,
    exponent       integer not null,
    start_price    integer not null check (start_price between 1 and 1000000000000000),
    steps_name     text    not null,
    steps          text    not null,  -- [[from, step], …]
    reserve        integer check (reserve between 1 and 1000000000000000),
    own_raise      text    not null check (own_raise in ('keep', 'reprice')),
    soft_window_us integer,
    soft_extend_us integer,
    soft_mode      text    check (soft_mode in ('reset', 'add')),
    soft_trigger   text    check (soft_trigger in ('not-own-raise', 'any', 'leader-change')),
    soft_cap_us    integer,
    start_us       integer not null,
    first_end_us   integer not null,
    end_us         integer not null,

    leader         text,
    leader_max     integer,
    runner_up_max  integer,
    price          integer,
    reserve_met    integer not null default 0 check (reserve_met in (0, 1)),
    bid_count      integer not null default 0,
    last_seq       integer not null,
    last_us        integer not null,
    head           blob    not null check (length(head) = 32),

    closer_epoch   integer not null default 0,
    closing_us     integer,
    closed_us      integer,
    winner         text,
    final_price    integer,

    owner_node     text,
    owner_epoch    integer not null default 0,
    owner_lease_us integer,

    check ((leader is null) = (price is null)),
    check ((winner is null) = (final_price is null)),
    check ((soft_window_us is null) = (soft_extend_us is null))
) strict;

-- What a closer looks for: open auctions that no hot-mode node owns, by shard and end.
create index auctions_due on auctions (shard, end_us) where status = 'OPEN' and owner_node is null;
-- What a reaper looks for: claims, by shard and age.
create index auctions_claimed on auctions (shard, closing_us) where status = 'CLOSING';
create index auctions_end on auctions (end_us, auction_id);
create index auctions_seller on auctions (seller, end_us, auction_id);

create table ledger (
    auction_id integer not null references auctions (auction_id),
    seq        integer not null check (seq >= 1),
    kind       integer not null check (kind between 1 and 5),
    at_us      integer not null,
    request_id blob    not null check (length(request_id) = 16),
    actor      text    not null,
    secret     integer check (secret between 1 and 1000000000000000),
    nonce      blob    check (length(nonce) = 16),
    detail     text    not null,
    price      integer,
    leader     text,
    end_us     integer not null,
    flags      integer not null check (flags between 0 and 3),
    hash       blob    not null check (length(hash) = 32),
    primary key (auction_id, seq),
    unique (auction_id, request_id),
    check ((secret is null) = (nonce is null))
) strict, without rowid;

create index ledger_bidder on ledger (actor, auction_id) where kind = 2;

create trigger ledger_never_updated before update on ledger
begin
    select raise(abort, 'ledger rows are never updated');
end;

-- Rows of load-generation runs (ids from 10^15 up) may go, through their clean-up alone.
create trigger ledger_never_deleted before delete on ledger
when old.auction_id < 1000000000000000
begin
    select raise(abort, 'ledger rows are never deleted');
end;

create table outbox (
    auction_id  integer not null references auctions (auction_id),
    event_id    text    not null,
    kind        text    not null check (kind in ('auction.closed', 'auction.cancelled')),
    result      text    check (result in ('sold', 'no-bids', 'reserve-not-met')),
    winner      text,
    price       integer,
    end_us      integer not null,
    closed_us   integer not null,
    ledger_head blob    not null check (length(ledger_head) = 32),
    state       text    not null default 'pending' check (state in ('pending', 'sent', 'parked')),
    attempts    integer not null default 0,
    next_us     integer not null default 0,
    primary key (auction_id, event_id)
) strict, without rowid;

create index outbox_pending on outbox (next_us, auction_id) where state = 'pending';

create table watchers (
    auction_id integer not null references auctions (auction_id),
    watcher    text    not null,
    primary key (auction_id, watcher)
) strict, without rowid;

create index watchers_watcher on watchers (watcher, auction_id);
