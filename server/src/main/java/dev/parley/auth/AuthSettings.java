package dev.parley.auth;

import dev.parley.protocol.Actor;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * How callers prove who they are.
 *
 * @param secrets HS256 secrets that are valid now; the first one also signs
 * @param jwksUrl where public keys for ES256 and RS256 are published
 * @param operators who operates the server
 * @param operatorClaim a claim that makes its holder an operator
 * @param localUser the user that unauthenticated calls of this machine act as; only while nothing is configured
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
