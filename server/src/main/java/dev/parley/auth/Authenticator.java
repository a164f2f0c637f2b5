package dev.parley.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.http.Gate;
import dev.parley.http.RequestHead;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The gate of the server: reads the credential of a request and says who is calling. */
public final class Authenticator implements Gate<Principal> {
    private static final String BEARER = "Bearer ";

    private final UserTokens tokens;
    private final Optional<LocalSignIn> local;
    private final Clock clock;
    private final Cache<String, UserTokens.Verified> verified = Caffeine.newBuilder()
            .maximumSize(10_000)
            .expireAfterWrite(Duration.ofSeconds(60))
            .build();

    public Authenticator(AuthSettings settings, UserTokens tokens, Clock clock) {
        this.tokens = tokens;
        this.clock = clock;
        this.local = settings.localUser().map(LocalSignIn::new);
    }

    @Override
    public Principal admit(RequestHead head) {
        Optional<String> authorization = head.header("Authorization");
        if (authorization.isEmpty()) {
            return local.flatMap(signIn -> signIn.admit(head))
                    .orElseThrow(() -> refused("Send a token: Authorization: Bearer …"));
        }
        String value = authorization.get();
        if (!value.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            throw refused("Only the Bearer scheme is taken.");
        }
        return verify(value.substring(BEARER.length()).strip());
    }

    private Principal verify(String token) {
        UserTokens.Verified known = verified.getIfPresent(token);
        if (known == null || !known.expires().isAfter(clock.instant())) {
            known = tokens.verify(token);
            if (known.expires().isAfter(Instant.now(clock))) {
                verified.put(token, known);
            }
        }
        return known.user();
    }

    private static ProblemException refused(String why) {
        return new ProblemException(Problem.UNAUTHENTICATED, why);
    }
}
