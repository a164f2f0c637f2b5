package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to a post: the whole message, and whether it is a duplicate or stale. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record PostedMessage(
        @JsonUnwrapped Message message,
        boolean accepted,
        String messageId,
        boolean duplicate,
        @Nullable Boolean stale) {}
