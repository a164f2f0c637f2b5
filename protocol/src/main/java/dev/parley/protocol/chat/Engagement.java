package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.protocol.Actor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The decision whether one agent of the thread should answer a message. The server decides at the commit of the
 * message.
 *
 * @param reason one word such as {@code mentioned} or {@code hop_limit}
 * @param runId the run that answers the message, for agents that the server runs
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Engagement(
        Actor senderId,
        boolean shouldRespond,
        String reason,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String runId) {}
