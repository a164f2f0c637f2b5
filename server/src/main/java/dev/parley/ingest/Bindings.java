package dev.parley.ingest;

import dev.parley.delivery.Destinations;
import dev.parley.delivery.ReplyTarget;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The bindings of platforms' channels to their threads and agents. A channel claims the id of its thread before the
 * thread exists. Therefore two concurrent first messages get the same thread, and a crash in between leaves nothing to
 * repair.
 */
final class Bindings {
    private final Database database;
    private final Destinations destinations;
    private final Clock clock;

    Bindings(Database database, Destinations destinations, Clock clock) {
        this.database = database;
        this.destinations = destinations;
        this.clock = clock;
    }

    /** @param agent the answering agent, unless a message names another agent */
    record Binding(ThreadId thread, Actor agent) {}

    Optional<Binding> find(Channel channel) {
        return database.read(handle -> find(handle, channel));
    }

    /** The binding of a thread. */
    Optional<Binding> of(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
                        select thread_id, agent from bindings where thread_id = :thread
                        order by created_at limit 1""")
                .bind("thread", thread.value())
                .map((row, context) -> new Binding(
                        new ThreadId(row.getObject("thread_id", UUID.class)), new Actor(row.getString("agent"))))
                .findOne());
    }

    /** The binding of a channel; a new channel gets an id under which its thread can be created. */
    Binding claim(Channel channel, Actor agent) {
        return database.transact(handle -> {
            bind(handle.createUpdate("""
                            insert into bindings (source, workspace, place, channel, external_thread, thread_id, agent,
                                created_at)
                            values (:source, :workspace, :place, :channel, :external, :thread, :agent, :now)
                            on conflict do nothing"""), channel)
                    .bind("thread", ThreadId.fresh().value())
                    .bind("agent", agent.value())
                    .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                    .execute();
            return routed(handle, channel);
        });
    }

    /** Replaces a deleted thread by a fresh id, the same for all concurrent callers. */
    Binding move(Channel channel, ThreadId deleted, Actor agent) {
        return database.transact(handle -> {
            bind(handle.createUpdate("""
                            update bindings set thread_id = :fresh, agent = :agent, created_at = :now,
                                history_read_at = null, history_next_at = null, holder = null, held_until = null
                            where source = :source and workspace = :workspace and place = :place
                                and channel = :channel and external_thread = :external and thread_id = :deleted"""), channel)
                    .bind("fresh", ThreadId.fresh().value())
                    .bind("agent", agent.value())
                    .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                    .bind("deleted", deleted.value())
                    .execute();
            return routed(handle, channel);
        });
    }

    /** Routes answers to the channel; a sender's own conversation has no channel for answers. */
    private Binding routed(Handle handle, Channel channel) {
        Binding binding = find(handle, channel).orElseThrow();
        if (channel.scope() == Channel.Scope.CHANNEL) {
            destinations.route(
                    handle,
                    new ReplyTarget(channel.source(), channel.workspace(), channel.name(), channel.thread()),
                    binding.thread());
        }
        return binding;
    }

    private static Optional<Binding> find(Handle handle, Channel channel) {
        return bind(handle.createQuery("""
                        select thread_id, agent from bindings
                        where source = :source and workspace = :workspace and place = :place
                            and channel = :channel and external_thread = :external"""), channel)
                .map((row, context) -> new Binding(
                        new ThreadId(row.getObject("thread_id", UUID.class)), new Actor(row.getString("agent"))))
                .findOne();
    }

    static <S extends SqlStatement<S>> S bind(S statement, Channel channel) {
        return statement
                .bind("source", channel.source())
                .bind("workspace", channel.workspace())
                .bind("place", channel.scope().wire())
                .bind("channel", channel.name())
                .bind("external", channel.thread());
    }
}
