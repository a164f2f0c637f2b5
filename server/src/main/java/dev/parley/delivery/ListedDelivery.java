package dev.parley.delivery;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.DeliveryView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One part of a reply, for readers.
 *
 * @param externalId the platform's id of the part; null until it is sent
 * @param problem the reason of the last failure; null for none
 */
public record ListedDelivery(
        UUID id,
        ThreadId thread,
        long seq,
        String messageId,
        @Nullable String runId,
        ReplyTarget target,
        int part,
        int parts,
        DeliveryState state,
        int attempts,
        @Nullable String externalId,
        @Nullable String problem,
        Instant createdAt,
        @Nullable Instant endedAt) {
    /** The columns for {@link #read}, from {@code deliveries d join destinations t}. */
    static final String COLUMNS = """
            d.delivery_id, d.thread_id, d.seq, d.message_id, d.run_id, t.source, t.workspace, t.channel,
            t.external_thread, d.part, d.parts, d.state, d.attempts, d.external_id, d.problem, d.created_at, d.ended_at""";

    static ListedDelivery read(ResultSet row) throws SQLException {
        return new ListedDelivery(
                row.getObject("delivery_id", UUID.class),
                new ThreadId(row.getObject("thread_id", UUID.class)),
                row.getLong("seq"),
                row.getString("message_id"),
                row.getString("run_id"),
                target(row),
                row.getInt("part"),
                row.getInt("parts"),
                DeliveryState.parse(row.getString("state")),
                row.getInt("attempts"),
                row.getString("external_id"),
                row.getString("problem"),
                row.getObject("created_at", OffsetDateTime.class).toInstant(),
                instant(row, "ended_at"));
    }

    /** The form of the delivery that all readers get. */
    public DeliveryView toView() {
        return new DeliveryView(
                id.toString(),
                thread,
                seq,
                messageId,
                runId,
                target.source(),
                target.workspace(),
                target.channel(),
                target.thread(),
                part,
                parts,
                state.wire(),
                attempts,
                externalId,
                problem,
                createdAt,
                endedAt);
    }

    static ReplyTarget target(ResultSet row) throws SQLException {
        return new ReplyTarget(
                row.getString("source"),
                row.getString("workspace"),
                row.getString("channel"),
                row.getString("external_thread"));
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
