package dev.parley.runs.execution;

import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunRows;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Finds finished runs whose events are to be compacted or to expire, and marks the runs that are done. */
final class FinishedRuns {
    private final Database database;

    FinishedRuns(Database database) {
        this.database = database;
    }

    /**
     * The finished runs whose events are due, divided among all live nodes; this is the share of one node. If nodes
     * disagree about the live nodes, some runs are processed twice, or later, which is harmless.
     *
     * @param stored the stage of the runs' events: 0 as written, 1 compacted
     * @param after the age from which events are due
     */
    List<Run> due(UUID node, int stored, Duration after, int limit) {
        return database.read(handle -> handle.createQuery("""
            with alive as materialized (
                select node_id, row_number() over (order by node_id) - 1 as place, count(*) over () as all_of_them
                from nodes where alive_until > now())
            select <columns> from runs r, alive
            where alive.node_id = :node and ended_at is not null and root is null and stored = :stored
                and stored < 2
                and ended_at < now() - :after::interval
                and abs(hashtext(task_id::text)::bigint) % alive.all_of_them = alive.place
            order by ended_at limit :limit\
            """.replace("<columns>", RunRows.columns("r")))
                .bind("node", node)
                .bind("stored", stored)
                .bind("after", RunRows.interval(after))
                .bind("limit", limit)
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    void note(List<UUID> tasks, int stored) {
        database.transact(handle -> handle.createUpdate("update runs set stored = :stored where task_id = any (:tasks)")
                .bind("stored", stored)
                .bindArray("tasks", UUID.class, tasks.toArray())
                .execute());
    }
}
