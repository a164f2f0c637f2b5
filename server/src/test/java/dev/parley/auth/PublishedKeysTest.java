package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.parley.protocol.ProblemException;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens signed with the published keys of an identity provider, against the whole server. */
class PublishedKeysTest {
    private static final UUID OLIVIA = UUID.randomUUID();
    private static ECKey ec;
    private static RSAKey rsa;
    private static KeyProvider provider;
    private static RunningServer server;

    @BeforeAll
    static void start() throws JOSEException {
        ec = new ECKeyGenerator(Curve.P_256)
                .keyID("ec-1")
                .keyUse(KeyUse.SIGNATURE)
                .generate();
        rsa = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        provider = new KeyProvider(ec, rsa);
        server = serverOf(provider);
        // Fetches the keys first, so that no other test depends on being the first.
        assertThat(me(server, es256("ec-1")).status()).isEqualTo(200);
    }

    private static RunningServer serverOf(KeyProvider keys) {
        return RunningServer.start("--jwks-url", keys.uri().toString());
    }

    @AfterAll
    static void stop() {
        server.close();
        provider.close();
    }

    private static Api.Reply me(RunningServer ownServer, String token) {
        return ownServer.api(token).get("/api/v1/auth/me");
    }

    private static String es256(String kid) {
        return KeyProvider.sign(JWSAlgorithm.ES256, ec, kid, OLIVIA);
    }

    private static void assertRefused(String token) {
        Api.Reply answer = me(server, token);
        assertThat(answer.problem()).as(answer.toString()).contains("unauthenticated");
    }

    @Test
    void bothKindsOfPublishedKeysAreAccepted() {
        assertThat(me(server, es256("ec-1")).text("sender_id")).isEqualTo("user:" + OLIVIA);
        assertThat(me(server, KeyProvider.sign(JWSAlgorithm.RS256, rsa, "rsa-1", OLIVIA))
                        .text("sender_id"))
                .isEqualTo("user:" + OLIVIA);
    }

    @Test
    void aTokenWithoutAKeyIdIsTriedWithAllFittingKeys() {
        assertThat(me(server, KeyProvider.sign(JWSAlgorithm.ES256, ec, null, OLIVIA))
                        .status())
                .isEqualTo(200);
        assertThat(me(server, KeyProvider.sign(JWSAlgorithm.RS256, rsa, null, OLIVIA))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aSecretAndPublishedKeysAreLiveAtOnce() {
        assertThat(me(server, server.token(OLIVIA, "Olivia")).text("sender_id")).isEqualTo("user:" + OLIVIA);
        assertThat(me(server, es256("ec-1")).text("sender_id")).isEqualTo("user:" + OLIVIA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS384", "RS512", "PS256"})
    void otherAlgorithmsOfTheSameKeyAreRefused(String algorithm) {
        assertRefused(KeyProvider.sign(JWSAlgorithm.parse(algorithm), rsa, "rsa-1", OLIVIA));
    }

    @Test
    void otherCurvesAreRefused() throws JOSEException {
        ECKey p384 = new ECKeyGenerator(Curve.P_384).keyID("ec-1").generate();
        assertRefused(KeyProvider.sign(JWSAlgorithm.ES384, p384, "ec-1", OLIVIA));
    }

    @Test
    void aForeignKeyUnderAPublishedIdIsRefused() throws JOSEException {
        ECKey forged = new ECKeyGenerator(Curve.P_256).keyID("ec-1").generate();
        assertRefused(KeyProvider.sign(JWSAlgorithm.ES256, forged, "ec-1", OLIVIA));
        assertRefused(KeyProvider.sign(JWSAlgorithm.ES256, forged, null, OLIVIA));
    }

    /** The classic confusion: a public key used as a secret. */
    @Test
    void aPublicKeyIsNoSecret() throws JOSEException {
        String payload = KeyProvider.claims(OLIVIA).build().toString();
        byte[] der = rsa.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
        for (String secret : new String[] {
            pem,
            pem.strip(),
            new String(der, StandardCharsets.ISO_8859_1),
            rsa.toPublicJWK().toJSONString()
        }) {
            for (String header : new String[] {
                "{\"alg\":\"HS256\",\"kid\":\"rsa-1\"}", "{\"alg\":\"HS256\"}", "{\"alg\":\"RS256\",\"kid\":\"rsa-1\"}"
            }) {
                assertRefused(new ForgedToken(header, payload).mac("HmacSHA256", secret));
            }
        }
    }

    @Test
    void aKeyInsideTheTokenIsIgnored() throws JOSEException {
        RSAKey own = new RSAKeyGenerator(2048).keyID("rsa-1").generate();
        String header =
                "{\"alg\":\"RS256\",\"jwk\":" + own.toPublicJWK().toJSONString() + ",\"jku\":\"http://127.0.0.1:1/\"}";
        assertRefused(new ForgedToken(header, KeyProvider.claims(OLIVIA).build().toString())
                .signature("SHA256withRSA", own.toRSAPrivateKey()));
    }

    @Test
    void aNewKeyIsFetchedWhenATokenNamesIt() throws JOSEException {
        ECKey next = new ECKeyGenerator(Curve.P_256).keyID("ec-2").generate();
        try (KeyProvider keys = new KeyProvider(ec);
                RunningServer rotating = serverOf(keys)) {
            assertThat(me(rotating, es256("ec-1")).status()).isEqualTo(200);
            keys.publish(next);
            assertThat(me(rotating, KeyProvider.sign(JWSAlgorithm.ES256, next, "ec-2", OLIVIA))
                            .status())
                    .isEqualTo(200);
            String gone = KeyProvider.sign(JWSAlgorithm.ES256, ec, "ec-1", UUID.randomUUID());
            assertThat(me(rotating, gone).status())
                    .as("a key that was withdrawn")
                    .isEqualTo(401);
            assertThat(keys.requestCount()).isEqualTo(2);
        }
    }

    @Test
    void knownKeysWorkWhileTheProviderIsUnreachable() throws JOSEException {
        ECKey unseen = new ECKeyGenerator(Curve.P_256).keyID("ec-9").generate();
        try (KeyProvider keys = new KeyProvider(ec);
                RunningServer lonely = serverOf(keys)) {
            assertThat(me(lonely, es256("ec-1")).status()).isEqualTo(200);
            keys.away(true);
            assertThat(me(lonely, KeyProvider.sign(JWSAlgorithm.ES256, ec, "ec-1", UUID.randomUUID()))
                            .status())
                    .isEqualTo(200);
            Api.Reply answer = me(lonely, KeyProvider.sign(JWSAlgorithm.ES256, unseen, "ec-9", OLIVIA));
            assertThat(answer.problem()).as(answer.toString()).contains("identity-unavailable");
            assertThat(answer.header("Retry-After")).isPresent();
            assertThat(me(lonely, lonely.token(OLIVIA, "Olivia")).status())
                    .as("tokens of the secret do not need the provider")
                    .isEqualTo(200);
        }
    }

    @Test
    void aTokenIsRetryableWithoutAnyKeys() {
        try (KeyProvider keys = new KeyProvider(ec)) {
            keys.away(true);
            assertThat(outcome(verifier(keys), es256("ec-1"))).isEqualTo("identity-unavailable");
        }
    }

    @Test
    void inventedKeyIdsCauseFewFetches() {
        try (KeyProvider keys = new KeyProvider(ec)) {
            UserTokens attacked = verifier(keys);
            assertThat(outcome(attacked, es256("ec-1"))).isEqualTo("taken");
            for (int i = 0; i < 50; i++) {
                assertThat(outcome(attacked, es256("invented-" + i))).isEqualTo("unauthenticated");
            }
            assertThat(keys.requestCount()).isLessThan(6);
            assertThat(outcome(attacked, es256("ec-1"))).isEqualTo("taken");
        }
    }

    @Test
    void inventedKeyIdsDoNotHideANewKeyForLong() throws JOSEException {
        ECKey next = new ECKeyGenerator(Curve.P_256).keyID("ec-2").generate();
        String token = KeyProvider.sign(JWSAlgorithm.ES256, next, "ec-2", OLIVIA);
        try (KeyProvider keys = new KeyProvider(ec)) {
            UserTokens attacked = verifier(keys);
            for (int i = 0; i < 10; i++) {
                assertThat(outcome(attacked, es256("invented-" + i))).isEqualTo("unauthenticated");
            }
            keys.publish(ec, next);
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                assertThat(outcome(attacked, es256("invented"))).isEqualTo("unauthenticated");
                return outcome(attacked, token).equals("taken");
            });
        }
    }

    @Test
    void anUnknownKeyIsRetryableWhileTheProviderIsUnreachable() {
        try (KeyProvider keys = new KeyProvider(ec)) {
            UserTokens lonely = verifier(keys);
            assertThat(outcome(lonely, es256("ec-1"))).isEqualTo("taken");
            keys.away(true);
            for (int i = 0; i < 10; i++) {
                assertThat(outcome(lonely, es256("unseen-" + i))).isEqualTo("identity-unavailable");
            }
            assertThat(outcome(lonely, es256("ec-1"))).isEqualTo("taken");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "[]", "{}", "{\"keys\":7}", "oversized"})
    void anAnswerWithoutKeysIsNotUsed(String answer) {
        try (KeyProvider keys = new KeyProvider(ec)) {
            String padding = "x".repeat(1024 * 1024);
            keys.publishText(
                    answer.equals("oversized")
                            ? "{\"padding\":\"" + padding + "\",\"keys\":["
                                    + ec.toPublicJWK().toJSONString() + "]}"
                            : answer);
            assertThat(outcome(verifier(keys), es256("ec-1"))).isEqualTo("identity-unavailable");
        }
    }

    @Test
    void aPublishedSecretIsNotUsed() {
        byte[] secret = "a symmetric key that has no business in a public list".getBytes(StandardCharsets.UTF_8);
        JWK symmetric = new OctetSequenceKey.Builder(secret).keyID("oct-1").build();
        try (KeyProvider keys = new KeyProvider()) {
            keys.publishText("{\"keys\":[" + symmetric.toJSONString() + "]}");
            assertThat(outcome(verifier(keys), KeyProvider.sign(JWSAlgorithm.HS256, symmetric, "oct-1", OLIVIA)))
                    .isEqualTo("unauthenticated");
        }
    }

    /** A verifier with published keys alone, without a server. */
    private static UserTokens verifier(KeyProvider keys) {
        return new UserTokens(
                new AuthSettings(
                        List.of(),
                        Optional.of(keys.uri()),
                        "authenticated",
                        Optional.empty(),
                        Set.of(),
                        Optional.empty(),
                        Optional.empty(),
                        200),
                Clock.systemUTC());
    }

    private static String outcome(UserTokens tokens, String token) {
        try {
            return tokens.verify(token).user().id().equals(OLIVIA) ? "taken" : "taken for another";
        } catch (ProblemException refused) {
            return refused.problem().slug();
        }
    }
}
