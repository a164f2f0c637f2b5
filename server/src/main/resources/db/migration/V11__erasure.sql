-- Erasure: what was said goes, and its place stays. Everything here is added; a node that does not know it goes on working.

-- Since when nothing is left of an entry but its place, its keys and its digest.
alter table entries add column erased_at timestamptz;
-- Since when nothing is left of what a run was asked and what it emitted.
alter table runs add column erased_at timestamptz;
-- After how many days the messages of this thread are erased; null for what the server does.
alter table threads add column retention_days integer;

-- What operators want erased: a thread, or what somebody said in all threads.
create table erasures (
    erasure_id uuid primary key,
    -- not thread_id: an erasure is remembered when its thread is deleted
    subject_thread uuid,
    subject_actor text collate "C",
    -- only what was said before; null for everything
    said_before timestamptz,
    reason text,
    requested_by text collate "C" not null,
    requested_at timestamptz not null,
    -- up to which thread somebody was looked for; null before that, the last possible id when all were
    looked_to uuid,
    finished_at timestamptz,
    -- who carries it out now, until when by the database's clock
    holder uuid,
    held_until timestamptz,
    -- not to be tried before, and how often that was put off: it waits for runs of others, or something failed
    next_at timestamptz,
    put_off int not null default 0
);
create index erasures_open on erasures (requested_at) where finished_at is null;

-- How far an erasure has come in each of its threads. The one whose id is all zeros is retention's, and never finished.
create table erasure_threads (
    erasure_id uuid not null,
    thread_id uuid not null,
    -- whether everything said there goes, not only what one said
    whole boolean not null,
    entries_to bigint not null default 0,
    runs_to bigint not null default 0,
    events_to bigint not null default 0,
    -- when something was erased last: runs that began before may know of it
    erased_at timestamptz,
    entries bigint not null default 0,
    done_at timestamptz,
    primary key (erasure_id, thread_id)
);
create index erasure_threads_open on erasure_threads (erasure_id, thread_id) where done_at is null;
create index erasure_threads_by_thread on erasure_threads (thread_id);

-- The files of erased messages, until it is known whether others show them.
create table erasure_objects (
    erasure_id uuid not null,
    thread_id uuid not null,
    bucket text collate "C" not null,
    path text collate "C" not null,
    primary key (erasure_id, thread_id, bucket, path)
);
