-- What leaves the server: where replies go, each part of each, and the webhooks of threads.

create table destinations (
    destination_id uuid primary key,
    -- a place of a platform; what it does not have is the empty text
    source text collate "C" not null,
    workspace text collate "C" not null,
    channel text collate "C" not null,
    external_thread text collate "C" not null,
    thread_id uuid not null,
    created_at timestamptz not null,
    -- who sends there now, until when by the database's clock
    holder uuid,
    held_until timestamptz,
    -- when there is something to do again, null if nothing waits; and how often in a row it failed
    next_at timestamptz,
    failures int not null default 0,
    unique (source, workspace, channel, external_thread)
);
create index destinations_by_thread on destinations (thread_id);
create index destinations_due on destinations (next_at) where next_at is not null;

create table deliveries (
    delivery_id uuid primary key,
    -- the order in which parts are sent; a place may hear one thread after another, so seq alone does not tell
    turn bigint generated always as identity,
    destination_id uuid not null,
    thread_id uuid not null,
    seq bigint not null,
    message_id text collate "C" not null,
    run_id text collate "C",
    -- the message that it changes, where it is not one itself; no content takes the part back
    revises bigint,
    part int not null,
    parts int not null,
    content text not null,
    -- by which the platform can be asked for it
    marker text collate "C" not null,
    -- waiting, sending, sent, uncertain, dead
    state text collate "C" not null,
    attempts int not null default 0,
    external_id text collate "C",
    -- why it is not there, for people
    problem text,
    created_at timestamptz not null,
    -- when it was first handed over, as far as it may be there from then, and when last
    begun_at timestamptz,
    tried_at timestamptz,
    ended_at timestamptz,
    unique (destination_id, thread_id, seq, part)
);
-- What is still to be sent, in its order.
create index deliveries_open on deliveries (destination_id, turn) where state in ('waiting', 'sending');
create index deliveries_by_thread on deliveries (thread_id, seq, part);
create unique index deliveries_by_marker on deliveries (marker);
create index deliveries_by_external on deliveries (external_id, destination_id) where external_id is not null;
create index deliveries_by_place on deliveries (destination_id, turn);
create index deliveries_dead on deliveries (turn) where state in ('dead', 'uncertain');

create table webhooks (
    webhook_id uuid primary key,
    thread_id uuid not null,
    -- who made it: it is sent what this one may read
    owner text collate "C" not null,
    -- the credential by which, so that it ends with it
    credential uuid,
    callback_url text not null,
    -- everything up to here was taken
    position bigint not null,
    state text collate "C" not null,
    failing_since timestamptz,
    failures int not null default 0,
    problem text,
    holder uuid,
    held_until timestamptz,
    next_at timestamptz not null,
    created_at timestamptz not null
);
create index webhooks_by_thread on webhooks (thread_id);
create index webhooks_failing on webhooks (next_at) where state = 'on' and failures > 0;

-- How far the history of a platform that does not deliver again was read.
create table backfills (
    source text collate "C" not null,
    account text collate "C" not null,
    read_until timestamptz not null,
    primary key (source, account)
);
