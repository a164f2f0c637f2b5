package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * A link to a sender on a platform that the caller begins.
 *
 * @param source the platform
 * @param senderId the caller's sender id there, with the source's prefix; without it the sender who redeems the code
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewIdentityLink(
        @Nullable String source, @Nullable String senderId) {}
