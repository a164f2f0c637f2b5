package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Bad, large and slow input, sent byte by byte to the whole server. */
class EdgeLimitsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SMALL_LIMIT = 262_144;
    private static final UUID OLIVIA = UUID.randomUUID();
    private static RunningServer standard;
    private static RunningServer strict;

    @BeforeAll
    static void start() {
        standard = RunningServer.start("--rate-limits", "off");
        strict = RunningServer.start(
                "--rate-limits",
                "off",
                "--limit-other-body",
                Integer.toString(SMALL_LIMIT),
                "--limit-head-timeout",
                "500ms",
                "--limit-body-timeout",
                "500ms");
    }

    @AfterAll
    static void stop() {
        strict.close();
        standard.close();
    }

    /** The header that declares a body's length. */
    enum Framing {
        LENGTH,
        CHUNKED
    }

    @ParameterizedTest
    @EnumSource(Framing.class)
    void aBodyIsTakenUpToItsLastAllowedByte(Framing framing) throws IOException {
        assertLimit(strict, framing, SMALL_LIMIT);
        assertLimit(standard, framing, 1024 * 1024);
    }

    private static void assertLimit(RunningServer server, Framing framing, int limit) throws IOException {
        String path = newThread(server) + "/messages";
        RawAnswer taken = post(server, path, framing, padded(limit));
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);

        RawAnswer refused = post(server, path, framing, padded(limit + 1));
        assertThat(refused.status()).isEqualTo(413);
        JsonNode problem = Json.MAPPER.readTree(refused.body());
        assertThat(problem.get("type").asString()).isEqualTo("/problems/payload-too-large");
        assertThat(problem.get("code").asString()).isEqualTo("PAYLOAD_TOO_LARGE");
        assertThat(lastSeq(server, path)).as("rows written by a refused body").isEqualTo(1);
    }

    /** A message of exactly so many bytes; unknown members are ignored. */
    private static String padded(int bytes) {
        String body = "{\"content\":\"hi\",\"padding\":\"\"}";
        return body.replace("\"\"", "\"" + "x".repeat(bytes - body.length()) + "\"");
    }

    @Test
    void sixtyFourLevelsAreTakenAndOneMoreIsNot() throws IOException {
        // The body itself is the first level; the innermost one is empty.
        assertTaken(nested("nobody_knows_this", 64));
        assertInvalid("invalid-json", nested("nobody_knows_this", 65));
        assertInvalid("invalid-json", nested("nobody_knows_this", 200_000));
    }

    @Test
    void metadataMayBeThirtyTwoLevelsDeepSoThatEveryReaderCanReadIt() throws IOException {
        assertTaken(nested("metadata", 33));
        assertInvalid("invalid-fields", nested("metadata", 34));
    }

    private static String nested(String member, int levels) {
        int inside = levels - 2;
        return "{\"content\":\"hi\",\"" + member + "\":{\"a\":" + "[".repeat(inside) + "]".repeat(inside) + "}}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"content\":\"hi\"",
                "{\"content\":\"hi\"} x",
                "{\"content\":\"hi\"}{}",
                "{\"content\":\"hi\",}",
                "{content:\"hi\"}",
                "{'content':'hi'}",
                "{\"content\":NaN}",
                "{\"content\":\"a\nb\"}",
                "{\"content\":\"\\x41\"}",
                "// hello\n{\"content\":\"hi\"}",
                "[]",
                "[{\"content\":\"hi\"}]",
                "\"hi\"",
                "5",
                "true",
                "null",
                "{\"content\":\"hi\",\"content\":\"ho\"}",
                "{\"content\":\"hi\",\"content\":\"hi\"}",
                "{\"content\":\"hi\",\"cont\\u0065nt\":\"ho\"}",
                "{\"content\":\"hi\",\"metadata\":{\"a\":1,\"a\":2}}",
                "{\"content\":\"hi\",\"unknown\":{\"a\":1,\"a\":2}}"
            })
    void bodyThatIsNoJsonObjectIsRefused(String body) throws IOException {
        assertInvalid("invalid-json", body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u0000"})
    void bytesThatAreNoTextAreRefused(String bytes) throws IOException {
        assertInvalid("invalid-json", "{\"content\":\"" + bytes + "\"}");
    }

    @Test
    void numbersHaveAThousandDigitsAtMost() throws IOException {
        assertTaken("{\"content\":\"hi\",\"metadata\":{\"n\":" + "9".repeat(1_000) + "}}");
        assertInvalid("invalid-json", "{\"content\":\"hi\",\"metadata\":{\"n\":" + "9".repeat(1_001) + "}}");
        assertInvalid("invalid-json", "{\"content\":\"hi\",\"metadata\":{\"n\":0." + "9".repeat(1_001) + "}}");
        assertInvalid("invalid-json", "{\"content\":\"hi\",\"unknown\":" + "9".repeat(200_000) + "}");
    }

    /** Written out, such a number would fill all memory. */
    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "1e-999999999", "-1E+2147483647", "1e2147483648", "1e99999999999999999999"})
    void aHugeExponentCostsNothing(String number) throws IOException {
        String path = newThread(standard) + "/messages";
        String body = "{\"content\":\"hi\",\"client_message_id\":\"k\",\"metadata\":{\"n\":" + number + "}}";
        RawAnswer first = post(standard, path, Framing.LENGTH, body);
        assertThat(first.status()).as(first.text()).isIn(201, 400);
        if (first.status() == 201) {
            RawAnswer again = post(standard, path, Framing.LENGTH, body);
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            assertThat(get(standard, path).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"content\":5} | content",
                "{\"content\":true} | content",
                "{\"content\":{}} | content",
                "{\"content\":[\"hi\"]} | content",
                "{} | content",
                "{\"content\":null} | content",
                "{\"content\":\"hi\",\"client_message_id\":7} | client_message_id",
                "{\"content\":\"hi\",\"client_message_id\":\"\"} | client_message_id",
                "{\"content\":\"hi\",\"client_message_id\":\"a\\u0000b\"} | client_message_id",
                "{\"content\":\"hi\",\"client_message_id\":\"\\ud800\"} | client_message_id",
                "{\"content\":\"hi\",\"reply_to\":[]} | reply_to",
                "{\"content\":\"hi\",\"reply_to\":\"\\u0000\"} | reply_to",
                "{\"content\":\"hi\",\"mentions\":\"user:x\"} | mentions",
                "{\"content\":\"hi\",\"mentions\":[5]} | mentions[0]",
                "{\"content\":\"hi\",\"mentions\":[null]} | mentions[0]",
                "{\"content\":\"hi\",\"mentions\":[\"user:1-1-1-1-1\"]} | mentions[0]",
                "{\"content\":\"hi\",\"metadata\":[]} | metadata",
                "{\"content\":\"hi\",\"metadata\":\"x\"} | metadata",
                "{\"content\":\"hi\",\"metadata\":{\"k\":\"\\u0000\"}} | metadata",
                "{\"content\":\"hi\",\"metadata\":{\"k\":[\"\\udc00\"]}} | metadata",
                "{\"content\":\"hi\",\"metadata\":{\"k\\u0000\":1}} | metadata",
                "{\"content\":\"\\u0000\"} | content",
                "{\"content\":\"\\ude00\\ud83d\"} | content"
            })
    void theFieldAtFaultIsNamed(String body, String field) throws IOException {
        JsonNode problem = assertInvalid("invalid-fields", body);
        assertThat(problem.at("/errors/0/field").asString()).isEqualTo(field);
        assertThat(problem.at("/errors/0/message").asString()).isNotEmpty().doesNotContain("java", "dev.parley");
        assertThat(problem.get("errors")).hasSize(1);
    }

    @Test
    void aNameWithHalfACharacterIsRefused() throws IOException {
        assertInvalid("invalid-json", "{\"content\":\"hi\",\"metadata\":{\"\\ud800x\":1}}");
    }

    @Test
    void unstorableTextInAnUnknownMemberIsIgnored() throws IOException {
        assertTaken("{\"content\":\"hi\",\"nobody_knows_this\":\"\\u0000\\ud800\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void aFormOfAnotherSiteIsNoMessage(String type) throws IOException {
        RawAnswer answer = exchange(
                standard,
                "POST",
                newThread(standard) + "/messages",
                "Content-Type: " + type + "\r\nContent-Length: 16\r\n",
                "{\"content\":\"hi\"}");
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.text()).contains("/problems/unsupported-media-type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//",
                "/api",
                "/api/v1/chat/threads/",
                "/api/v1/chat/threads/x/y/z",
                "/api/v1/chat/threads//messages",
                "/API/v1/chat/threads",
                "/api/v1/../v1/chat/threads"
            })
    void unknownPathIsNotFound(String path) throws IOException {
        RawAnswer answer = exchange(standard, "GET", path, "", "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(404);
        assertThat(answer.text()).contains("/problems/");
    }

    @Test
    void anotherMethodIsToldWhichAreTaken() throws IOException {
        String messages = newThread(standard) + "/messages";
        for (String method : List.of("PUT", "DELETE", "PATCH", "TRACE")) {
            RawAnswer answer = exchange(standard, method, messages, "", "");
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("Allow").orElseThrow().split(", ")).contains("GET", "POST");
            assertThat(answer.text()).contains("/problems/method-not-allowed");
        }
    }

    @Test
    void connectionThatDripsAHeadOrABodyIsClosed() throws IOException {
        try (RawHttp head = RawHttp.connect(strict.uri(), LIMIT);
                RawHttp body = RawHttp.connect(strict.uri(), LIMIT)) {
            head.send("POST /api/v1/chat/threads HTTP/1.1\r\nHost: x\r\nX-Slow: ");
            body.send("POST /api/v1/chat/threads HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\nAuthorization: Bearer "
                    + strict.token(OLIVIA, "Olivia") + "\r\n\r\n{\"title\":");
            assertThat(head.peerCloses()).as("in mid-head").isTrue();
            assertThat(body.peerCloses()).as("in mid-body").isTrue();
        }
        assertThat(newThread(strict)).isNotEmpty();
    }

    private static void assertTaken(String body) throws IOException {
        RawAnswer answer = post(standard, newThread(standard) + "/messages", Framing.LENGTH, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    }

    private static JsonNode assertInvalid(String slug, String body) throws IOException {
        String path = newThread(standard) + "/messages";
        RawAnswer answer = post(standard, path, Framing.LENGTH, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).contains("application/problem+json");
        JsonNode problem = Json.MAPPER.readTree(answer.body());
        assertThat(problem.get("type").asString()).isEqualTo("/problems/" + slug);
        assertThat(lastSeq(standard, path)).as("rows written by a refused body").isZero();
        return problem;
    }

    private static String newThread(RunningServer server) throws IOException {
        RawAnswer answer = post(server, "/api/v1/chat/threads", Framing.LENGTH, "{}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return "/api/v1/chat/threads/"
                + Json.MAPPER.readTree(answer.body()).get("thread_id").asString();
    }

    private static long lastSeq(RunningServer server, String messages) throws IOException {
        RawAnswer answer = get(server, messages.replace("/messages", ""));
        return Json.MAPPER.readTree(answer.body()).get("last_seq").asLong();
    }

    private static RawAnswer get(RunningServer server, String path) throws IOException {
        return exchange(server, "GET", path, "", "");
    }

    private static RawAnswer post(RunningServer server, String path, Framing framing, String body) throws IOException {
        return switch (framing) {
            case LENGTH ->
                exchange(
                        server,
                        "POST",
                        path,
                        "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n",
                        body);
            case CHUNKED -> {
                int half = body.length() / 2;
                yield exchange(
                        server,
                        "POST",
                        path,
                        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                        chunk(body.substring(0, half)) + chunk(body.substring(half)) + chunk(""));
            }
        };
    }

    private static String chunk(String part) {
        return Integer.toHexString(part.length()) + "\r\n" + part + "\r\n";
    }

    /** Sends characters up to U+00FF as one byte each. */
    private static RawAnswer exchange(RunningServer server, String method, String path, String headers, String body)
            throws IOException {
        String request = method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + server.token(OLIVIA, "Olivia") + "\r\n" + headers + "\r\n" + body;
        return RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.ISO_8859_1), LIMIT);
    }
}
