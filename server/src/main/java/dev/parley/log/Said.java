package dev.parley.log;

import dev.parley.protocol.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody said, before and after it has its place in the log. Never rewritten.
 *
 * @param id the message id, unique in its thread
 * @param metadata a JSON object as text, or null
 * @param clientMessageId the key as the client gave it
 */
public record Said(
        String id,
        Actor author,
        Role role,
        String content,
        @Nullable String metadata,
        List<Actor> mentions,
        @Nullable String replyTo,
        @Nullable String clientMessageId,
        @Nullable Long baseSeq,
        @Nullable Long latestSeenSeq) {}
