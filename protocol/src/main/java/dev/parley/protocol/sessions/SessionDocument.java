package dev.parley.protocol.sessions;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What a session's client keeps besides messages and runs.
 *
 * @param document exactly the text that was given
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionDocument(
        String sessionId, long version, @JsonRawValue String document, Instant updatedAt) {}
