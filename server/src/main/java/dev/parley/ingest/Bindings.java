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
 * Which thread a channel of another platform is, and who answers there. A channel claims the id of its thread before
 * there is such a thread: so two first messages agree on one, and a crash in between leaves nothing to repair.
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

    /** @param agent who answers there unless a message names somebody else */
    record Binding(ThreadId thread, Actor agent) {}

    Optional<Binding> find(Channel channel) {
        return database.read(handle -> find(handle, channel));
    }

    /** The binding of a thread that was named by its own id. */
    Optional<Binding> of(ThreadId thread) {
        return database.read(handle -> handle.createQuery("""
                        select thread_id, agent from bindings where thread_id = :thread
                        order by created_at limit 1""")
                .bind("thread", thread.value())
                .map((row, context) -> new Binding(
                        new ThreadId(row.getObject("thread_id", UUID.class)), new Actor(row.getString("agent"))))
                .findOne());
    }

    /** As {@link #find}; a channel that is new gets an id under which its thread can be made. */
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

    /** Lets go of a thread that was deleted: the channel gets a fresh one, the same for all who find out at once. */
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

    /** Who speaks in a channel is answered there; a sender's own conversation has no channel that could be answered in. */
    private Binding routed(Handle handle, Channel channel) {
        Binding binding = find(handle, channel).orElseThrow();
        if (channel.place() == Channel.Scope.CHANNEL) {
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
                .bind("place", channel.place().wire())
                .bind("channel", channel.name())
                .bind("external", channel.thread());
    }
}
