package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.testing.CapturedLog;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ProblemTest {
    private static TestEdge edge;

    @BeforeAll
    static void start() {
        edge = TestEdge.start(routes -> routes
                .get("/problem/{name}", Unrated.FREE, call -> {
                    throw new ProblemException(Problem.valueOf(call.path("name")), "Told in detail.");
                })
                .get("/conflict", Unrated.FREE, call -> {
                    throw new ProblemException(
                            Problem.KEY_REUSED,
                            "The key is taken.",
                            List.of(new FieldError("key", "was used")),
                            Map.of("seq", 7, "status", "not to be replaced"));
                })
                .get("/limited", Unrated.FREE, call -> {
                    throw new ProblemException(
                            Problem.TOO_MANY_STREAMS, "Too many.", List.of(), Map.of("retry_after", 30));
                })
                .get("/broken", Unrated.FREE, call -> {
                    throw new IllegalStateException("password=hunter2");
                })
                .get("/worse", Unrated.FREE, call -> {
                    throw new AssertionError("password=hunter2");
                })
                .get("/unwritable", Unrated.FREE, call -> Answer.ok(new Unwritable()))
                .get("/header", Unrated.FREE, call -> Answer.ok("x").withHeader("X-A", "password=hunter2\r\nX-B: b"))
                .get("/cached", Unrated.FREE, call -> Answer.ok("x").withHeader("cache-control", "max-age=5"))
                .get("/text", Unrated.FREE, call -> Answer.text("text/plain; charset=utf-8", "grüße"))
                .stream("/stream", Unrated.FREE, call -> {
            throw new ProblemException(Problem.THREAD_NOT_FOUND, "No such thread.");
        }));
    }

    @AfterAll
    static void stop() {
        edge.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasTheSameMembers(Problem problem) throws Exception {
        HttpResponse<String> response = edge.get("/problem/" + problem);
        JsonNode body = TestEdge.json(response);
        assertThat(response.statusCode()).isEqualTo(problem.status());
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(body.get("type").stringValue()).isEqualTo("/problems/" + problem.slug());
        assertThat(body.get("title").stringValue()).isEqualTo(problem.title());
        assertThat(body.get("status").intValue()).isEqualTo(problem.status());
        assertThat(body.get("code").stringValue()).isEqualTo(problem.code());
        assertThat(body.get("retryable").booleanValue()).isEqualTo(problem.retryable());
        assertThat(body.get("message")).isEqualTo(body.get("detail"));
        assertThat(body.get("instance").stringValue())
                .isEqualTo(response.headers().firstValue("X-Request-Id").orElseThrow());
        assertThat(body.has("errors")).isFalse();
        assertThat(body.get("detail").stringValue().equals("Told in detail."))
                .isEqualTo(problem.kind() != Problem.Kind.BUG);
        boolean waits = problem.status() == 429 || problem.status() == 503;
        assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(waits);
    }

    @Test
    void errorsAndMembersAreRenderedButReplaceNothing() throws Exception {
        HttpResponse<String> response = edge.get("/conflict");
        JsonNode body = TestEdge.json(response);
        assertThat(body.get("status").intValue()).isEqualTo(409);
        assertThat(body.get("seq").intValue()).isEqualTo(7);
        assertThat(body.get("errors").get(0).get("field").stringValue()).isEqualTo("key");
    }

    @Test
    void problemMayNameTheTimeToRetry() throws Exception {
        assertThat(edge.get("/limited").headers().firstValue("Retry-After")).contains("30");
        assertThat(edge.get("/problem/OVERLOADED").headers().firstValue("Retry-After"))
                .contains("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/broken", "/worse", "/unwritable", "/header"})
    void unexpectedFailureIsLoggedOnceAndNotShown(String path) throws Exception {
        try (CapturedLog log = new CapturedLog(ProblemRenderer.class.getName())) {
            HttpResponse<String> response = edge.client.send(
                    edge.request(path).header("X-Request-Id", "req-1").build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(500);
            assertThat(response.body()).doesNotContain("hunter2", "IllegalState", "dev.parley");
            assertThat(response.headers().map().toString()).doesNotContain("hunter2");
            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.ERROR);
                assertThat(event.getFormattedMessage()).contains("req-1");
                assertThat(event.getThrowableProxy()).isNotNull();
            });
        }
    }

    @Test
    void refusalsAreNotLoggedAsErrors() throws Exception {
        try (CapturedLog log = new CapturedLog(ProblemRenderer.class.getName())) {
            edge.get("/conflict");
            assertThat(log.events().stream().map(ILoggingEvent::getLevel)).isEmpty();
        }
    }

    @Test
    void everyAnswerCarriesTheCommonHeaders() throws Exception {
        for (String path : List.of("/text", "/conflict", "/nowhere")) {
            HttpResponse<String> response = edge.get(path);
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.headers().firstValue("X-Request-Id")).isPresent();
        }
        assertThat(edge.get("/cached").headers().allValues("Cache-Control")).containsExactly("max-age=5");
        assertThat(edge.get("/text").body()).isEqualTo("grüße");
    }

    @Test
    void aHarmlessRequestIdIsKeptAndAnyOtherReplaced() throws Exception {
        assertThat(requestIdFor("My.id_9-z")).isEqualTo("My.id_9-z");
        assertThat(requestIdFor("x".repeat(64))).hasSize(64);
        for (String bad : List.of("x".repeat(65), "a b", "a/b", "é", "\"")) {
            assertThat(requestIdFor(bad)).matches("[0-9a-z]{12}");
        }
    }

    @Test
    void problemBeforeAStreamOpensIsAnsweredPlainly() throws Exception {
        HttpResponse<String> response = edge.get("/stream");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    }

    private static String requestIdFor(String offered) throws Exception {
        try (RawClient raw = edge.raw()) {
            String head = raw.send("GET /nowhere HTTP/1.1\r\nHost: x\r\nX-Request-Id: " + offered + "\r\n\r\n")
                    .head();
            return head.lines()
                    .filter(line -> line.startsWith("x-request-id: "))
                    .findFirst()
                    .orElseThrow()
                    .substring(14);
        }
    }

    /** A value whose rendering fails with a text that no client may see. */
    public static final class Unwritable {
        public String getSecret() {
            throw new IllegalStateException("password=hunter2");
        }
    }
}
