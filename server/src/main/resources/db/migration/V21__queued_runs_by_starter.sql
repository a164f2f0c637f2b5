-- Queued runs are taken in turn from everybody who started some. Built beside readers and writers, see V13.

set lock_timeout = 0;

drop index concurrently if exists runs_queued_by_starter;
create index concurrently runs_queued_by_starter on runs (started_by, created_at) where state = 'queued' and driver = 'node';
