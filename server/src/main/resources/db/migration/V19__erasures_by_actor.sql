-- Appends that quote look up whether a sender is erased. Built beside readers and writers, see V13.

set lock_timeout = 0;

drop index concurrently if exists erasures_by_actor;
create index concurrently erasures_by_actor on erasures (subject_actor) where subject_actor is not null;
