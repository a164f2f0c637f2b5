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
 * Reads the queue of runs for one node: first the starters, who are actors with waiting runs, one page at a time, and
 * then the starters' runs that may begin.
 */
final class QueuedRuns {
    /** The number of starters in one page. */
    private static final int PAGE_SIZE = 500;

    private final Database database;
    /** The last starter of the previous page, used only by the dispatcher's thread. */
    private String after = "";

    QueuedRuns(Database database) {
        this.database = database;
    }

    /**
     * An actor who started runs that wait.
     *
     * @param sharer the actor whose share of the slots the starter's runs use
     */
    record Starter(Actor actor, Actor sharer) {}

    /** The actor whose share of the slots the starter's runs use. */
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

    /** The next page of starters; after the last page, the first page again. */
    List<Starter> nextStarters() {
        // The query walks from starter to starter by the index, so the length of a starter's own queue does not matter.
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
     * @param held the number of slots that the starter's sharer already holds
     * @param most the maximum number of the starter's runs that may begin
     */
    record Room(Starter starter, int held, int most) {}

    /**
     * The queued runs that may begin. In each thread, the first queued run of an agent may begin if no run of that
     * agent is running. Starters with few executing runs come before starters with many, and older runs before younger
     * runs.
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
