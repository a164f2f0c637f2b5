-- What platforms tell of messages that are not here, or not yet: applied when the message comes, forgotten after a week.
create table inbound_revisions (
    source text collate "C" not null,
    workspace text collate "C" not null,
    channel text collate "C" not null,
    external_message_id text collate "C" not null,
    -- edited, deleted or reacted: of the first two the latest stands, of the last one for each sender and emoji
    kind text collate "C" not null,
    sender text collate "C" not null,
    emoji text collate "C" not null,
    -- names this state of the row, so that only what was applied is forgotten
    revision_id uuid not null,
    sender_display_name text not null,
    -- of an edit, its text
    content text not null,
    -- of a reaction, whether it was put there or taken back
    added boolean not null,
    external_event_id text collate "C",
    received_at timestamptz not null,
    primary key (source, workspace, channel, external_message_id, kind, sender, emoji)
);
create index inbound_revisions_by_time on inbound_revisions (received_at);

-- When the latest edit or reaction happened of which a platform told, so that an earlier one that comes later changes nothing.
create table revision_times (
    source text collate "C" not null,
    workspace text collate "C" not null,
    channel text collate "C" not null,
    external_message_id text collate "C" not null,
    kind text collate "C" not null,
    sender text collate "C" not null,
    emoji text collate "C" not null,
    happened_at timestamptz not null,
    seen_at timestamptz not null,
    primary key (source, workspace, channel, external_message_id, kind, sender, emoji)
);
create index revision_times_by_time on revision_times (seen_at);

-- Somebody asks for a message by what its platform calls it.
create index inbound_events_by_name on inbound_events (source, external_message_id)
    where external_message_id is not null;

-- Which people of other platforms are which users, proven by a code that they said there.
create table identity_links (
    link_id uuid primary key,
    user_actor text collate "C" not null,
    source text collate "C" not null,
    -- who may say the code, or who said it; null if anybody of the source may
    sender text collate "C",
    -- what is left of the code; null once somebody has said it and it cannot be said any more
    code_hash bytea unique,
    -- how often somebody else said the code
    tries int not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    linked_at timestamptz
);
create unique index identity_links_by_sender on identity_links (sender) where linked_at is not null;
create index identity_links_by_user on identity_links (user_actor, created_at);
create index identity_links_pending on identity_links (expires_at) where linked_at is null;

-- How often somebody said a code that there is not.
create table identity_link_guesses (
    sender text collate "C" primary key,
    guesses int not null,
    since timestamptz not null
);
