-- Threads, who is in them, and the log of what was said.
-- Every key of the log starts with thread_id. Names that come from outside compare by bytes (collate "C").

create table threads (
    thread_id uuid primary key,
    thread_type text not null,
    title text,
    participation_mode text not null,
    is_archived boolean not null default false,
    created_by text collate "C" not null,
    created_at timestamptz not null
);

create table participants (
    thread_id uuid not null references threads,
    actor text collate "C" not null,
    display_name text not null,
    -- bits: 1 can_read, 2 can_send, 4 can_run, 8 can_manage_participants
    capabilities smallint not null,
    participation_mode text,
    last_read_seq bigint not null default 0,
    joined_at timestamptz not null,
    primary key (thread_id, actor)
);
create index participants_by_actor on participants (actor, thread_id);

-- What changes with every append, and nothing else: no index on a changing column keeps the updates HOT.
create table thread_heads (
    thread_id uuid primary key references threads,
    last_seq bigint not null default 0,
    last_position bigint not null default 0,
    last_created_at timestamptz not null,
    head_hash bytea not null
) with (fillfactor = 50);

create table entries (
    thread_id uuid not null,
    seq bigint not null,
    position bigint not null,
    id text collate "C" not null,
    author text collate "C" not null,
    role text collate "C" not null,
    content text not null,
    -- json, not jsonb: the digest covers these bytes, and reading them back must give the same bytes
    metadata json,
    mentions json,
    reply_to text collate "C",
    client_message_id text collate "C",
    base_seq bigint,
    latest_seen_seq bigint,
    created_at timestamptz not null,
    fingerprint bytea,
    salt bytea,
    digest bytea not null,
    primary key (thread_id, seq)
);

-- Message ids and idempotency keys of all faces in one space; the prefix says which.
create table entry_keys (
    thread_id uuid not null,
    key text collate "C" not null,
    seq bigint not null,
    primary key (thread_id, key)
);

-- The thread's event stream. A committed entry is a narrow row that points at it by seq.
create table events (
    thread_id uuid not null,
    position bigint not null,
    seq bigint not null,
    -- null for a committed entry, else the event's name
    type text collate "C",
    payload text,
    created_at timestamptz,
    -- names the command of an event without an entry, so that a lost commit answer can be looked up
    command_id uuid,
    primary key (thread_id, position)
);

-- Append-only tables grow at one end: freeze and analyse by inserts, not only by dead rows.
alter table entries set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
alter table entry_keys set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
alter table thread_heads set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
