-- Metadata of messages as jsonb, and an index by run. The column itself stays json: the digest of an entry covers its
-- bytes. Built beside readers and writers, outside any transaction, so every statement can be repeated.

-- Nothing waits for this migration, so it may wait for others.
set lock_timeout = 0;

-- One member of the metadata as text. Null where PostgreSQL cannot read the text (\u0000, half a surrogate pair): an
-- index expression that fails would refuse the whole batch of appends. The error codes are named so that nothing else
-- is hidden. Not parallel safe: catching an error takes a subtransaction.
create or replace function metadata_text(metadata json, name text) returns text
    language plpgsql immutable strict as $$
begin
    return metadata ->> name;
exception when untranslatable_character or invalid_text_representation then
    return null;
end $$;

-- The metadata as jsonb, to query it. Null also where jsonb cannot hold a number, such as 1e200000.
create or replace function metadata_jsonb(metadata json) returns jsonb
    language plpgsql immutable strict as $$
begin
    return metadata::jsonb;
exception when untranslatable_character or invalid_text_representation or numeric_value_out_of_range
    or program_limit_exceeded then
    return null;
end $$;

drop index concurrently if exists entries_by_run;
create index concurrently entries_by_run on entries (thread_id, metadata_text(metadata, 'run_id'), seq)
    where metadata is not null;

-- For people and reports that read messages with SQL; the server does not use it.
create or replace view message_metadata as
    select thread_id, seq, id, author, role, created_at, metadata_text(metadata, 'run_id') as run_id,
        metadata_text(metadata, 'stage') as stage, metadata_jsonb(metadata) as metadata
    from entries where kind = 0 and metadata is not null;
