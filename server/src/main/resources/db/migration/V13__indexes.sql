-- Indexes on tables that may be large and are in use: built beside whoever reads and writes them, outside any
-- transaction. One whose building was broken off stays behind, unusable, and is made anew.

-- Nobody has to wait behind this, so it may wait for as long as others are at work.
set lock_timeout = 0;

-- Threads with days of their own.
drop index concurrently if exists threads_with_retention;
create index concurrently threads_with_retention on threads (thread_id) where retention_days is not null;

-- Contexts go after some days.
drop index concurrently if exists run_contexts_by_time;
create index concurrently run_contexts_by_time on run_contexts (created_at);
