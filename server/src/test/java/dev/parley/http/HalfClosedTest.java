package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that end their own side of the connection after their last request. */
class HalfClosedTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final String REST = " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n";

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger bodies = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    private TestEdge edge() {
        return TestEdge.start(routes -> routes
                .get("/quick", Unrated.FREE, call -> Answer.ok("quick"))
                .post("/body", 100, Unrated.FREE, call -> Answer.ok(call.body().length + bodies.incrementAndGet()))
                .get("/slow", Unrated.FREE, call -> {
                    entered.countDown();
                    return Answer.ok(released.await(10, TimeUnit.SECONDS) ? "done" : "never released");
                })
                .stream("/stream", Unrated.FREE, call ->
                (StreamSource) connection -> connection.onClose(closes::incrementAndGet)));
    }

    @Test
    void aWholeRequestIsAnsweredAndThenTheConnectionIsClosed() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send("GET /slow" + REST).finish();
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            released.countDown();
            assertThat(raw.response()).startsWith("HTTP/1.1 200 ").endsWith("\"done\"");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void pipelinedRequestsAreAllAnswered() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send("GET /quick" + REST + "GET /quick" + REST).finish();
            assertThat(raw.response()).endsWith("\"quick\"");
            assertThat(raw.response()).endsWith("\"quick\"");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @Test
    void partialHeadIsRefused() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send("GET /quick HTTP/1.1\r\nHost: x\r\n").finish();
            assertThat(raw.response()).startsWith("HTTP/1.1 400 ");
            assertThat(raw.closedByServer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"})
    void partialBodyIsNotTakenForAWholeOne(String half) throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send("POST /body HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n" + half)
                    .finish();
            assertThat(raw.until("never")).isEmpty();
            assertThat(bodies).hasValue(0);
        }
    }

    @Test
    void halfClosedStreamReaderCountsAsLeft() throws Exception {
        try (TestEdge edge = edge();
                RawClient raw = edge.raw()) {
            raw.send("GET /stream" + REST);
            assertThat(raw.head()).startsWith("HTTP/1.1 200 ");
            raw.finish();
            await().atMost(LONG).until(() -> closes.get() == 1);
            assertThat(raw.closedByServer()).isTrue();
        }
    }
}
