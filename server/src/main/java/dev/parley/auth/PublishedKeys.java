package dev.parley.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys that an identity provider publishes (JWKS): fetched, kept for minutes, fetched again when a token names
 * a key that is not there yet, and used on while the provider is away.
 */
final class PublishedKeys {
    static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 3_000;
    private static final int MOST_BYTES = 256 * 1024;
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final Duration REFRESH_LIMIT = Duration.ofSeconds(10);
    private static final Duration OUTAGE = Duration.ofHours(4);

    private final JWKSource<SecurityContext> source;
    /** When the provider last did not answer, by {@link System#nanoTime()}. */
    private volatile long lastOutage = System.nanoTime() - OUTAGE.toNanos();

    PublishedKeys(URI url) {
        try {
            this.source = JWKSourceBuilder.create(
                            url.toURL(), new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MOST_BYTES))
                    .cache(KEPT.toMillis(), REFRESH_LIMIT.toMillis())
                    .rateLimited(REFRESH_LIMIT.toMillis())
                    .retrying(true)
                    .outageTolerant(OUTAGE.toMillis(), outage -> lastOutage = System.nanoTime())
                    .build();
        } catch (MalformedURLException unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }

    /** Whether one of the keys that fit the token's header has signed it. */
    boolean verifies(SignedJWT token) {
        try {
            List<JWK> keys = source.get(new JWKSelector(JWKMatcher.forJWSHeader(token.getHeader())), null);
            if (keys.isEmpty() && System.nanoTime() - lastOutage < REFRESH_LIMIT.toNanos()) {
                // The key may be new: nobody can tell until the provider is back.
                throw unavailable();
            }
            return keys.stream().anyMatch(key -> verifies(token, key));
        } catch (RateLimitReachedException tooOften) {
            // Tokens with invented key names can bring this about at will: not worth a line each.
            LOG.debug("The published keys were asked for too often.");
            throw unavailable();
        } catch (KeySourceException unreachable) {
            LOG.warn("The published keys cannot be read: {}", unreachable.getMessage());
            throw unavailable();
        }
    }

    private static ProblemException unavailable() {
        return new ProblemException(
                Problem.IDENTITY_UNAVAILABLE, "The keys that tokens are verified with cannot be read right now.");
    }

    private static boolean verifies(SignedJWT token, JWK key) {
        try {
            return switch (key) {
                case ECKey ec -> UserTokens.verifies(token, new ECDSAVerifier(ec));
                case RSAKey rsa -> UserTokens.verifies(token, new RSASSAVerifier(rsa));
                default -> false;
            };
        } catch (JOSEException unusable) {
            return false;
        }
    }
}
