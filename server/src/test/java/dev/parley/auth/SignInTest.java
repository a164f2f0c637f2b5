package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The tokens that the whole server accepts over HTTP. */
class SignInTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** Long enough for HS512 as well, so that only the algorithm can be at fault. */
    private static final String SECRET = "current secret of the sign-in tests ".repeat(3);

    private static final String PREVIOUS = "previous secret of the sign-in tests ".repeat(3);
    private static final String ISSUER = "https://issuer.example";
    private static final String HS256 = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    private static final UUID OLIVIA = UUID.randomUUID();

    private static final TestClock CLOCK = TestClock.at(NOON);

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            CLOCK, "--jwt-secret", SECRET, "--jwt-secret-previous", PREVIOUS, "--jwt-issuer", ISSUER);

    @BeforeEach
    void resetClock() {
        CLOCK.set(NOON);
    }

    private static ObjectNode claims() {
        return Json.MAPPER
                .createObjectNode()
                .put("sub", OLIVIA.toString())
                .put("aud", "authenticated")
                .put("iss", ISSUER)
                .put("exp", NOON.plusSeconds(3600).getEpochSecond());
    }

    private static String sign(JsonNode claims) {
        return new ForgedToken(HS256, claims.toString()).mac("HmacSHA256", SECRET);
    }

    private static String without(String claim) {
        ObjectNode claims = claims();
        claims.remove(claim);
        return sign(claims);
    }

    static Stream<Arguments> badTokens() throws GeneralSecurityException {
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        KeyPair ec = KeyPairGenerator.getInstance("EC").generateKeyPair();
        String good = sign(claims());
        String payload = claims().toString();
        List<Arguments> tokens = new ArrayList<>(List.of(
                arguments("HS512, right secret", header("HS512").mac("HmacSHA512", SECRET)),
                arguments("HS384, right secret", header("HS384").mac("HmacSHA384", SECRET)),
                arguments("RS256", header("RS256").signature("SHA256withRSA", rsa.getPrivate())),
                arguments("RS256 by name, HMAC by nature", header("RS256").mac("HmacSHA256", SECRET)),
                arguments("ES256", header("ES256").signature("SHA256withECDSAinP1363Format", ec.getPrivate())),
                arguments("HS256 by name, RSA by nature", header("HS256").signature("SHA256withRSA", rsa.getPrivate())),
                arguments("no algorithm", new ForgedToken("{}", payload).mac("HmacSHA256", SECRET)),
                arguments("lower-case algorithm", header("hs256").mac("HmacSHA256", SECRET)),
                arguments(
                        "critical header nobody knows",
                        new ForgedToken("{\"alg\":\"HS256\",\"crit\":[\"mystery\"],\"mystery\":1}", payload)
                                .mac("HmacSHA256", SECRET)),
                arguments("unsigned", header("HS256").unsigned()),
                arguments("all-zero signature", header("HS256").with(new byte[32])),
                arguments("cut signature", good.substring(0, good.length() - 4)),
                arguments(
                        "key named in the header",
                        new ForgedToken(
                                        "{\"alg\":\"HS256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}",
                                        claims().toString())
                                .mac("HmacSHA256", "\0\0\0")),
                arguments(
                        "wrong key",
                        header("HS256").mac("HmacSHA256", "some other secret, long enough to be one of ours")),
                arguments(
                        "other claims under a good signature",
                        new ForgedToken(
                                                HS256,
                                                claims().put(
                                                                "sub",
                                                                UUID.randomUUID()
                                                                        .toString())
                                                        .toString())
                                        .unsigned()
                                + good.substring(good.lastIndexOf('.') + 1)),
                arguments("wrong audience", sign(claims().put("aud", "somebody-else"))),
                arguments("no audience", without("aud")),
                arguments(
                        "audience list without ours",
                        sign(claims().set(
                                        "aud",
                                        Json.MAPPER.createArrayNode().add("a").add("b")))),
                arguments("wrong issuer", sign(claims().put("iss", "https://evil.example"))),
                arguments("no issuer", without("iss")),
                arguments(
                        "expired",
                        sign(claims().put("exp", NOON.minusSeconds(31).getEpochSecond()))),
                arguments("no expiry", without("exp")),
                arguments("null expiry", sign(claims().putNull("exp"))),
                arguments("expiry that is a text", sign(claims().put("exp", "tomorrow"))),
                arguments("expiry beyond all time", sign(claims().put("exp", Long.MAX_VALUE))),
                arguments(
                        "not valid yet",
                        sign(claims().put("nbf", NOON.plusSeconds(31).getEpochSecond()))),
                arguments("no subject", without("sub")),
                arguments("empty subject", sign(claims().put("sub", ""))),
                arguments("subject that is a name", sign(claims().put("sub", "olivia"))),
                arguments("subject that is almost a UUID", sign(claims().put("sub", "1-1-1-1-1"))),
                arguments("subject that is a number", sign(claims().put("sub", 7))),
                arguments("name that is no text", sign(claims().put("name", 7))),
                arguments("payload that is a list", new ForgedToken(HS256, "[]").mac("HmacSHA256", SECRET)),
                arguments("payload that is no JSON", new ForgedToken(HS256, "{").mac("HmacSHA256", SECRET)),
                arguments("header that is no JSON", new ForgedToken("{", payload).mac("HmacSHA256", SECRET)),
                arguments(
                        "bottomless header",
                        new ForgedToken("{\"alg\":\"HS256\",\"x\":" + "[".repeat(3_000), "{}").unsigned()),
                arguments("no token at all", "garbage"),
                arguments("two parts", "e30.e30"),
                arguments("dots", "..."),
                arguments("five parts, as if encrypted", "e30.e30.e30.e30.e30"),
                arguments("not base64", "é*.e30.e30")));
        for (String none : List.of("none", "None", "NONE", "nOnE")) {
            tokens.add(arguments(none, header(none).unsigned()));
            tokens.add(arguments(none + " with a good MAC", header(none).mac("HmacSHA256", SECRET)));
        }
        return tokens.stream();
    }

    private static ForgedToken header(String algorithm) {
        return new ForgedToken("{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}", claims().toString());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badTokens")
    void aForeignTokenIsRefused(String name, String token) throws IOException {
        RawAnswer answer = call("Authorization: Bearer " + token);
        assertRefused(answer);
        assertThat(answer.text()).doesNotContain(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Nothing: 1",
                "Authorization:",
                "Authorization: Bearer",
                "Authorization: Bearer  ",
                "Authorization: Basic b2xpdmlhOnNlY3JldA==",
                "Authorization: {token}",
                "Authorization: Bearer{token}",
                "Authorization: Token {token}",
                "Authorization: Basic {token}",
                "Proxy-Authorization: Bearer {token}",
                "Cookie: token={token}"
            })
    void onlyABearerTokenInItsHeaderCounts(String header) throws IOException {
        assertRefused(call(header.replace("{token}", sign(claims()))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"token", "access_token", "ticket", "jwt", "Authorization"})
    void aTokenInTheAddressIsIgnored(String name) throws IOException {
        assertRefused(send("POST /api/v1/chat/threads?" + name + "=" + sign(claims()) + " HTTP/1.1\r\nHost: x\r\n"
                + "Content-Length: 0\r\n\r\n"));
    }

    @Test
    void tokensOfBothLiveSecretsAreAccepted() throws IOException {
        assertThat(callerOf(sign(claims()))).isEqualTo("user:" + OLIVIA);
        assertThat(callerOf(new ForgedToken(HS256, claims().toString()).mac("HmacSHA256", PREVIOUS)))
                .isEqualTo("user:" + OLIVIA);
    }

    @Test
    void anAudienceListMayContainOurs() throws IOException {
        ObjectNode claims = claims();
        claims.putArray("aud").add("somebody-else").add("authenticated");
        assertThat(callerOf(sign(claims))).isEqualTo("user:" + OLIVIA);
    }

    @Test
    void theSchemesCaseDoesNotMatter() throws IOException {
        assertThat(call("authorization: bEARER " + sign(claims())).status()).isEqualTo(201);
    }

    @Test
    void aTokenStopsWorkingWhenItExpires() throws IOException {
        String token = sign(claims().put("exp", NOON.plusSeconds(60).getEpochSecond()));
        assertThat(call("Authorization: Bearer " + token).status()).isEqualTo(201);
        CLOCK.advance(Duration.ofSeconds(59));
        assertThat(call("Authorization: Bearer " + token).status()).isEqualTo(201);
        // Clocks of other machines may be half a minute off.
        CLOCK.advance(Duration.ofSeconds(30));
        assertThat(call("Authorization: Bearer " + token).status()).isEqualTo(201);
        CLOCK.advance(Duration.ofSeconds(1));
        assertRefused(call("Authorization: Bearer " + token));
    }

    @Test
    void aTokenOfTomorrowWorksTomorrow() throws IOException {
        String token = sign(claims().put("nbf", NOON.plusSeconds(600).getEpochSecond()));
        assertRefused(call("Authorization: Bearer " + token));
        CLOCK.advance(Duration.ofMinutes(10));
        assertThat(call("Authorization: Bearer " + token).status()).isEqualTo(201);
    }

    @Test
    void aNameIsStrippedAndCutToTwoHundredCharacters() throws IOException {
        assertThat(nameOf("  " + "👋".repeat(201) + " ")).isEqualTo("👋".repeat(200));
        assertThat(nameOf("  Olivia\t")).isEqualTo("Olivia");
        assertThat(nameOf(" ")).startsWith("user:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"O\\u0000livia", "O\\nlivia", "O\\u0085livia", "O\\ud83dlivia", "O\\udc4blivia"})
    void aNameThatCannotBeStoredDoesNotPreventSignIn(String escaped) throws IOException {
        String payload = newUser().put("name", "{name}").toString().replace("{name}", escaped);
        String token = new ForgedToken(HS256, payload).mac("HmacSHA256", SECRET);
        assertThat(participant(token).get("display_name").asString()).isEqualTo("O\ufffdlivia");
    }

    private static String callerOf(String token) throws IOException {
        return participant(token).get("sender_id").asString();
    }

    private static String nameOf(String name) throws IOException {
        return participant(sign(newUser().put("name", name)))
                .get("display_name")
                .asString();
    }

    /** A new user: for a known one the server would keep the name for a minute. */
    private static ObjectNode newUser() {
        return claims().put("sub", UUID.randomUUID().toString());
    }

    /** The caller as the server sees it: the only participant of a new thread. */
    private static JsonNode participant(String token) throws IOException {
        RawAnswer answer = call("Authorization: Bearer " + token);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return Json.MAPPER.readTree(answer.body()).get("participants").get(0);
    }

    private static RawAnswer call(String header) throws IOException {
        return send("POST /api/v1/chat/threads HTTP/1.1\r\nHost: x\r\n" + header + "\r\nContent-Length: 0\r\n\r\n");
    }

    private static RawAnswer send(String request) throws IOException {
        return RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.UTF_8), LIMIT);
    }

    private static void assertRefused(RawAnswer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(401);
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        JsonNode problem = Json.MAPPER.readTree(answer.body());
        assertThat(problem.get("type").asString()).isEqualTo("/problems/unauthenticated");
        assertThat(problem.get("code").asString()).isEqualTo("UNAUTHORIZED");
        assertThat(problem.get("retryable").asBoolean()).isFalse();
    }
}
