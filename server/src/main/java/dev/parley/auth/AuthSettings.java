package dev.parley.auth;

import dev.parley.protocol.Actor;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The accepted credentials of callers.
 *
 * @param secrets the valid HS256 secrets; the first one also signs
 * @param jwksUrl the address of the public keys for ES256 and RS256
 * @param operators the actors who operate the server
 * @param operatorClaim a claim that makes its holder an operator
 * @param localUser the user for unauthenticated calls from this machine; empty if the operator has configured user
 *     tokens
 */
public record AuthSettings(
        List<byte[]> secrets,
        Optional<URI> jwksUrl,
        String audience,
        Optional<String> issuer,
        Set<Actor> operators,
        Optional<Map.Entry<String, String>> operatorClaim,
        Optional<UUID> localUser,
        int displayNameLimit) {}
