package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The ways to authenticate besides a given token.
 *
 * @param local true if the caller is authenticated without a token
 * @param oidc the provider that issues tokens to a page; null if there is none
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SignIn(boolean local, @Nullable OidcClient oidc) {}
