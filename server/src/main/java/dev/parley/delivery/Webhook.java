package dev.parley.delivery;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to all events of a thread, at a URL.
 *
 * @param owner the caller who created the webhook; events are sent only while this caller may read the thread
 * @param credential the agent token that created the webhook; the webhook ends with this token. Null for a person
 * @param position the position up to which the receiver has accepted events
 * @param on false if the webhook was switched off
 * @param failingSince the first failure since the last accepted event; null for none
 */
public record Webhook(
        UUID id,
        ThreadId thread,
        Actor owner,
        @Nullable UUID credential,
        String url,
        long position,
        boolean on,
        @Nullable Instant failingSince,
        int failures,
        @Nullable String problem,
        Instant createdAt) {
    static final String ON = "on";
    static final String OFF = "off";

    static Webhook read(ResultSet row) throws SQLException {
        return new Webhook(
                row.getObject("webhook_id", UUID.class),
                new ThreadId(row.getObject("thread_id", UUID.class)),
                new Actor(row.getString("owner")),
                row.getObject("credential", UUID.class),
                row.getString("callback_url"),
                row.getLong("position"),
                row.getString("state").equals(ON),
                ListedDelivery.instant(row, "failing_since"),
                row.getInt("failures"),
                row.getString("problem"),
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }
}
