package dev.parley.ingest;

import dev.parley.auth.Principal;
import dev.parley.delivery.Deliveries;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds inbound events by their platform's message id, with the reasons for their answers. */
public final class Traces {
    /** Limit of the result, because several channels may use one id. */
    private static final int MAX_TRACES = 20;

    private final Database database;
    private final Deliveries deliveries;

    public Traces(Database database, Deliveries deliveries) {
        this.database = database;
        this.deliveries = deliveries;
    }

    /**
     * The inbound events to find.
     *
     * @param workspace null for any
     * @param channel null for any
     */
    public record Query(
            String source,
            String externalMessageId,
            @Nullable String workspace,
            @Nullable String channel) {}

    /**
     * The traces that the caller may read. An operator reads all traces, an integration reads the traces of its source,
     * and a user reads the traces in the user's own threads.
     */
    public List<Trace> list(Principal caller, Query query) {
        boolean all = switch (caller) {
            case Principal.User user -> user.operator();
            case Principal.Integration integration -> integration.source().equals(query.source());
            case Principal.Agent agent ->
                throw new ProblemException(Problem.FORBIDDEN, "Agents may not query inbound message traces.");
        };
        return find(query, all ? null : caller.actor()).stream()
                .map(trace -> {
                    String run = trace.verdict().runId();
                    return run == null ? trace : trace.withDeliveries(deliveries.ofRun(trace.thread(), run));
                })
                .toList();
    }

    /** @param owner limits the result to the threads of this owner; null for all threads */
    private List<Trace> find(Query query, @Nullable Actor owner) {
        return database.read(handle -> handle.createQuery("""
                        select i.*, l.user_actor, r.state, e.metadata -> 'thread_history' as history
                        from inbound_events i
                        join threads t on t.thread_id = i.thread_id and t.deleted_at is null
                        left join identity_links l on l.sender = i.sender and l.linked_at is not null
                        left join runs r on r.thread_id = i.thread_id and r.run_id = i.run_id
                        left join entries e on e.thread_id = i.thread_id and e.seq = i.seq
                            and i.reason not in ('echo', 'mirror')
                        where i.source = :source and i.external_message_id = :message
                            and (:workspace::text is null or i.workspace = :workspace)
                            and (:channel::text is null or i.channel = :channel and i.place = 'channel')
                            and (:owner::text is null or t.created_by = :owner)
                        order by i.received_at, i.event_id limit :most""")
                .bind("source", query.source())
                .bind("message", query.externalMessageId())
                .bind("workspace", query.workspace())
                .bind("channel", query.channel())
                .bind("owner", owner == null ? null : owner.value())
                .bind("most", MAX_TRACES)
                .map((row, context) -> read(row))
                .list());
    }

    private static Trace read(ResultSet row) throws SQLException {
        String linked = row.getString("user_actor");
        OffsetDateTime raised = row.getObject("raised_at", OffsetDateTime.class);
        Instant raisedAt = raised == null ? null : raised.toInstant();
        return new Trace(
                row.getObject("event_id", UUID.class),
                row.getString("source"),
                row.getString("workspace"),
                row.getString("place").equals(Channel.Scope.CHANNEL.wire()) ? row.getString("channel") : "",
                row.getString("external_message_id"),
                row.getString("external_event_id"),
                new Actor(row.getString("sender")),
                linked == null ? null : new Actor(linked),
                row.getBoolean("bot"),
                row.getObject("received_at", OffsetDateTime.class).toInstant(),
                new ThreadId(row.getObject("thread_id", UUID.class)),
                row.getLong("seq"),
                row.getString("message_id"),
                history(row.getString("history")),
                new Verdict(row.getBoolean("run"), row.getString("reason"), row.getString("run_id")),
                raisedAt,
                row.getString("state"),
                List.of());
    }

    private static Trace.@Nullable History history(@Nullable String json) {
        if (json == null) {
            return null;
        }
        JsonNode history = Json.MAPPER.readTree(json);
        return new Trace.History(
                history.path("from").asString(""),
                history.path("messages").asInt(0),
                history.path("left_out").asInt(0),
                history.path("problem").isString() ? history.path("problem").stringValue() : null);
    }
}
