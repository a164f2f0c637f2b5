package dev.parley.protocol.agent;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message of an agent, or the result of one of its tools.
 *
 * @param role assistant or tool
 * @param uiSchema the view that a frontend may draw; null if the message has no hints for a view
 * @param usage the tokens and the cost of the model requests that made the message; null if no model made the message,
 *     or no provider reported usage
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
