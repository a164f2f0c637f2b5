-- What was imported into this database, and how far: an import that was killed goes on where it stood.
create table imports (
    -- the export it came from
    export_id uuid primary key,
    -- how many of its files are in the tables, in their order
    files integer not null,
    started_at timestamptz not null,
    -- null while something is missing: no server starts on half of a conversation
    finished_at timestamptz,
    -- whether everything was there and right at the end; null before that
    sound boolean
);
