-- What models were shown, what it cost, and the words by which messages are found again.

-- A context is a chain of messages: each row is one more, named by the hash of itself and all before it. Contexts that
-- begin alike share their beginning.
create table context_blocks (
    thread_id uuid not null,
    hash bytea not null,
    previous bytea,
    block json not null,
    primary key (thread_id, hash)
);

-- One per request to a model, and one for each run of an agent that asks none.
create table run_contexts (
    thread_id uuid not null,
    task_id uuid not null,
    request integer not null,
    agent text collate "C" not null,
    version integer not null,
    provider text,
    model text,
    -- the last block of the chain, and how many there are
    tip bytea,
    -- the block with the tools that the model was told of beside them
    tools bytea,
    messages integer not null,
    estimated_tokens integer not null,
    -- of the bytes that went to the provider
    sent_hash bytea,
    sent_bytes bigint,
    created_at timestamptz not null,
    primary key (thread_id, task_id, request)
);

create table model_usage (
    thread_id uuid not null,
    task_id uuid not null,
    request integer not null,
    agent text collate "C" not null,
    -- who asked for the run
    spender text collate "C" not null,
    provider text not null,
    model text not null,
    input_tokens integer,
    output_tokens integer,
    cached_tokens integer,
    reasoning_tokens integer,
    cost numeric,
    currency text,
    created_at timestamptz not null,
    primary key (thread_id, task_id, request)
);
create index model_usage_by_spender on model_usage (spender, currency, created_at) include (cost);

-- The words of messages, for threads in which somebody has asked for earlier ones; made when they are first looked for.
create table recall_words (
    thread_id uuid not null,
    seq bigint not null,
    words tsvector not null,
    primary key (thread_id, seq)
);
create index recall_by_words on recall_words using gin (words);
create table recall_progress (
    thread_id uuid primary key,
    last_seq bigint not null
);
