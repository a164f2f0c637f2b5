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
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.jwk.source.URLBasedJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of an identity provider (JWKS, RFC 7517). Keys are cached for minutes, fetched again for an unknown
 * key id, and kept in use while the provider is unreachable.
 *
 * <p>Tokens with invented key ids also trigger fetches, but at most two within {@link #REFRESH_LIMIT}. Every fetch
 * returns all keys, so the server knows a new key after that time at the latest. Until then it refuses tokens of the
 * new key like tokens of an unknown key.
 */
final class PublishedKeys {
    static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.ES256, JWSAlgorithm.RS256);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 3_000;
    private static final int MAX_BYTES = 256 * 1024;
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final Duration REFRESH_LIMIT = Duration.ofSeconds(5);
    private static final Duration OUTAGE = Duration.ofHours(4);

    private final JWKSource<SecurityContext> source;
    /** True if the last fetch from the provider succeeded. */
    private volatile boolean reachable;

    PublishedKeys(URI url) {
        try {
            this.source = JWKSourceBuilder.create(new Provider(new URLBasedJWKSetSource<>(
                            url.toURL(), new DefaultResourceRetriever(CONNECT_MILLIS, READ_MILLIS, MAX_BYTES))))
                    .cache(KEPT.toMillis(), REFRESH_LIMIT.toMillis())
                    .rateLimited(REFRESH_LIMIT.toMillis())
                    .retrying(true)
                    .outageTolerant(OUTAGE.toMillis())
                    .build();
        } catch (MalformedURLException unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }

    /** True if one of the keys that fit the token's header has signed the token. */
    boolean verifies(SignedJWT token) {
        try {
            List<JWK> keys = source.get(new JWKSelector(JWKMatcher.forJWSHeader(token.getHeader())), null);
            if (keys.isEmpty()) {
                requireReachable();
            }
            return keys.stream().anyMatch(key -> verifies(token, key));
        } catch (RateLimitReachedException justAsked) {
            requireReachable();
            return false;
        } catch (KeySourceException unreachable) {
            LOG.warn(
                    "Could not read the published keys; tokens of unknown keys are refused until they can be read: {}",
                    unreachable.getMessage());
            throw unavailable();
        }
    }

    /**
     * Throws if the provider is unreachable, because an unknown key may then be a new key. A token of an unknown key is
     * refused only while the provider is reachable.
     */
    private void requireReachable() {
        if (!reachable) {
            throw unavailable();
        }
    }

    private static ProblemException unavailable() {
        return new ProblemException(
                Problem.IDENTITY_UNAVAILABLE, "The keys that verify tokens cannot be read right now; try again soon.");
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

    /** Fetches the keys, and records the success of the fetch. */
    private final class Provider implements JWKSetSource<SecurityContext> {
        private final JWKSetSource<SecurityContext> delegate;

        Provider(JWKSetSource<SecurityContext> delegate) {
            this.delegate = delegate;
        }

        @Override
        public JWKSet getJWKSet(JWKSetCacheRefreshEvaluator refresh, long now, SecurityContext context)
                throws KeySourceException {
            try {
                JWKSet keys = delegate.getJWKSet(refresh, now, context);
                reachable = true;
                return keys;
            } catch (KeySourceException away) {
                reachable = false;
                throw away;
            }
        }

        @Override
        public void close() throws IOException {
            delegate.close();
        }
    }
}
