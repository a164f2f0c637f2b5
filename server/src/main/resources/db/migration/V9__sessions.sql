-- Sessions: what Agno's clients say of messages and runs, exactly as they said it, beside the log.

-- The agents that sessions name by ids and names of their own.
create table session_agents (
    owner text collate "C" not null,
    -- 'id/…' or 'name/…'
    name text collate "C" not null,
    agent_id uuid not null,
    primary key (owner, name)
);
create index session_agents_by_agent on session_agents (agent_id);

-- One per message that a client brought. Several may belong to one entry: a streamed answer and what its client calls it.
create table chat_events (
    thread_id uuid not null,
    -- the entry that it belongs to
    seq bigint not null,
    event_id uuid not null,
    -- orders those of one entry: given under the head's lock, so in the order in which they came
    number bigint generated always as identity,
    -- the message's id as its client gave it
    message_id text collate "C" not null,
    role text not null,
    agent_id text,
    agent_name text,
    team_name text,
    user_id text,
    run_id text collate "C",
    parent_run_id text collate "C",
    -- the client's own text, not jsonb: what comes out is what went in. Media are cut out of it.
    message_data json not null,
    -- what was cut out, and where: [{pointer, start, at, end, bytes, sha256, bucket, path, mime_type}]
    media json,
    -- of the parsed message: by it a repeated id is known to be the same message
    fingerprint bytea not null,
    input_tokens bigint,
    output_tokens bigint,
    -- the counts of the message's metrics, by Agno's names
    usage json,
    cost numeric,
    cost_currency text,
    -- further entries that it stands for: the calls of one turn are streamed one by one
    covers bigint[],
    created_at timestamptz not null,
    primary key (thread_id, seq, number)
);
create unique index chat_events_by_message on chat_events (thread_id, message_id);
create index chat_events_by_run on chat_events (thread_id, run_id, seq) where run_id is not null;

-- The runs that a session's client knows, streamed or not. They form a tree by parent_run_id.
create table session_runs (
    thread_id uuid not null,
    run_id text collate "C" not null,
    parent_run_id text collate "C",
    agent_id text,
    agent_name text,
    team_name text,
    -- as the client says, in the log's words; of a streamed run the log knows better
    status text,
    model text,
    model_provider text,
    -- what its client keeps of it, as it gave it; version 0 if it keeps nothing
    document json,
    version bigint not null default 0,
    -- the run's total as its document says it, for runs whose requests and messages say nothing of it
    usage json,
    cost numeric,
    cost_currency text,
    -- orders the runs of a session; given while the thread's head is locked
    number bigint generated always as identity,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (thread_id, run_id)
);
create unique index session_runs_by_number on session_runs (thread_id, number);
create index session_runs_by_parent on session_runs (thread_id, parent_run_id, number) where parent_run_id is not null;

-- What a session's client keeps besides its messages; replaced by whoever knows its version.
create table session_documents (
    thread_id uuid primary key,
    version bigint not null,
    document json not null,
    updated_at timestamptz not null
);

-- Sessions are called by the names that their clients gave them.
create index thread_aliases_by_thread on thread_aliases (thread_id);

alter table chat_events set (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.05);
