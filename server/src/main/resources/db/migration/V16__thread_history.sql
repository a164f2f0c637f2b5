-- The history of a platform's thread is read once: the messages before the first one that was delivered to us.

alter table bindings
    -- when it was read, or known to be needless; null while it is still to be read
    add column history_read_at timestamptz,
    -- after an attempt that failed: when the next one is due
    add column history_next_at timestamptz,
    -- the delivery that reads it now, and until when by the database's clock
    add column holder uuid,
    add column held_until timestamptz;
