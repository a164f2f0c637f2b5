package dev.parley.contexts;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.storage.Database;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The failures of providers, stored beside the contexts of their requests. */
final class FailureStore {
    private final Database database;

    FailureStore(Database database) {
        this.database = database;
    }

    void keep(ThreadId thread, UUID task, int request, UpstreamFailure failure) {
        database.transact(handle -> handle.createUpdate("""
                        update run_contexts set failure = :failure::json
                        where thread_id = :thread and task_id = :task and request = :request""")
                .bind("failure", Json.MAPPER.writeValueAsString(failure))
                .bind("thread", thread.value())
                .bind("task", task)
                .bind("request", request)
                .execute());
    }

    /** The latest failure in each run; runs without a failure are left out. */
    Map<UUID, UpstreamFailure> of(ThreadId thread, List<UUID> tasks) {
        return database.read(handle -> handle.createQuery("""
                        select distinct on (task_id) task_id, failure from run_contexts
                        where thread_id = :thread and task_id = any (:tasks) and failure is not null
                        order by task_id, request desc""")
                .bind("thread", thread.value())
                .bindArray("tasks", UUID.class, tasks.toArray())
                .map((row, context) -> Map.entry(
                        row.getObject("task_id", UUID.class),
                        Json.MAPPER.readValue(row.getString("failure"), UpstreamFailure.class)))
                .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
