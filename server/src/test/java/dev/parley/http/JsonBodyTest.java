package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.chat.NewMessage;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonBodyTest {
    private static TestEdge edge;

    enum Colour {
        RED,
        GREEN
    }

    record Part(@Nullable Integer size) {}

    record Shape(
            @Nullable Boolean flag,
            @Nullable Long count,
            @Nullable Double ratio,
            @Nullable Colour colour,
            @Nullable Instant at,
            @Nullable Part part,
            @Nullable List<Part> parts) {}

    @BeforeAll
    static void start() {
        edge = TestEdge.start(routes -> routes.post("/message", 10_000, Unrated.FREE, call -> {
                    NewMessage message = call.json(NewMessage.class);
                    return Answer.created(message.content() == null ? "-" : message.content());
                })
                .post("/shape", 10_000, Unrated.FREE, call -> Answer.ok(call.json(Shape.class)))
                .post("/tree", 10_000, Unrated.FREE, call -> Answer.ok(call.json(JsonNode.class)))
                .post(
                        "/maybe",
                        10_000,
                        Unrated.FREE,
                        call -> Answer.ok(call.jsonIfPresent(NewMessage.class).isPresent())));
    }

    @AfterAll
    static void stop() {
        edge.close();
    }

    @Test
    void aBodyBecomesARecord() throws Exception {
        HttpResponse<String> response = edge.post("/message", "{\"content\":\"grüße\",\"unknown\":[1]}");
        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(response.body()).isEqualTo("\"grüße\"");
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"content\":}",
                "{\"content\":\"secret-text}",
                "{\"content\":\"a\",\"content\":\"b\"}",
                "{} {}",
                "{} x",
                "[]",
                "5",
                "null",
                "\"text\"",
                "{\"content\":NaN}",
                "{'content':'a'}",
                "{\"content\":\"a\nb\"}",
            })
    void bodyOtherThanAJsonObjectIsRefused(String body) throws Exception {
        HttpResponse<String> response = edge.post("/message", body);
        expect(response, "/problems/invalid-json");
        assertThat(response.body()).doesNotContain("secret-text").doesNotContain("dev.parley", "jackson", "NewMessage");
    }

    @Test
    void positionOfTheFaultIsNamed() throws Exception {
        assertThat(detail(edge.post("/message", "{\n  \"content\" 5}"))).contains("line 2, column");
        assertThat(detail(edge.post("/message", "{\"a\":1,\"a\":2}"))).contains("same member twice");
        assertThat(detail(edge.post("/message", ""))).contains("empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/message", "/tree"})
    void depth64IsTakenAnd65IsNot(String path) throws Exception {
        assertThat(edge.post(path, nested(64)).statusCode()).isBetween(200, 201);
        HttpResponse<String> refused = edge.post(path, nested(65));
        expect(refused, "/problems/invalid-json");
        assertThat(detail(refused)).contains("64 levels");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "/message | {\"content\":5} | content | must be a text",
                "/message | {\"content\":{\"a\":1}} | content | must be a text",
                "/message | {\"client_message_id\":true} | client_message_id | must be a text",
                "/message | {\"mentions\":\"x\"} | mentions | must be a list",
                "/message | {\"mentions\":[\"a\",\"b\",7]} | mentions[2] | must be a text",
                "/message | {\"metadata\":[]} | metadata | must be an object",
                "/shape | {\"flag\":\"yes\"} | flag | must be true or false",
                "/shape | {\"count\":1.5} | count | must be a whole number in range",
                "/shape | {\"count\":\"1\"} | count | must be a whole number in range",
                "/shape | {\"ratio\":\"x\"} | ratio | must be a number",
                "/shape | {\"colour\":\"BLUE\"} | colour | must be one of RED, GREEN",
                "/shape | {\"at\":\"soon\"} | at | must be a time as in ISO 8601",
                "/shape | {\"part\":5} | part | must be an object",
                "/shape | {\"parts\":[{},{\"size\":\"x\"}]} | parts[1].size | must be a whole number in range",
                "/shape | {\"part\":{\"size\":99999999999}} | part.size | is a number out of range",
            })
    void aFieldOfAnotherTypeIsNamed(String path, String body, String field, String message) throws Exception {
        HttpResponse<String> response = edge.post(path, body);
        expect(response, "/problems/invalid-fields");
        JsonNode error = TestEdge.json(response).get("errors").get(0);
        assertThat(new FieldError(
                        error.get("field").stringValue(), error.get("message").stringValue()))
                .isEqualTo(new FieldError(field, message));
        assertThat(response.body()).doesNotContain("dev.parley", "java.");
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, 201",
        "application/json; charset=utf-8, 201",
        "APPLICATION/JSON, 201",
        "application/merge-patch+json, 201",
        "text/plain, 415",
        "application/x-www-form-urlencoded, 415",
        "multipart/form-data; boundary=json, 415",
    })
    void otherMediaTypesAreRefused(String type, int status) throws Exception {
        HttpResponse<String> response = edge.client.send(
                edge.request("/message")
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(status);
    }

    @Test
    void otherEncodingsAreRefused() throws Exception {
        byte[] broken = "{\"content\":\"x\"}".getBytes(StandardCharsets.UTF_8);
        broken[12] = (byte) 0xff;
        expect(edge.post("/message", BodyPublishers.ofByteArray(broken)), "/problems/invalid-json");
        byte[] surrogate = "{\"content\":\"xyz\"}".getBytes(StandardCharsets.UTF_8);
        surrogate[12] = (byte) 0xed;
        surrogate[13] = (byte) 0xa0;
        surrogate[14] = (byte) 0x80;
        expect(edge.post("/message", BodyPublishers.ofByteArray(surrogate)), "/problems/invalid-json");
        for (var charset : List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            expect(
                    edge.post("/message", BodyPublishers.ofByteArray("{\"content\":\"x\"}".getBytes(charset))),
                    "/problems/invalid-json");
        }
    }

    @Test
    void anEmptyBodyMayBeAbsent() throws Exception {
        assertThat(edge.post("/maybe", "").body()).isEqualTo("false");
        assertThat(edge.post("/maybe", "{}").body()).isEqualTo("true");
        expect(edge.post("/maybe", "{"), "/problems/invalid-json");
    }

    private static String nested(int levels) {
        int inner = levels - 1;
        return "{\"metadata_of_no_interest\":" + "[".repeat(inner) + "]".repeat(inner) + "}";
    }

    /** In values it is kept; no parser of the server reads a name that has one. */
    @Test
    void halfASurrogatePairInANameIsRefusedByName() throws Exception {
        for (String name : List.of("\\ud83d", "\\udc4d", "a\\ud83db", "\\ud83d\\ud83d")) {
            HttpResponse<String> response = edge.post("/tree", "{\"a\":{\"" + name + "\":1}}");
            expect(response, "/problems/invalid-json");
            assertThat(detail(response)).startsWith("The body has half of a surrogate pair in a member's name");
        }
        assertThat(edge.post("/tree", "{\"\\ud83d\\udc4d\":\"\\ud83d\"}").statusCode())
                .isEqualTo(200);
    }

    private static void expect(HttpResponse<String> response, String type) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(TestEdge.json(response).get("type").stringValue()).isEqualTo(type);
    }

    private static String detail(HttpResponse<String> response) {
        return TestEdge.json(response).get("detail").stringValue();
    }
}
