package dev.parley.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * User tokens: JWTs (RFC 7519) signed with a secret (HS256) or a published key (ES256, RS256). The header of a token
 * does not choose the algorithm. A secret verifies HS256 only, and a published key verifies only its own kind. So the
 * server accepts neither {@code none} nor a public key that is used as a secret.
 */
public final class UserTokens {
    private static final Duration LEEWAY = Duration.ofSeconds(30);

    private final AuthSettings settings;
    private final Clock clock;
    private final List<JWSVerifier> verifiers = new ArrayList<>();
    private final Optional<PublishedKeys> published;

    public UserTokens(AuthSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.published = settings.jwksUrl().map(PublishedKeys::new);
        try {
            for (byte[] secret : settings.secrets()) {
                verifiers.add(new MACVerifier(secret));
            }
        } catch (JOSEException weak) {
            throw new IllegalArgumentException("a token secret must have at least 32 bytes", weak);
        }
    }

    /** A verified token: its user and its expiry. */
    record Verified(Principal.User user, Instant expires) {}

    /** Mints a token with the first secret. */
    public String mint(UUID user, @Nullable String name, Duration ttl) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .subject(user.toString())
                .audience(settings.audience())
                .issueTime(Date.from(clock.instant()))
                .expirationTime(Date.from(clock.instant().plus(ttl)));
        settings.issuer().ifPresent(claims::issuer);
        if (name != null) {
            claims.claim("name", name);
        }
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims.build());
        try {
            token.sign(new MACSigner(settings.secrets().getFirst()));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        return token.serialize();
    }

    /** Verifies a token, or refuses it with a sentence that helps a developer but not a forger. */
    Verified verify(String raw) {
        try {
            SignedJWT token = SignedJWT.parse(raw);
            if (!signed(token)) {
                throw refused("The token's signature is not valid, or not of an accepted kind.");
            }
            return check(token.getJWTClaimsSet());
        } catch (ParseException unreadable) {
            throw refused("The token cannot be read.");
        }
    }

    private boolean signed(SignedJWT token) {
        JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
        if (JWSAlgorithm.HS256.equals(algorithm)) {
            return verifiers.stream().anyMatch(verifier -> verifies(token, verifier));
        }
        return PublishedKeys.ALGORITHMS.contains(algorithm)
                && published.map(keys -> keys.verifies(token)).orElse(false);
    }

    static boolean verifies(SignedJWT token, JWSVerifier verifier) {
        try {
            return token.verify(verifier);
        } catch (JOSEException unusable) {
            // The header names a critical extension that this verifier does not support.
            return false;
        }
    }

    private Verified check(JWTClaimsSet claims) throws ParseException {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        if (expires == null) {
            throw refused("The token has no expiry (exp).");
        }
        if (!expires.toInstant().plus(LEEWAY).isAfter(now)) {
            throw refused("The token has expired.");
        }
        Date notBefore = claims.getNotBeforeTime();
        if (notBefore != null && notBefore.toInstant().minus(LEEWAY).isAfter(now)) {
            throw refused("The token is not valid yet.");
        }
        if (!claims.getAudience().contains(settings.audience())) {
            throw refused("The token is meant for another audience.");
        }
        if (settings.issuer().isPresent() && !settings.issuer().get().equals(claims.getIssuer())) {
            throw refused("The token comes from another issuer.");
        }
        String subject = claims.getSubject();
        UUID id = UuidV7.parseCanonical(subject == null ? "" : subject)
                .orElseThrow(() -> refused("The token's subject (sub) is not a UUID."));
        return new Verified(
                new Principal.User(
                        id,
                        name(claims, id),
                        isOperator(claims, id),
                        expires.toInstant().plus(LEEWAY)),
                expires.toInstant());
    }

    private boolean isOperator(JWTClaimsSet claims, UUID id) {
        return settings.operators().contains(Actor.user(id))
                || settings.operatorClaim()
                        .map(claim -> holds(claims.getClaim(claim.getKey()), claim.getValue()))
                        .orElse(false);
    }

    private static boolean holds(@Nullable Object claim, String value) {
        return claim instanceof Collection<?> values ? values.contains(value) : value.equals(String.valueOf(claim));
    }

    private String name(JWTClaimsSet claims, UUID id) throws ParseException {
        String name = claims.getStringClaim("name");
        if (name == null || name.isBlank()) {
            return "user:" + id;
        }
        String stripped = storable(name.strip());
        return stripped.codePointCount(0, stripped.length()) <= settings.displayNameLimit()
                ? stripped
                : stripped.substring(0, stripped.offsetByCodePoints(0, settings.displayNameLimit()));
    }

    /**
     * Replaces characters that PostgreSQL or a line of text cannot hold by U+FFFD, because a bad name must not prevent
     * authentication.
     */
    private static String storable(String name) {
        StringBuilder text = new StringBuilder(name.length());
        name.codePoints()
                .map(each -> Character.isISOControl(each)
                                || each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE
                        ? 0xFFFD
                        : each)
                .forEach(text::appendCodePoint);
        return text.toString();
    }

    private static ProblemException refused(String why) {
        return new ProblemException(Problem.UNAUTHENTICATED, why);
    }
}
