package dev.parley.ingest;

import dev.parley.basics.Text;
import dev.parley.delivery.Destinations;
import dev.parley.delivery.ReplyTarget;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Routes answers to a target that an integration requests, besides the channel of the message. The target must belong
 * to the same source. It must not be bound to another thread, because that thread would lose its target. A thread has
 * one requested target at a time, because integrations repeat the request with every message.
 */
final class Dispatch {
    private static final List<String> CHANNEL = List.of("channel_id", "channel", "channel_external_id");
    private static final List<String> THREAD = List.of("thread_ts", "thread_id", "external_thread_id");
    private static final List<String> WORKSPACE = List.of("workspace_id", "team_id", "guild_id");

    private final Database database;
    private final Destinations destinations;

    Dispatch(Database database, Destinations destinations) {
        this.database = database;
        this.destinations = destinations;
    }

    /**
     * The target that a message requests; empty if it requests no target, or its own channel, which gets the answers
     * anyway.
     */
    static Optional<ReplyTarget> targetIn(InboundMessage given, Channel from, Limits.Ingest limits) {
        String source = from.source();
        String type = given.dispatchType();
        ObjectNode config = given.dispatchConfig();
        if (type != null && !type.equals(source)) {
            throw ProblemException.invalidField(
                    "dispatch_type", "must be " + source + ": answers go to the source that the message came from");
        }
        Optional<String> channel = config == null || type == null ? Optional.empty() : first(config, CHANNEL, limits);
        if (config == null || channel.isEmpty()) {
            return Optional.empty();
        }
        ReplyTarget target = new ReplyTarget(
                source,
                first(config, WORKSPACE, limits).orElse(from.workspace()),
                channel.get(),
                first(config, THREAD, limits).orElse(""));
        boolean answered = from.scope() == Channel.Scope.CHANNEL
                && from.workspace().equals(target.workspace())
                && from.name().equals(target.channel());
        return answered ? Optional.empty() : Optional.of(target);
    }

    private static Optional<String> first(ObjectNode config, List<String> names, Limits.Ingest limits) {
        for (String name : names) {
            JsonNode value = config.path(name);
            String text = value.isString() || value.isNumber() ? value.asString() : "";
            if (text.getBytes(StandardCharsets.UTF_8).length > limits.externalId()) {
                throw ProblemException.invalidField(
                        "dispatch_config." + name, "is longer than the limit of " + limits.externalId() + " bytes");
            }
            if (!text.isEmpty()) {
                Text.requireId("dispatch_config." + name, text);
                return Optional.of(text);
            }
        }
        return Optional.empty();
    }

    /** Routes the thread's answers to the target, instead of a target that was requested before. */
    void route(ReplyTarget target, ThreadId thread) {
        database.transact(handle -> {
            boolean isBound = bind(handle.createQuery("""
                            select exists (
                                select 1 from bindings
                                where source = :source and workspace = :workspace and place = 'channel'
                                    and channel = :channel and external_thread = :external
                                    and thread_id <> :thread)"""), target, thread)
                    .mapTo(Boolean.class)
                    .one();
            if (!isBound) {
                destinations.redirect(handle, target, thread, formerTargets(handle, target, thread));
            }
            return isBound;
        });
    }

    /**
     * The thread's destinations, except the new target and the channels that are bound to the thread. The destinations
     * are locked, so that none of them is bound to the thread meanwhile.
     */
    private static List<UUID> formerTargets(Handle handle, ReplyTarget target, ThreadId thread) {
        return bind(handle.createQuery("""
                        select d.destination_id from destinations d
                        where d.thread_id = :thread and d.source = :source
                            and (d.workspace, d.channel, d.external_thread) <> (:workspace, :channel, :external)
                            and not exists (
                                select 1 from bindings b
                                where b.source = d.source and b.workspace = d.workspace and b.place = 'channel'
                                    and b.channel = d.channel and b.external_thread = d.external_thread
                                    and b.thread_id = :thread)
                        for no key update"""), target, thread).mapTo(UUID.class).list();
    }

    private static Query bind(Query query, ReplyTarget target, ThreadId thread) {
        return query.bind("source", target.source())
                .bind("workspace", target.workspace())
                .bind("channel", target.channel())
                .bind("external", target.thread())
                .bind("thread", thread.value());
    }
}
