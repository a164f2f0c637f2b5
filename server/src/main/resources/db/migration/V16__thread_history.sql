-- The history of a platform's thread is read once: the messages before the first one that was delivered to us.

alter table bindings
    -- when it was read, or known to be needless; null while it is still to be read
    add column history_read_at timestamptz,
    -- after an attempt that failed: when the next one is due
    add column history_next_at timestamptz,
    -- the delivery that reads it now, and until when by the database's clock
    add column holder uuid,
    add column held_until timestamptz;

-- Threads that have begun without their history go on without it.
update bindings b set history_read_at = now()
where exists (select 1 from entries e where e.thread_id = b.thread_id);

-- The messages that the thread_context of an entry quotes: by them an erasure finds the copies.
create table thread_quotes (
    thread_id uuid not null,
    seq bigint not null,
    number int not null,
    -- the sender of the quoted message, and the ids that its platform gave it
    sender text collate "C" not null,
    source text collate "C" not null,
    workspace text collate "C" not null,
    channel text collate "C" not null,
    external_message_id text collate "C" not null,
    -- null if the platform did not tell
    said_at timestamptz,
    -- since when the quoted message is erased: the quoting context must go
    erased_at timestamptz,
    -- since when the quoting context is gone from the entry; the row stays until the models' contexts are gone, too
    removed_at timestamptz,
    primary key (thread_id, seq, number)
);
create index thread_quotes_by_sender on thread_quotes (sender) where erased_at is null;
create index thread_quotes_by_message on thread_quotes (source, workspace, channel, external_message_id)
    where erased_at is null;
create index thread_quotes_erased on thread_quotes (thread_id) where erased_at is not null;

-- The digest of an entry that has lost its quotes, over what is left and a new salt. The chain goes on over the first one.
alter table entries add column redacted_digest bytea;
