package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A page's registration at an OpenID provider: a public client, which has no secret. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record OidcClient(String issuer, String clientId, String scope) {}
