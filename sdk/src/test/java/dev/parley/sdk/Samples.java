package dev.parley.sdk;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.PostedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Wire values for the scripts. */
final class Samples {
    static final ThreadId THREAD = new ThreadId(new UUID(7, 7));
    static final Duration SOON = Duration.ofSeconds(20);
    static final RetryPolicy QUICK =
            new RetryPolicy(6, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(5));

    private Samples() {}

    static EventEnvelope event(String id) {
        return new EventEnvelope(
                id,
                THREAD,
                Cursor.parse(id).orElseThrow().seq(),
                "message_committed",
                Actor.user(new UUID(1, 1)),
                "user",
                "text of " + id + " – ü",
                Instant.EPOCH,
                null,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    static String frame(String id) {
        return "id: " + id + "\nevent: message_committed\ndata: " + Json.MAPPER.writeValueAsString(event(id)) + "\n\n";
    }

    /** The answer to a posted body: the message at seq 1. */
    static String posted(String body, boolean duplicate) {
        NewMessage message = Json.MAPPER.readValue(body, NewMessage.class);
        Message stored = stored("m1", 1, String.valueOf(message.content()), message.clientMessageId());
        return Json.MAPPER.writeValueAsString(new PostedMessage(stored, true, "m1", duplicate, null));
    }

    static String message(String id, long seq) {
        return Json.MAPPER.writeValueAsString(stored(id, seq, "text", null));
    }

    private static Message stored(String id, long seq, String content, @Nullable String clientMessageId) {
        return new Message(
                id,
                Actor.user(new UUID(1, 1)),
                "user",
                content,
                null,
                List.of(),
                Instant.EPOCH,
                clientMessageId,
                null,
                seq,
                null,
                null,
                seq - 1,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                null);
    }

    /** A thread of twelve entries. */
    static String thread(String title) {
        return """
                {"thread_id": "%s", "thread_type": "private", "title": "%s", "is_archived": false, "participants": [],
                 "last_seq": 12, "unread_count": 0, "participation_mode": "open", "created_at": "2026-01-01T00:00:00Z"}
                """.formatted(THREAD, title);
    }

    static String problem(int status, String slug, boolean retryable) {
        return """
                {"type": "https://parley.dev/problems/%s", "title": "T", "status": %d, "detail": "No.", "instance": "req-1",
                 "code": "CONFLICT", "message": "No.", "errors": [{"field": "content", "message": "is missing"}],
                 "retryable": %s, "current_seq": 12}
                """.formatted(slug, status, retryable);
    }
}
