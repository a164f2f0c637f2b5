package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A link to begin between the caller and a sender on a platform.
 *
 * @param source the platform
 * @param senderId the caller's sender id on the platform, with the source's prefix; if absent, any sender may redeem
 *     the code
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewIdentityLink(
        @Nullable String source, @Nullable String senderId) {}
