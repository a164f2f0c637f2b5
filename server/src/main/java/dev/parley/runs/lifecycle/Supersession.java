package dev.parley.runs.lifecycle;

import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The rule by which a later run supersedes the answer of an earlier run: the later run answers the same question anew,
 * or an earlier question. A run that ends without an answer no longer supersedes any run, because
 * {@link RunEffect.Lifted} clears its {@code reads_to}.
 */
public final class Supersession {
    /**
     * An SQL condition that is true if the run {@code later} supersedes the run {@code r}. A run without a question is
     * ordered by its created position.
     */
    static final String SUPERSEDES = """
            later.thread_id = r.thread_id and later.created_position > r.created_position
            and (later.reads_to <= r.triggers[cardinality(r.triggers)]
                or cardinality(r.triggers) = 0 and later.reads_to is not null and exists (
                    select 1 from entries question
                    where question.thread_id = r.thread_id and question.seq = later.reads_to
                        and question.position <= r.created_position))
            """;

    private static final String SUPERSEDED = """
            select wanted.task_id from unnest(?::uuid[]) as wanted (task_id)
            cross join lateral (select * from runs where task_id = wanted.task_id limit 1) as r
            cross join lateral (select 1 from runs later where <supersedes> limit 1) as found""".replace("<supersedes>", SUPERSEDES);

    /**
     * Finds the entries whose supersession is lifted if the run ends without an answer. The first entry is the revision
     * by which the run superseded earlier answers. The other entries are messages from earlier runs that were
     * unfinished when the run began, if these runs wrote the messages as superseded and no other run supersedes them.
     * Finds nothing for a run that asks another question, because the answers to the former question stay superseded.
     */
    private static final String LIFTABLE = """
            with ending as materialized (
                select found.* from unnest(?::uuid[]) as wanted (task_id)
                cross join lateral (
                    select * from runs
                    where task_id = wanted.task_id and reads_to = triggers[cardinality(triggers)] limit 1) as found),
            written as materialized (
                select later.task_id as ending, r.thread_id, r.created_position, r.triggers, m.seq from ending as later
                cross join lateral (
                    select * from runs r
                    where r.thread_id = later.thread_id and r.root is null
                        and r.state in ('completed', 'failed', 'cancelled') and <supersedes>
                        and r.last_position > later.created_position
                    order by r.created_position limit 1000) as r
                cross join lateral (
                    select e.seq from entries e
                    where e.thread_id = r.thread_id and metadata_text(e.metadata, 'run_id') = r.run_id
                        and e.metadata is not null and e.kind = 0
                        and metadata_text(e.metadata, 'superseded') = 'true') as m)
            select later.task_id, s.seq from ending as later
            cross join lateral (
                select e.seq from entries e
                where e.thread_id = later.thread_id and e.kind = 6 and e.target_seq = later.reads_to
                    and e.position > later.created_position
                order by e.seq limit 1) as s
            union all
            select r.ending, r.seq from written r
            where not exists (select 1 from runs other where <otherSupersedes> and other.task_id <> r.ending)
            order by 1, 2""".replace("<supersedes>", SUPERSEDES)
            .replace("<otherSupersedes>", SUPERSEDES.replace("later.", "other."));

    private Supersession() {}

    /** The runs among {@code tasks} whose answers a later run supersedes. */
    static Set<UUID> superseded(Connection connection, Collection<UUID> tasks) throws SQLException {
        Set<UUID> superseded = new HashSet<>();
        if (tasks.isEmpty()) {
            return superseded;
        }
        try (PreparedStatement statement = connection.prepareStatement(SUPERSEDED)) {
            new SqlArrays(connection, statement).uuids(tasks, task -> task);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    superseded.add(row.getObject(1, UUID.class));
                }
            }
        }
        return superseded;
    }

    /** By run, and ascending: the seqs whose supersession is lifted if the run ends without an answer. */
    static Map<UUID, List<Long>> liftable(Connection connection, Collection<UUID> tasks) throws SQLException {
        Map<UUID, List<Long>> liftable = new HashMap<>();
        if (tasks.isEmpty()) {
            return liftable;
        }
        try (PreparedStatement statement = connection.prepareStatement(LIFTABLE)) {
            new SqlArrays(connection, statement).uuids(tasks, task -> task);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    liftable.computeIfAbsent(row.getObject(1, UUID.class), task -> new ArrayList<>())
                            .add(row.getLong(2));
                }
            }
        }
        return liftable;
    }

    /** The supersession of one run, read when the run's end is built. The lane checks the supersession again. */
    public interface View {
        boolean isSuperseded();

        /** @see #liftable */
        List<Long> liftable();
    }
}
