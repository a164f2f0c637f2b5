package dev.parley.protocol.chat;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The registration of a web page at an OpenID provider, as a public client without a secret. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record OidcClient(String issuer, String clientId, String scope) {}
