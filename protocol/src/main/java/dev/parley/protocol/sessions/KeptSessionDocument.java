package dev.parley.protocol.sessions;

import java.time.Instant;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to a request that stores or replaces a document. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record KeptSessionDocument(String sessionId, long version, Instant updatedAt) {}
