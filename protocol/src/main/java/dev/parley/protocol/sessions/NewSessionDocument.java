package dev.parley.protocol.sessions;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A document to store, and the version that it replaces. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record NewSessionDocument(
        @Nullable JsonNode document, @Nullable Long version) {}
