package dev.parley.sessions;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The statuses of sessions' runs in this face's words. For a streamed run the log decides; for any other run, the
 * client's document decides.
 */
final class SessionStatuses {
    private final Database database;

    SessionStatuses(Database database) {
        this.database = database;
    }

    /** The known statuses of the runs, by run id. */
    Map<String, String> of(ThreadId thread, Collection<String> runs) {
        Map<String, String> statuses = new HashMap<>();
        if (!runs.isEmpty()) {
            database.read(handle -> handle.createQuery("""
                            select wanted.run_id, r.state, s.status from unnest(:runs) as wanted (run_id)
                            left join runs r on r.thread_id = :thread and r.run_id = wanted.run_id
                            left join session_runs s on s.thread_id = :thread and s.run_id = wanted.run_id
                            where r.state is not null or s.status is not null""")
                    .bind("thread", thread.value())
                    .bindArray("runs", String.class, runs)
                    .map((row, context) -> statuses.put(
                            row.getString("run_id"),
                            row.getString("state") == null ? row.getString("status") : ofLog(row.getString("state"))))
                    .list());
        }
        return statuses;
    }

    static String ofLog(String state) {
        return state.equals("waiting") ? "paused" : state;
    }
}
