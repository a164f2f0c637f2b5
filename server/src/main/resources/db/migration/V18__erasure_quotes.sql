-- An erasure waits only for the quotes that were marked up to this time.
alter table erasures add column quotes_marked_at timestamptz;
