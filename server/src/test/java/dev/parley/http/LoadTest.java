package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.limits.ActingCaller;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private final CountDownLatch entered = new CountDownLatch(2);
    private final CountDownLatch released = new CountDownLatch(1);

    private void table(Routes<String> routes) {
        routes
                .get("/quick", Unrated.FREE, call -> Answer.ok("quick"))
                .get(
                        "/caller",
                        Unrated.FREE,
                        call -> Answer.ok(ActingCaller.current().toString()))
                .alwaysGet("/always", call -> Answer.ok("alive"))
                .get("/wait", Unrated.FREE, call -> Answer.ok(call.waiting(this::awaitRelease)))
                .get("/slow", Unrated.FREE, call -> {
                    entered.countDown();
                    return Answer.ok(released.await(10, TimeUnit.SECONDS) ? "done" : "never released");
                })
                .stream("/stream", Unrated.FREE, call -> (StreamSource) connection -> {});
    }

    @Test
    void moreThanTheLimitInFlightIsRefused() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withMaxInFlight(2, 3), this::table)) {
            CompletableFuture<HttpResponse<String>> first = slow(edge);
            CompletableFuture<HttpResponse<String>> second = send(edge, "bob", "/slow");
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            HttpResponse<String> third = edge.get("/quick");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.headers().firstValue("Retry-After")).contains("1");
            assertThat(third.body()).contains("/problems/overloaded");
            assertThat(edge.get("/always").statusCode()).isEqualTo(200);
            released.countDown();
            assertThat(first.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            assertThat(second.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            assertThat(edge.get("/quick").statusCode()).isEqualTo(200);
        }
    }

    private String awaitRelease() {
        try {
            return released.await(10, TimeUnit.SECONDS) ? "done" : "never released";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitWaiting(TestEdge edge, int requests) {
        await().atMost(LONG)
                .until(() -> edge.registry.get("parley.http.waiting").gauge().value() == requests);
    }

    @Test
    void waitingRequestsKeepNoWorkOutAndAreBounded() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withMaxInFlight(2, 2), this::table)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (String caller : List.of("good", "bob")) {
                // One after the other: until a request waits, it takes a working slot.
                waiting.add(send(edge, caller, "/wait"));
                awaitWaiting(edge, waiting.size());
            }
            assertThat(edge.get("/quick").statusCode()).isEqualTo(200);
            HttpResponse<String> oneTooMany = edge.get("/wait");
            assertThat(oneTooMany.statusCode()).isEqualTo(503);
            assertThat(oneTooMany.body()).contains("/problems/overloaded");
            assertThat(edge.registry.get("parley.http.in.flight").gauge().value())
                    .isLessThanOrEqualTo(1);
            released.countDown();
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(each.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            }
            awaitWaiting(edge, 0);
            assertThat(edge.get("/wait").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void greedyCallerLeavesHalfOfTheWorkToOthers() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withMaxInFlight(4, 4), this::table)) {
            List<CompletableFuture<HttpResponse<String>>> own = List.of(slow(edge), slow(edge));
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            HttpResponse<String> more = edge.get("/quick");
            assertThat(more.statusCode()).isEqualTo(503);
            assertThat(more.body()).contains("/problems/overloaded", "Too many of your requests");
            assertThat(more.headers().firstValue("Retry-After")).contains("1");
            assertThat(overShare(edge)).isEqualTo(1);
            assertThat(send(edge, "bob", "/quick").get(10, TimeUnit.SECONDS).statusCode())
                    .isEqualTo(200);
            released.countDown();
            for (CompletableFuture<HttpResponse<String>> each : own) {
                assertThat(each.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
            await().atMost(LONG).until(() -> status(edge) == 200);
        }
    }

    @Test
    void greedyCallerLeavesHalfOfTheWaitingToOthers() throws Exception {
        try (TestEdge edge = TestEdge.start(TestEdge.withMaxInFlight(4, 4), this::table)) {
            List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
            for (String caller : List.of("good", "good", "bob")) {
                waiting.add(send(edge, caller, "/wait"));
                awaitWaiting(edge, waiting.size());
                // Waiting takes from another share than working.
                assertThat(status(edge)).isEqualTo(200);
            }
            assertThat(edge.get("/wait").statusCode()).isEqualTo(503);
            assertThat(overShare(edge)).isEqualTo(1);
            released.countDown();
            for (CompletableFuture<HttpResponse<String>> each : waiting) {
                assertThat(each.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            }
            awaitWaiting(edge, 0);
            assertThat(edge.get("/wait").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void handlersActForTheirCaller() throws Exception {
        try (TestEdge edge = TestEdge.start(this::table)) {
            assertThat(edge.get("/caller").body()).isEqualTo("\"ada\"");
            assertThat(send(edge, "bob", "/caller").get(10, TimeUnit.SECONDS).body())
                    .isEqualTo("\"bob\"");
        }
    }

    private static double overShare(TestEdge edge) {
        return edge.registry.get("parley.http.over.share").functionCounter().count();
    }

    @Test
    void stopFinishesWaitingRequests() throws Exception {
        TestEdge edge = TestEdge.start(this::table);
        try {
            CompletableFuture<HttpResponse<String>> waiting = send(edge, "/wait");
            awaitWaiting(edge, 1);
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> edge.edge.stop(LONG));
            await().atMost(LONG).untilAsserted(() -> assertThat(status(edge)).isEqualTo(503));
            assertThat(stopped).isNotDone();
            released.countDown();
            assertThat(waiting.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            stopped.get(10, TimeUnit.SECONDS);
        } finally {
            edge.close();
        }
    }

    @Test
    void requestsAreTimedByTheirTemplate() throws Exception {
        try (TestEdge edge = TestEdge.start(this::table)) {
            edge.get("/quick");
            edge.get("/quick");
            await().atMost(LONG)
                    .until(() -> edge.registry
                                    .get("parley.http.requests")
                                    .tag("route", "/quick")
                                    .tag("method", "GET")
                                    .tag("status", "2xx")
                                    .timer()
                                    .count()
                            == 2);
        }
    }

    @Test
    void stopFinishesRequestsInFlightAndRefusesNewOnes() throws Exception {
        TestEdge edge = TestEdge.start(this::table);
        try (RawClient idle = edge.raw();
                RawClient stream = edge.raw()) {
            stream.send("GET /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
            assertThat(stream.head()).startsWith("HTTP/1.1 200 ");
            CompletableFuture<HttpResponse<String>> first = slow(edge);
            CompletableFuture<HttpResponse<String>> second = slow(edge);
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> edge.edge.stop(LONG));
            await().atMost(LONG).untilAsserted(() -> assertThat(status(edge)).isEqualTo(503));
            assertThat(stopped).isNotDone();
            idle.send("GET /quick HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n");
            assertThat(idle.response()).startsWith("HTTP/1.1 503 ").contains("/problems/shutting-down");
            assertThat(idle.closedByServer()).isTrue();
            released.countDown();
            assertThat(first.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            assertThat(second.get(10, TimeUnit.SECONDS).body()).isEqualTo("\"done\"");
            stopped.get(10, TimeUnit.SECONDS);
            assertThat(stream.until("\r\n0\r\n\r\n"))
                    .as("the stream's clean end")
                    .endsWith("\r\n0\r\n\r\n");
            assertThat(edge.registry.get("parley.sse.open").gauge().value()).isZero();
            assertThat(stream.closedByServer()).isTrue();
        } finally {
            edge.close();
        }
    }

    @Test
    void stopDoesNotWaitLongerThanItsLimit() throws Exception {
        TestEdge edge = TestEdge.start(this::table);
        try {
            CompletableFuture<HttpResponse<String>> first = slow(edge);
            slow(edge);
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            edge.edge.stop(Duration.ofMillis(50));
            HttpResponse<String> interrupted = first.get(10, TimeUnit.SECONDS);
            assertThat(interrupted.statusCode()).isEqualTo(503);
            assertThat(interrupted.body()).contains("/problems/shutting-down");
        } finally {
            edge.close();
        }
    }

    private static CompletableFuture<HttpResponse<String>> slow(TestEdge edge) {
        return send(edge, "/slow");
    }

    private static CompletableFuture<HttpResponse<String>> send(TestEdge edge, String path) {
        return send(edge, "good", path);
    }

    private static CompletableFuture<HttpResponse<String>> send(TestEdge edge, String token, String path) {
        return edge.client.sendAsync(
                edge.request(path).setHeader("Authorization", "Bearer " + token).build(), BodyHandlers.ofString());
    }

    private static int status(TestEdge edge) throws IOException, InterruptedException {
        return edge.get("/quick").statusCode();
    }
}
