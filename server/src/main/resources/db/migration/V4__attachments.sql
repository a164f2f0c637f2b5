-- Objects: what people have uploaded, under which name, and where it hangs.

-- Bytes, each kept once under its SHA-256. The row comes before the bytes, so that nothing lies in the store unknown.
create table blobs (
    sha256 bytea primary key,
    bytes bigint not null,
    -- since when perhaps no object holds it: set when somebody comes with these bytes or an object lets go of them, null
    -- once an object holds them. What nothing holds a day later is removed.
    idle_since timestamptz
);
create index blobs_idle on blobs (idle_since) where idle_since is not null;

create table objects (
    object_id uuid primary key,
    bucket text collate "C" not null,
    path text collate "C" not null,
    owner text collate "C" not null,
    sha256 bytea not null references blobs,
    bytes bigint not null,
    mime_type text collate "C" not null,
    filename text,
    -- read from the bytes; null if they are no image
    width integer,
    height integer,
    -- what the storage face's clients say about it and want back
    cache_control text,
    metadata json,
    -- 'attachment' came to be shown in a message and goes if it never is, 'storage' stays until its owner removes it
    origin text collate "C" not null,
    -- whether it hangs on a message: then it stays as it is
    attached boolean not null default false,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    unique (bucket, path)
);
create index objects_by_blob on objects (sha256);
create index objects_by_owner on objects (owner, bucket, path);
create index objects_unattached on objects (created_at) where origin = 'attachment' and not attached;

-- The threads in which an object was shown: who may read one of them may see it.
create table object_uses (
    object_id uuid not null references objects,
    thread_id uuid not null,
    primary key (object_id, thread_id)
);
create index object_uses_by_thread on object_uses (thread_id);

-- What everybody keeps, counted with every change.
create table storage_usage (
    owner text collate "C" primary key,
    objects bigint not null,
    bytes bigint not null
) with (fillfactor = 50);
