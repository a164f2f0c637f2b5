package dev.parley.auth;

import dev.parley.http.RequestHead;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies callers from this machine as the local user, without a token, until the operator has configured user
 * tokens.
 */
final class LocalSignIn {
    private final Principal.User user;

    LocalSignIn(UUID id) {
        this.user = new Principal.User(id, "Local user", true, Instant.MAX);
    }

    Optional<Principal> admit(RequestHead head) {
        return head.isLocalCall() ? Optional.of(user) : Optional.empty();
    }
}
