package dev.parley.auth;

import dev.parley.protocol.Actor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * How callers prove who they are.
 *
 * @param secrets HS256 secrets that are valid now; the first one also signs
 * @param localUser the user that unauthenticated calls of this machine act as; only while no secret is configured
 */
public record AuthSettings(
        List<byte[]> secrets,
        String audience,
        Optional<String> issuer,
        Set<Actor> operators,
        Optional<UUID> localUser,
        int displayNameLimit) {}
