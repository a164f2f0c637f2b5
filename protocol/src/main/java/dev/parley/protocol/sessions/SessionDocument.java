package dev.parley.protocol.sessions;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The document that a session's client stores besides messages and runs.
 *
 * @param document exactly the text that the client sent
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SessionDocument(
        String sessionId, long version, @JsonRawValue String document, Instant updatedAt) {}
