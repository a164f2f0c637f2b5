-- Who told of a session's run first: the run is theirs. Null for runs that were known before this column; those are left
-- to the managers of their threads, unless they were streamed.
alter table session_runs add column started_by text collate "C";
update session_runs s set started_by = r.started_by
from runs r where r.thread_id = s.thread_id and r.run_id = s.run_id;
