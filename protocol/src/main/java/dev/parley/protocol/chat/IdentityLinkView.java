package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A link between the caller and somebody of another platform.
 *
 * @param senderId null while it is open who says the code
 * @param state pending or linked
 * @param code shown once, when the link is begun
 * @param message what is to be said on the platform; shown with the code
 * @param expiresAt until when the code can be said; null once it is linked
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record IdentityLinkView(
        String linkId,
        String source,
        @Nullable Actor senderId,
        String state,
        @Nullable String code,
        @Nullable String message,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant linkedAt) {}
