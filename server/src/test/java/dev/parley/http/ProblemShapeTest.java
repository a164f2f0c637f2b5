package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemShapeTest {
    private static TestEdge edge;

    @BeforeAll
    static void start() {
        edge = TestEdge.start(routes -> routes.get("/other", Unrated.FREE, call -> {
                    throw new IllegalStateException("broken");
                })
                .get("/files/broken", Unrated.FREE, call -> {
                    throw new IllegalStateException("broken");
                })
                .get("/files/missing", Unrated.FREE, call -> {
                    throw new ProblemException(Problem.MESSAGE_NOT_FOUND, "Gone.");
                })
                .upload(
                        "POST",
                        "/files/small",
                        BodyLimit.of(1),
                        Unrated.FREE,
                        call -> Answer.ok(call.stream().readAllBytes()))
                .get("/tree/{path...}", Unrated.FREE, call -> Answer.ok(call.path("path")))
                .get("/leaf/{name}", Unrated.FREE, call -> Answer.ok(call.path("name")))
                .problemsUnder(
                        "/files/",
                        failure -> Map.of(
                                "statusCode",
                                "" + failure.problem().status(),
                                "error",
                                failure.problem().title(),
                                "code",
                                "InTheirWords")));
    }

    @AfterAll
    static void stop() {
        edge.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /files/broken, good, 500",
        "GET, /files/missing, good, 404",
        "GET, /files/missing, bad, 401",
        "GET, /files/nothing, good, 404",
        "GET, /files/%zz, good, 400",
        "DELETE, /files/missing, good, 405",
        "POST, /files/small, good, 413"
    })
    void everyFailureUnderThePrefixHasItsMembers(String method, String path, String token, int status)
            throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send(method + " " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                    + "\r\nContent-Length: 2\r\n\r\nab");
            assertThat(raw.response())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains(
                            "\"statusCode\":\"" + status + "\"",
                            "\"error\":\"",
                            "\"message\":\"",
                            "\"code\":\"InTheirWords\"",
                            "\"type\":\"/problems/")
                    .containsIgnoringCase("content-type: application/json\r\n");
        }
    }

    @Test
    void failuresElsewhereLackTheMembers() throws Exception {
        assertThat(edge.get("/other").body()).contains("\"status\":500").doesNotContain("statusCode");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tree/a%2Fb", "/tree/a/%2f", "/tree/a%5Cb", "/tree/x/..%5c../y"})
    void anEncodedSlashInARestIsRefused(String path) throws Exception {
        try (RawClient raw = edge.raw()) {
            raw.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
            assertThat(raw.response()).startsWith("HTTP/1.1 400 ").contains("The path holds an encoded slash.");
        }
    }

    @Test
    void aRestOfPlainSegmentsIsJoinedAndOneSegmentMayHoldASlash() throws Exception {
        assertThat(edge.get("/tree/a/b%20c/d").body()).isEqualTo("\"a/b c/d\"");
        assertThat(edge.get("/leaf/a%2Fb").body()).isEqualTo("\"a/b\"");
    }
}
