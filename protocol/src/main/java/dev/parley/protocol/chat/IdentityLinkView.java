package dev.parley.protocol.chat;

import dev.parley.protocol.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A link between the caller and a sender on another platform.
 *
 * @param senderId the linked sender; null while any sender may redeem the code
 * @param state pending or linked
 * @param code the code to redeem; shown only when the link is begun
 * @param message the text to send on the platform; shown with the code
 * @param expiresAt the end of the code's validity; null once linked
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
