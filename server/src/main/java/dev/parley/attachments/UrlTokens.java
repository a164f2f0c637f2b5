package dev.parley.attachments;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.protocol.Actor;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs and verifies the tokens of object URLs (JWT, <a href="https://www.rfc-editor.org/rfc/rfc7519">RFC 7519</a>). A
 * token names one object and one purpose: a token for reading opens no upload, a token for one path opens no other, and
 * a user token, signed by another key, opens nothing here.
 */
public final class UrlTokens {
    private static final String OBJECT = "url";
    private static final String PURPOSE = "purpose";
    private static final String UPSERT = "upsert";

    private final Clock clock;
    private final MACSigner signer;
    private final List<JWSVerifier> verifiers;

    /** The purpose of a token. */
    enum Purpose {
        READ,
        UPLOAD
    }

    /**
     * The rights of a valid token.
     *
     * @param holder the actor on whose behalf the upload is stored; null in a token for reading
     */
    record Grant(ObjectKey key, @Nullable Actor holder, boolean upsert) {}

    /** @param secrets the first secret signs; all secrets verify */
    public UrlTokens(List<byte[]> secrets, Clock clock) {
        this.clock = clock;
        try {
            this.signer = new MACSigner(secrets.getFirst());
            this.verifiers = secrets.stream().map(UrlTokens::verifier).toList();
        } catch (JOSEException tooShort) {
            throw new IllegalArgumentException("a signing secret has at least 32 bytes", tooShort);
        }
    }

    private static JWSVerifier verifier(byte[] secret) {
        try {
            return new MACVerifier(secret);
        } catch (JOSEException tooShort) {
            throw new IllegalArgumentException("a signing secret has at least 32 bytes", tooShort);
        }
    }

    String forReading(ObjectKey key, Duration life) {
        return sign(claims(key, Purpose.READ, life));
    }

    String forUpload(ObjectKey key, Actor holder, boolean upsert, Duration life) {
        return sign(claims(key, Purpose.UPLOAD, life).subject(holder.value()).claim(UPSERT, upsert));
    }

    private JWTClaimsSet.Builder claims(ObjectKey key, Purpose purpose, Duration life) {
        Instant now = clock.instant();
        return new JWTClaimsSet.Builder()
                .claim(OBJECT, key.toString())
                .claim(PURPOSE, purpose.name())
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(life)));
    }

    private String sign(JWTClaimsSet.Builder claims) {
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims.build());
        try {
            token.sign(signer);
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
        return token.serialize();
    }

    /** The rights that a token grants for this purpose; empty if it is forged, for another purpose, or expired. */
    Optional<Grant> verify(String raw, Purpose purpose) {
        try {
            SignedJWT token = SignedJWT.parse(raw);
            // The server chooses the algorithm; the token's header does not.
            if (!JWSAlgorithm.HS256.equals(token.getHeader().getAlgorithm())
                    || verifiers.stream().noneMatch(verifier -> verifies(token, verifier))) {
                return Optional.empty();
            }
            JWTClaimsSet claims = token.getJWTClaimsSet();
            Date expires = claims.getExpirationTime();
            if (!purpose.name().equals(claims.getStringClaim(PURPOSE))
                    || expires == null
                    || !expires.toInstant().isAfter(clock.instant())) {
                return Optional.empty();
            }
            return grant(claims);
        } catch (ParseException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<Grant> grant(JWTClaimsSet claims) throws ParseException {
        String object = claims.getStringClaim(OBJECT);
        Actor holder =
                Optional.ofNullable(claims.getSubject()).flatMap(Actor::parse).orElse(null);
        boolean upsert = Boolean.TRUE.equals(claims.getBooleanClaim(UPSERT));
        return ObjectKey.parse(object == null ? "" : object).map(key -> new Grant(key, holder, upsert));
    }

    private static boolean verifies(SignedJWT token, JWSVerifier verifier) {
        try {
            return token.verify(verifier);
        } catch (JOSEException unusable) {
            return false;
        }
    }
}
