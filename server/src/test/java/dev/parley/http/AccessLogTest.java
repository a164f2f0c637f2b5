package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.CapturedLog;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessLogTest {
    @Test
    void oneLinePerRequestAndNeverItsQuery() throws Exception {
        try (TestEdge edge = TestEdge.start(routes ->
                        routes.get("/a/{id}", Unrated.FREE, call -> Answer.ok("xyz")).stream("/s", Unrated.FREE, call ->
                                (StreamSource) connection -> connection.close(Frames.comment("bye"))));
                CapturedLog log = new CapturedLog("dev.parley.access");
                RawClient raw = edge.raw()) {
            edge.get("/a/7?ticket=secret");
            edge.get("/nowhere?ticket=secret");
            edge.get("/s?ticket=secret");
            raw.send("GET x?ticket=://secret/secret HTTP/1.1\r\nHost: x\r\n\r\n")
                    .response();
            raw.send("BROKEN ?ticket=secret\r\n\r\n").response();
            await().atMost(Duration.ofSeconds(10)).until(() -> log.lines().size() >= 6);
            assertThat(log.lines())
                    .hasSize(6)
                    .noneMatch(line -> line.contains("secret"))
                    .anyMatch(line -> line.matches("GET /a/7 200 \\d+us 5B [0-9a-z]{12}"))
                    .anyMatch(line -> line.startsWith("GET /nowhere 404 "))
                    .anyMatch(line -> line.matches("open GET /s 200 \\d+us 0B [0-9a-z]{12}"))
                    .anyMatch(line -> line.matches("close GET /s 200 \\d+us 15B [0-9a-z]{12}"));
            assertThat(log.lines().stream().filter(line -> line.startsWith("GET - 400 ")))
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/in/%s",
                "/api//in/%s",
                "/API/In/%s",
                "/api/in%%2F%s",
                "/api/in%%2f%s/",
                "/api%%2Fin%%2F%s",
                "/api/in/%s/",
                "/api/in/%s/more",
                "/api/in/%%2e/%s",
                "/api/in;/%s",
                "/parley/api/in/%s",
                "/api/in/%s%%",
                "http://host//api/in/%s"
            })
    void misspeltPathWithASecretDoesNotShowIt(String spelling) throws Exception {
        try (TestEdge edge =
                        TestEdge.start(routes -> routes.openPost("/api/in/{secret}", 100, call -> Answer.ok("x")));
                CapturedLog log = new CapturedLog("dev.parley.access");
                RawClient raw = edge.raw()) {
            raw.send("POST " + spelling.formatted("hunter2hunter2__")
                            + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
                    .response();
            await().atMost(Duration.ofSeconds(10)).until(() -> !log.lines().isEmpty());
            assertThat(log.lines()).hasSize(1).noneMatch(line -> line.contains("hunter2"));
        }
    }

    @Test
    void aSegmentThatIsASecretIsNotShown() throws Exception {
        try (TestEdge edge = TestEdge.start(routes -> routes.openPost("/in/{secret}", 100, call -> Answer.ok("xyz")));
                CapturedLog log = new CapturedLog("dev.parley.access")) {
            edge.post("/in/hunter2", "{}");
            edge.get("/in/hunter2");
            edge.get("/in/hunter2hunter2hunter2/more");
            await().atMost(Duration.ofSeconds(10)).until(() -> log.lines().size() >= 3);
            assertThat(log.lines())
                    .noneMatch(line -> line.contains("hunter2"))
                    .anyMatch(line -> line.startsWith("POST /in/{secret} 200 "))
                    .anyMatch(line -> line.startsWith("GET /in/{secret} 405 "))
                    .anyMatch(line -> line.startsWith("GET /in/***/more 404 "));
        }
    }
}
