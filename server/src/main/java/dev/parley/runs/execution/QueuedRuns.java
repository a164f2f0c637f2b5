package dev.parley.runs.execution;

import dev.parley.agents.Sharers;
import dev.parley.protocol.Actor;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunRows;
import dev.parley.storage.Database;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The queue of runs as one node reads it: the actors with waiting runs, a page of starters at a time, and those of
 * their runs that may begin.
 */
final class QueuedRuns {
    /** Starters in one page. */
    private static final int PAGE_SIZE = 500;

    private final Database database;
    /** Used by the dispatcher's thread alone. */
    private String after = "";

    QueuedRuns(Database database) {
        this.database = database;
    }

    /**
     * An actor who started runs that wait.
     *
     * @param sharer the actor whose share of the slots its runs take from
     */
    record Starter(Actor actor, Actor sharer) {}

    /** The actor whose share of the slots the starter's runs take from. */
    Actor sharerOf(Actor starter) {
        return starter.kind() != Actor.Kind.AGENT
                ? starter
                : new Actor(database.read(handle -> handle.createQuery("select " + Sharers.of("cast(:starter as text)"))
                        .bind("starter", starter.value())
                        .mapTo(String.class)
                        .one()));
    }

    /** True if the next page begins with the first starter. */
    boolean isAtStart() {
        return after.isEmpty();
    }

    /** The next page of starters; after the last page the first one again. */
    List<Starter> nextStarters() {
        // Walks from starter to starter by the index: the length of a starter's own queue does not matter.
        List<Starter> page =
                database.read(handle -> handle.createQuery("""
                with recursive starters as (
                    (select started_by from runs
                    where state = 'queued' and driver = 'node' and started_by > :after order by started_by limit 1)
                    union all
                    select (select r.started_by from runs r
                        where r.state = 'queued' and r.driver = 'node' and r.started_by > s.started_by
                        order by r.started_by limit 1)
                    from starters s where s.started_by is not null)
                select started_by, <sharer> as sharer
                from (select started_by from starters where started_by is not null limit :limit) as waiting\
                """.replace("<sharer>", Sharers.of("started_by")))
                        .bind("after", after)
                        .bind("limit", PAGE_SIZE)
                        .map((row, context) ->
                                new Starter(new Actor(row.getString("started_by")), new Actor(row.getString("sharer"))))
                        .list());
        after = page.size() < PAGE_SIZE ? "" : page.getLast().actor().value();
        return page;
    }

    /**
     * The room for a starter's runs.
     *
     * @param held slots that its sharer holds already
     * @param most the number of its runs that may begin
     */
    record Room(Starter starter, int held, int most) {}

    /**
     * Queued runs whose turn it is in their thread: the first of its agent there, with no run of that agent running. A
     * starter with few executing runs comes before one with many, an older run before a younger one.
     */
    List<Run> claimable(Collection<UUID> except, List<Room> rooms, int limit) {
        return database.read(handle -> handle.createQuery("""
            select <columns> from unnest(:starters::text[], :held::int[], :most::int[]) as starter (actor, held, most)
            cross join lateral (
                select waiting.*, row_number() over (order by waiting.created_at) as rank
                from (
                    select <columns> from runs q
                    where q.state = 'queued' and q.driver = 'node' and q.started_by = starter.actor
                        and q.task_id <> all (:except)
                        and not exists (
                            select 1 from runs r
                            where r.thread_id = q.thread_id and r.agent = q.agent and r.driver = 'node'
                                and r.root is null and r.state in ('queued', 'running') and r.task_id <> q.task_id
                                and (r.state = 'running'
                                    or (r.created_position, r.task_id) < (q.created_position, q.task_id)))
                    order by q.created_at limit starter.most) as waiting) as q
            order by starter.held + q.rank, q.created_at limit :limit\
            """.replace("<columns>", RunRows.columns("q")))
                .bindArray("except", UUID.class, except.toArray())
                .bindArray(
                        "starters",
                        String.class,
                        rooms.stream()
                                .map(room -> room.starter().actor().value())
                                .toArray())
                .bindArray("held", Integer.class, rooms.stream().map(Room::held).toArray())
                .bindArray("most", Integer.class, rooms.stream().map(Room::most).toArray())
                .bind("limit", limit)
                .map((row, context) -> RunRows.read(row))
                .list());
    }
}
