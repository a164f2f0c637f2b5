-- What integrations bring: which thread a place of another platform is, and each thing that came, with what became of it.
-- A workspace or an external thread that a platform does not have is the empty text, so that keys compare.

create table bindings (
    source text collate "C" not null,
    workspace text collate "C" not null,
    -- 'channel', or 'direct' for a sender's own conversation: then the sender stands for the channel
    place text collate "C" not null,
    channel text collate "C" not null,
    external_thread text collate "C" not null,
    thread_id uuid not null,
    -- who answers there unless a message names somebody else
    agent text collate "C" not null,
    created_at timestamptz not null,
    primary key (source, workspace, place, channel, external_thread)
);
create index bindings_by_thread on bindings (thread_id);

-- Integrations name agents.
create index agents_by_name on agents (owner, lower(display_name)) where is_active;

create table inbound_events (
    event_id uuid primary key,
    source text collate "C" not null,
    workspace text collate "C" not null,
    -- as in bindings, or 'session' for a thread that was named by its own id
    place text collate "C" not null,
    channel text collate "C" not null,
    -- by these a delivery is known again
    external_message_id text collate "C",
    external_event_id text collate "C",
    sender text collate "C" not null,
    -- whether a program said it
    bot boolean not null,
    thread_id uuid not null,
    seq bigint not null,
    message_id text collate "C" not null,
    -- whether an agent answers it, why or why not, and by which run
    run boolean not null,
    reason text collate "C" not null,
    run_id text collate "C",
    -- since when it is answered after all, because it came once more and addressed an agent
    raised_at timestamptz,
    -- where an answer should go; routing only, no secrets
    dispatch_type text collate "C",
    dispatch_config json,
    received_at timestamptz not null
);
create unique index inbound_events_by_message
    on inbound_events (source, workspace, place, channel, external_message_id) where external_message_id is not null;
create unique index inbound_events_by_event
    on inbound_events (source, workspace, external_event_id) where external_event_id is not null;
create index inbound_events_by_thread on inbound_events (thread_id, seq);
