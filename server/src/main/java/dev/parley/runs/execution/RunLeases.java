package dev.parley.runs.execution;

import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunRows;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Finds runs that their node or driver has lost or that exceed the time limit, and renews the leases of external
 * drivers.
 */
public final class RunLeases {
    private final Database database;

    public RunLeases(Database database) {
        this.database = database;
    }

    /**
     * The runs that no node executes any more, because their node is dead or because they belong to this node but it
     * does not hold them.
     */
    List<Run> abandoned(UUID node, Collection<UUID> held) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r left join nodes n on n.node_id = r.node
            where r.state = 'running' and r.driver = 'node' and r.root is null
                and (n.alive_until is null or n.alive_until < now()
                    or (r.node = :node and r.task_id <> all (:held)))
            limit 100\
            """.replace("<columns>", RunRows.columns("r")))
                .bind("node", node)
                .bindArray("held", UUID.class, held.toArray())
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /** The tasks among {@code believed} that are over or held elsewhere. */
    List<UUID> lost(UUID node, Collection<UUID> believed) {
        return database.read(handle -> handle.createQuery("""
                        select task_id from runs
                        where task_id = any (:believed) and (state <> 'running' or node is distinct from :node)""")
                .bindArray("believed", UUID.class, believed.toArray())
                .bind("node", node)
                .mapTo(UUID.class)
                .list());
    }

    /** External runs whose driver has been silent for too long. */
    List<Run> silent() {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state in ('queued', 'running') and driver = 'outside' and root is null
                and lease_until < now()
            limit 100\
            """.replace("<columns>", RunRows.columns("r")))
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /** Running runs with a stored intention to end them, for example because a newer run does not wait. */
    List<Run> toBeEnded() {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state = 'running' and driver = 'node' and root is null and ending is not null
            limit 100\
            """.replace("<columns>", RunRows.columns("r")))
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /** External runs that exceed the time limit. */
    List<Run> overdueExternal(Duration longest) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from runs r
            where state in ('queued', 'running') and driver = 'outside' and root is null
                and started_at < now() - :longest::interval
            limit 100\
            """.replace("<columns>", RunRows.columns("r")))
                .bind("longest", RunRows.interval(longest))
                .map((row, context) -> RunRows.read(row))
                .list());
    }

    /** Renews the lease of an external driver; false if the driver no longer holds the run. */
    public boolean renew(UUID task, int epoch) {
        return database.transact(handle -> handle.createUpdate("""
            update runs set lease_until = now() + :silence::interval
            where task_id = :task and epoch = :epoch and state = 'running'\
            """)
                        .bind("task", task)
                        .bind("epoch", epoch)
                        .bind("silence", RunRows.interval(RunSettings.DRIVER_LEASE))
                        .execute()
                == 1);
    }
}
