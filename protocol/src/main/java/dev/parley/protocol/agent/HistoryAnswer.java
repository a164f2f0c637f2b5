package dev.parley.protocol.agent;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent said, or one of its tools returned.
 *
 * @param role assistant or tool
 * @param uiSchema what a frontend may draw; null if the message has no hints for it
 * @param usage what making it took; null if no model made it, or none has told
 */
public record HistoryAnswer(
        String id,
        long seq,
        String role,
        String content,
        @Nullable UiSchema uiSchema,
        @Nullable ObjectNode metadata,
        Instant timestamp,
        @Nullable HistoryUsage usage)
        implements HistoryMessage {}
