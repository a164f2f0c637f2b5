package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * How people may sign in here, beside bringing a token.
 *
 * @param local whether the one who asks is signed in without a token
 * @param oidc where a page gets a token from; null if nowhere
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SignIn(boolean local, @Nullable OidcClient oidc) {}
