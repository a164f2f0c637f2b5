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
                null);
    }

    static String frame(String id) {
        return "id: " + id + "\nevent: message_committed\ndata: " + Json.MAPPER.writeValueAsString(event(id)) + "\n\n";
    }

    /** The answer to a posted body: the message at seq 1. */
    static String posted(String body, boolean duplicate) {
        NewMessage message = Json.MAPPER.readValue(body, NewMessage.class);
        Message stored = new Message(
                "m1",
                Actor.user(new UUID(1, 1)),
                "user",
                String.valueOf(message.content()),
                null,
                List.of(),
                Instant.EPOCH,
                message.clientMessageId(),
                null,
                1,
                null,
                null,
                0,
                null,
                null,
                null,
                List.of());
        return Json.MAPPER.writeValueAsString(new PostedMessage(stored, true, "m1", duplicate, null));
    }

    static String problem(int status, String slug, boolean retryable) {
        return """
                {"type": "https://parley.dev/problems/%s", "title": "T", "status": %d, "detail": "No.", "instance": "req-1",
                 "code": "CONFLICT", "message": "No.", "errors": [{"field": "content", "message": "is missing"}],
                 "retryable": %s, "current_seq": 12}
                """.formatted(slug, status, retryable);
    }
}
