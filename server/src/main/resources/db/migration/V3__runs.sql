-- Runs: one execution of an agent on a thread each, and what they leave with their thread.

create table runs (
    task_id uuid primary key,
    thread_id uuid not null,
    -- the name its client gave, or ours for a run that a message started
    run_id text collate "C" not null,
    agent text collate "C" not null,
    started_by text collate "C" not null,
    -- 'node': one of our nodes executes it; 'outside': its agent's own process drives it
    driver text collate "C" not null,
    -- 'client', or 'message' for one that messages started: only those coalesce
    origin text collate "C" not null,
    strategy text collate "C" not null,
    -- the run that its client named as its parent
    parent uuid,
    -- for a child: the run in whose sequence of events it lives
    root uuid,
    state text collate "C" not null,
    -- counts who has held it; what comes with an older one is refused
    epoch integer not null,
    attempts integer not null,
    node uuid,
    -- names one holding of the run, so that a lost commit answer can be looked up
    holder uuid,
    -- until when an outside driver may be silent
    lease_until timestamptz,
    -- how it shall end, once somebody has begun to end it
    ending text collate "C",
    fingerprint bytea,
    input json,
    -- the messages that it answers
    triggers bigint[] not null,
    -- the user message up to which it reads, if it answers that one anew
    reads_to bigint,
    created_position bigint not null,
    first_position bigint,
    last_position bigint,
    -- the number of the next event that an outside driver sends
    next_event bigint not null default 0,
    outcome json,
    error_code text,
    error_message text,
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz,
    -- how far its events have been put away: 0 not at all, 1 compacted, 2 expired
    stored smallint not null default 0,
    unique (thread_id, run_id)
) with (fillfactor = 70);
create index runs_queued on runs (created_at) where state = 'queued' and driver = 'node';
create index runs_unfinished on runs (thread_id, agent, created_position) where state in ('queued', 'running', 'waiting');
create index runs_executing on runs (node) where state = 'running' and driver = 'node' and root is null;
create index runs_driven on runs (lease_until) where state in ('queued', 'running') and driver = 'outside';
create index runs_by_thread on runs (thread_id, created_position desc, task_id desc);
create index runs_by_root on runs (root) where root is not null;
create index runs_to_put_away on runs (stored, ended_at) where ended_at is not null and root is null and stored < 2;
alter table runs set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- The nodes that execute runs, each alive for as long as it says so; by the database's time.
create table nodes (
    node_id uuid primary key,
    started_at timestamptz not null,
    alive_until timestamptz not null
);

-- What agents and clients share besides the conversation; the last one who replaces it wins.
create table thread_states (
    thread_id uuid primary key,
    version bigint not null,
    state json not null
);

-- Questions that ended a run until somebody answers them.
create table interrupts (
    thread_id uuid not null,
    interrupt_id text collate "C" not null,
    task_id uuid not null,
    question json not null,
    answered_by uuid,
    primary key (thread_id, interrupt_id, task_id)
);
create index interrupts_by_answer on interrupts (answered_by) where answered_by is not null;

-- Calls that a run left to its caller.
create table open_calls (
    thread_id uuid not null,
    call_id text collate "C" not null,
    task_id uuid not null,
    tool_name text not null,
    agent text collate "C" not null,
    answered_by uuid,
    primary key (thread_id, call_id, task_id)
);
create index open_calls_by_answer on open_calls (answered_by) where answered_by is not null;

-- The agent that needs no key: what newcomers and tests talk to.
insert into agents (agent_id, owner, display_name, kind, config, visibility, is_active, created_at)
values ('00000000-0000-7000-8000-0000000000de', 'system:parley', 'Demo', 'demo', '{}', 'shared', true, now());
