-- Agents, the credentials of those who are not users, tickets, and who did what.

create table agents (
    agent_id uuid primary key,
    owner text collate "C" not null,
    display_name text not null,
    kind text not null,
    config json not null,
    visibility text not null,
    is_active boolean not null,
    created_at timestamptz not null,
    -- What the operator's file calls it; null for one that was registered by a call.
    file_name text
);
create index agents_by_owner on agents (owner, created_at, agent_id);

-- Only hashes of secrets are kept.
create table agent_tokens (
    token_id uuid primary key,
    agent_id uuid not null references agents,
    owner text collate "C" not null,
    display_name text not null,
    token_prefix text not null,
    token_hash bytea not null unique,
    scopes smallint not null,
    expires_at timestamptz,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
);
create index agent_tokens_by_owner on agent_tokens (owner, created_at, token_id);
create index agent_tokens_by_agent on agent_tokens (agent_id) where revoked_at is null;

create table integration_keys (
    key_id uuid primary key,
    source text collate "C" not null,
    owner text collate "C" not null,
    key_prefix text not null,
    key_hash bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
);

-- A ticket opens one stream for one principal, for browsers that cannot send a header.
create table stream_tickets (
    ticket_hash bytea primary key,
    path text not null,
    principal json not null,
    expires_at timestamptz not null
);
create index stream_tickets_by_expiry on stream_tickets (expires_at);

-- Names of people who have called, as their tokens gave them last; every thread they are in shows these.
create table known_names (
    actor text collate "C" primary key,
    display_name text not null
);

-- What creations with an Idempotency-Key came to.
create table request_keys (
    actor text collate "C" not null,
    route text collate "C" not null,
    key text collate "C" not null,
    fingerprint bytea not null,
    result uuid not null,
    created_at timestamptz not null,
    primary key (actor, route, key)
);

create table audit (
    audit_id bigint generated always as identity primary key,
    at timestamptz not null,
    actor text collate "C" not null,
    action text not null,
    subject text not null
);
