package dev.parley.runs.lifecycle;

import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The one rule about the ownership of runs, for all faces. A run belongs to its starter, its agent, and the agent's
 * owner. If an agent started the run, the run also belongs to that agent's owner. The owners of a run and the managers
 * of its thread may cancel the run, replace its stored content and add messages that belong to it; other actors may
 * not.
 *
 * @param starter the caller or the author who started the run; null if it is not known
 * @param actors all owners
 * @param authors the authors of the questions that a rollback of the run withdraws
 */
public record RunOwners(@Nullable Actor starter, Set<Actor> actors, Set<Actor> authors) {
    /** SQL for the owners of all agents in an array of actors, found by the agents' ids. */
    public static final String OWNERS_OF_AGENTS = """
            array(
                select a.owner from agents a
                where a.agent_id = any (array(
                    select substr(holder, 7)::uuid from unnest(%s) as holder where holder like 'agent:%%')))""";

    private static final String READ = """
            select wanted.thread_id, wanted.id, r.started_by, held.holders || %s as owners,
                array(
                    select distinct e.author from entries e
                    where e.thread_id = r.thread_id and e.seq = any (r.triggers) and e.seq is distinct from r.reads_to)
                    as authors
            from unnest(?::uuid[], ?::text[], ?::uuid[]) as wanted (thread_id, id, task)
            cross join lateral (
                select * from runs
                where thread_id = wanted.thread_id and (run_id = wanted.id or task_id = wanted.task)
                order by run_id = wanted.id desc limit 1) as r
            left join lateral (select started_by from runs where task_id = r.root limit 1) as root on true
            cross join lateral (
                select array_remove(array[r.started_by, r.agent, root.started_by], null) as holders) as held""".formatted(OWNERS_OF_AGENTS.formatted("held.holders"));

    public RunOwners {
        actors = Set.copyOf(actors);
        authors = Set.copyOf(authors);
    }

    /** The name of a run: its client's name for it, or the server's id. */
    public record Name(ThreadId thread, String run) {
        public static Name of(Run run) {
            return new Name(run.thread(), run.runId());
        }
    }

    /** The owners of each run in {@code runs}; unknown runs are left out. */
    public static Map<Name, RunOwners> read(Connection connection, Collection<Name> runs) throws SQLException {
        if (runs.isEmpty()) {
            return Map.of();
        }
        Map<Name, RunOwners> owners = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            new SqlArrays(connection, statement)
                    .uuids(runs, run -> run.thread().value())
                    .texts(runs, Name::run)
                    .uuids(runs, run -> UuidV7.parseCanonical(run.run()).orElse(null));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    owners.put(
                            new Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)),
                            new RunOwners(new Actor(row.getString(3)), actors(row, "owners"), actors(row, "authors")));
                }
            }
        }
        return owners;
    }

    /** The actors in a column that is an array of texts. */
    public static Set<Actor> actors(ResultSet row, String column) throws SQLException {
        Set<Actor> actors = new HashSet<>();
        for (String actor : (String[]) row.getArray(column).getArray()) {
            actors.add(new Actor(actor));
        }
        return actors;
    }

    /** True if the actor may cancel the run, replace its stored content and add messages that belong to it. */
    public boolean allow(Actor actor, boolean manages) {
        return manages || actors.contains(actor);
    }

    /** True if the actor may roll the run back. All questions that a rollback withdraws must be the actor's own. */
    boolean allowRollback(Actor actor, boolean manages) {
        return manages || actor.equals(starter) && authors.stream().allMatch(actor::equals);
    }

    /** True if the actor may displace the run by a new run with this strategy. */
    public boolean allow(MultitaskStrategy strategy, Actor actor, boolean manages) {
        return switch (strategy) {
            case ENQUEUE, REJECT -> true;
            case INTERRUPT -> allow(actor, manages);
            case ROLLBACK -> allowRollback(actor, manages);
        };
    }

    public static Refusal foreign(String runId) {
        return Refusal.of(
                Problem.FORBIDDEN,
                "Run " + runId
                        + " belongs to another participant: only its starter, its agent, the agent's owner and the"
                        + " managers of the thread may do this.");
    }

    public static Refusal notToDisplace(MultitaskStrategy strategy, String runId) {
        return Refusal.of(
                Problem.FORBIDDEN,
                strategy == MultitaskStrategy.ROLLBACK
                        ? "Run " + runId + " answers another participant's question: only its author, or a manager of"
                                + " the thread, may roll it back. Send multitaskStrategy enqueue to wait for it."
                        : "Run " + runId + " belongs to another participant: only its starter, its agent, the agent's"
                                + " owner and the managers of the thread may interrupt it. Send multitaskStrategy"
                                + " enqueue to wait for it.");
    }
}
