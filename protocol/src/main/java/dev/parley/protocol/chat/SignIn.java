package dev.parley.protocol.chat;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The ways in which a web page without a token can authenticate its user.
 *
 * @param local true if the caller is authenticated without a token
 * @param oidc the OpenID provider that issues tokens to the web page; null if none is configured
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record SignIn(boolean local, @Nullable OidcClient oidc) {}
