-- Threads, who is in them, and the log of what was said.
-- Every key of the log starts with thread_id. Names that come from outside compare by bytes (collate "C").

create table threads (
    thread_id uuid primary key,
    thread_type text not null,
    title text,
    -- the message that the title was taken from; null if people gave it
    title_seq bigint,
    participation_mode text not null,
    is_archived boolean not null default false,
    -- the integration the thread came from, if it came from one
    source text collate "C",
    created_by text collate "C" not null,
    created_at timestamptz not null,
    -- the hash of the set of people, for threads that are made once per set
    reuse_key bytea unique,
    -- a deleted thread's id stays taken; its content is purged in the background
    deleted_at timestamptz,
    -- since when nothing is left of its content
    purged_at timestamptz
);
create index threads_to_purge on threads (deleted_at) where deleted_at is not null and purged_at is null;

-- What clients call threads by names of their own.
create table thread_aliases (
    owner text collate "C" not null,
    alias text collate "C" not null,
    thread_id uuid not null,
    primary key (owner, alias)
);

-- Who is in a thread and may do what. Every append reads it, few change it.
create table participants (
    thread_id uuid not null references threads,
    actor text collate "C" not null,
    -- as it was known at joining; a person's name of today is in known_names
    display_name text not null,
    -- bits: 1 can_read, 2 can_send, 4 can_run, 8 can_manage_participants
    capabilities smallint not null,
    participation_mode text,
    joined_at timestamptz not null,
    primary key (thread_id, actor)
);
create index participants_by_actor on participants (actor);

-- How far each participant has read; moved by every message, so it stands apart, and its updates stay HOT.
create table read_marks (
    thread_id uuid not null,
    actor text collate "C" not null,
    last_read_seq bigint not null,
    primary key (thread_id, actor)
) with (fillfactor = 50);

-- The order of everybody's list of threads, so that a page of it is one index range. Derived from the log, coalesced.
-- Besides its participants, the integration that a thread came from has a row for it.
create table listings (
    thread_id uuid not null,
    actor text collate "C" not null,
    is_archived boolean not null default false,
    active_at timestamptz not null,
    primary key (thread_id, actor)
) with (fillfactor = 80);
create index listings_by_activity on listings (actor, is_archived, active_at desc, thread_id desc);

-- What lists show of a thread, as of its last_seq; derived from the log, coalesced.
create table thread_activity (
    thread_id uuid primary key references threads,
    last_seq bigint not null,
    last_message_at timestamptz,
    last_message_preview text,
    updated_at timestamptz not null
) with (fillfactor = 70);
create index thread_activity_by_time on thread_activity (updated_at);

-- What changes with every append, and nothing else: no index on a changing column keeps the updates HOT.
create table thread_heads (
    thread_id uuid primary key references threads,
    last_seq bigint not null default 0,
    last_position bigint not null default 0,
    -- counts the changes of what rules know of the thread: participants, modes, title, archive
    facts bigint not null default 0,
    last_created_at timestamptz not null,
    head_hash bytea not null
) with (fillfactor = 50);

create table entries (
    thread_id uuid not null,
    seq bigint not null,
    position bigint not null,
    id text collate "C" not null,
    -- 0 message, 1 edit, 2 deletion, 3 reaction, 4 reaction removed, 5 withdrawal, 6 supersession
    kind smallint not null,
    target_seq bigint,
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
    stale_lag integer,
    -- which agents should answer, decided at the commit: [{"agent", "respond", "reason"}]
    engagement json,
    created_at timestamptz not null,
    fingerprint bytea,
    salt bytea,
    digest bytea not null,
    -- author and kind are in the index so that unread and missed messages are counted from it alone
    primary key (thread_id, seq) include (author, kind)
);
-- What became of a message, and the last word of each author on each emoji: found in one step, however many there were.
create index entries_by_target on entries (thread_id, target_seq, kind, seq) where kind in (1, 2, 5);
create index entries_by_supersession on entries (thread_id, seq) include (target_seq) where kind = 6;
create index entries_by_reaction on entries (thread_id, target_seq, author, content collate "C", seq desc)
    where kind in (3, 4);

-- Message ids and idempotency keys of all faces in one space, hashed.
create table entry_keys (
    thread_id uuid not null,
    key uuid not null,
    seq bigint not null,
    primary key (thread_id, key)
);

-- The thread's event stream. A committed entry is a narrow row that points at it by seq; a row of a run's own events
-- holds several, a line each, and its position is that of the last one.
create table events (
    thread_id uuid not null,
    position bigint not null,
    seq bigint not null,
    -- null for a committed entry, else the event's name
    type text collate "C",
    actor text collate "C",
    payload text,
    created_at timestamptz,
    -- names the command of an event without an entry, so that a lost commit answer can be looked up
    command_id uuid,
    -- the run whose own events these are
    run uuid,
    -- null until the run is compacted; then, for each line of several deltas, how long each of them was
    covers text collate "C",
    primary key (thread_id, position)
);

-- Up to where events of runs are no longer kept; whoever stands before it may have missed some.
create table expired_events (
    thread_id uuid primary key,
    position bigint not null
);

-- Append-only tables grow at one end: freeze and analyse by inserts, not only by dead rows. Of events compaction leaves
-- many dead, all in one place.
alter table entries set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
alter table entry_keys set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
alter table events set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_scale_factor = 0.05);
alter table thread_heads set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
alter table read_marks set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
