package dev.parley.protocol.chat;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Where the caller wants to be known.
 *
 * @param source the platform
 * @param senderId who the caller is there, with the source's prefix; without it whoever says the code
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NewIdentityLink(
        @Nullable String source, @Nullable String senderId) {}
