package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A key of an integration; its raw value is shown only in the answer that creates the key. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IntegrationKeyView(
        String keyId, String source, @Nullable String rawKey, String keyPrefix, Actor owner, Instant createdAt) {}
