-- What operators see of a node besides that it is alive, as it says itself with every heartbeat. A node of an earlier
-- version knows nothing of it and leaves it empty.
alter table nodes
    add column name text,
    add column address text,
    add column version text,
    -- fingerprints of the secrets that it takes, the one that it signs with first, and of the place of its objects:
    -- nodes that share a database must share these
    add column jwt_keys text,
    add column signing_keys text,
    add column storage text,
    add column stopping boolean not null default false,
    add column runs_executing integer,
    add column open_streams integer,
    add column lane_queue integer,
    add column bus_lag_ms bigint;
