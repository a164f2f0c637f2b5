package dev.parley.sdk;

import static dev.parley.sdk.Samples.QUICK;
import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.posted;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.NewAgentMessage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.PostedMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallsTest {
    private static final ScriptedServer.Step CUT = (request, wire) -> {};

    @Test
    void aPostWithoutAnAnswerIsRepeatedWithTheSameKey() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        CUT,
                        (request, wire) -> wire.write("HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{\"id\":"),
                        (request, wire) -> wire.json(200, posted(request.body(), true)));
                Parley client = quick(server)) {
            PostedMessage answer = client.thread(THREAD).post(NewMessage.text("hi"));
            assertThat(answer.duplicate()).isTrue();
            assertThat(answer.message().clientMessageId()).isNotBlank();
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests())
                    .extracting(ScriptedServer.Request::body)
                    .containsOnly(server.requests().getFirst().body());
        }
    }

    @Test
    void aGivenKeyIsKept() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.json(201, posted(request.body(), false)));
                Parley client = quick(server)) {
            PostedMessage answer = client.thread(THREAD).post(NewMessage.keyed("hi", "mine"));
            assertThat(answer.message().clientMessageId()).isEqualTo("mine");
        }
    }

    @Test
    void passingRefusalsAreWaitedOutAndRetryAfterIsHonoured() throws IOException {
        AtomicInteger tokens = new AtomicInteger();
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(503, problem(503, "overloaded", true)),
                        (request, wire) -> wire.json(429, problem(429, "rate", true), "Retry-After: 1"),
                        (request, wire) -> wire.json(500, problem(500, "internal", true)),
                        (request, wire) -> wire.json(502, "<html>gateway</html>"),
                        (request, wire) -> wire.json(201, posted(request.body(), false)));
                Parley client = Parley.at(server.uri())
                        .retryCalls(QUICK)
                        .token(() -> "t" + tokens.incrementAndGet())
                        .connect()) {
            long start = System.nanoTime();
            client.thread(THREAD).post(NewMessage.text("hi"));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("authorization"))
                    .containsExactly("Bearer t1", "Bearer t2", "Bearer t3", "Bearer t4", "Bearer t5");
        }
    }

    @Test
    void refusalIsReportedInFullAndNotRepeated() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.json(409, problem(409, "key-reused", false)));
                Parley client = quick(server)) {
            ParleyProblem problem = problemOf(() -> client.thread(THREAD).post(NewMessage.text("hi")));
            assertThat(problem.status()).isEqualTo(409);
            assertThat(problem.slug()).isEqualTo("key-reused");
            assertThat(problem.code()).isEqualTo("CONFLICT");
            assertThat(problem.detail()).isEqualTo("No.");
            assertThat(problem.requestId()).contains("req-1");
            assertThat(problem.errors())
                    .singleElement()
                    .satisfies(error -> assertThat(error.field()).isEqualTo("content"));
            assertThat(problem.members()).isEqualTo(Json.MAPPER.readTree("{\"current_seq\": 12}"));
            assertThat(problem.retryable()).isFalse();
            assertThat(problem.outcomeUnknown()).isFalse();
        }
    }

    @Test
    void refusalAfterALostAnswerHasAnUnknownOutcome() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        CUT, (request, wire) -> wire.json(401, problem(401, "unauthenticated", false)));
                Parley client = quick(server)) {
            ParleyProblem problem = problemOf(() -> client.thread(THREAD).post(NewMessage.text("hi")));
            assertThat(problem.status()).isEqualTo(401);
            assertThat(problem.outcomeUnknown()).isTrue();
        }
    }

    @Test
    void aThreadWithoutAnAnswerIsAskedForAgainWithTheSameKeyAndBody() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer(CUT, CUT, (request, wire) -> wire.json(201, Samples.thread("once")));
                Parley client = quick(server)) {
            assertThat(client.createThread(NewThread.titled("once")).title()).isEqualTo("once");
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("idempotency-key"), ScriptedServer.Request::body)
                    .containsOnly(tuple(
                            server.requests().getFirst().headers().get("idempotency-key"),
                            server.requests().getFirst().body()));
            assertThat(server.requests().getFirst().headers().get("idempotency-key"))
                    .isNotBlank();
        }
    }

    @Test
    void twoThreadsHaveTwoKeys() throws IOException {
        ScriptedServer.Step made = (request, wire) -> wire.json(201, Samples.thread("twice"));
        try (ScriptedServer server = new ScriptedServer(made, made);
                Parley client = quick(server)) {
            client.createThread(NewThread.titled("twice"));
            client.createThread(NewThread.titled("twice"));
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("idempotency-key"))
                    .doesNotHaveDuplicates()
                    .doesNotContainNull();
        }
    }

    @Test
    void callWithoutAKeyIsSentOnce() throws IOException {
        try (ScriptedServer server = new ScriptedServer(CUT, CUT);
                Parley client = quick(server)) {
            ParleyUnreachable lost = catchThrowableOfType(
                    ParleyUnreachable.class, () -> client.operator().createKey("slack"));
            assertThat(lost.outcomeUnknown()).isTrue();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void missingThreadAfterALostAnswerCountsAsDeleted() throws IOException {
        ScriptedServer.Step gone = (request, wire) -> wire.json(404, problem(404, "thread-not-found", false));
        try (ScriptedServer server = new ScriptedServer(CUT, gone, gone);
                Parley client = quick(server)) {
            client.thread(THREAD).delete();
            assertThat(server.requests()).hasSize(2);
            ParleyProblem never = problemOf(() -> client.thread(THREAD).delete());
            assertThat(never.status()).isEqualTo(404);
        }
    }

    @Test
    void aStaleAgentIsToldWhatItMissed() throws IOException {
        String refusal = """
                {"type": "https://parley.dev/problems/stale-context", "title": "T", "status": 409, "detail": "Old.",
                 "code": "CONFLICT", "retryable": false, "current_seq": 9, "stale_lag": 3, "missed_messages": [%s]}
                """.formatted(Samples.message("m8", 8));
        try (ScriptedServer server = new ScriptedServer((request, wire) -> wire.json(409, refusal));
                Parley client = quick(server)) {
            NewAgentMessage reply = NewAgentMessage.after(5, "as you said").unlessStale();
            ParleyProblem problem = problemOf(() -> client.thread(THREAD).postAsAgent(reply));
            StaleContext stale = problem.staleContext().orElseThrow();
            assertThat(stale.currentSeq()).isEqualTo(9);
            assertThat(stale.staleLag()).isEqualTo(3);
            assertThat(stale.isCut()).isTrue();
            assertThat(stale.missed())
                    .singleElement()
                    .satisfies(missed -> assertThat(missed.threadSeq()).isEqualTo(8));
            assertThat(server.requests().getFirst().body())
                    .contains("\"base_seq\":5", "\"on_stale\":\"reject\"", "\"client_message_id\":\"");
        }
    }

    @Test
    void anotherConflictIsNoStaleContext() throws IOException {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.json(409, problem(409, "key-reused", false)));
                Parley client = quick(server)) {
            ParleyProblem problem = problemOf(() -> client.thread(THREAD).postAsAgent(NewAgentMessage.text("hi")));
            assertThat(problem.staleContext()).isEmpty();
        }
    }

    @Test
    void anAnswerThatStopsInTheMiddleRunsIntoTheLimit() throws IOException {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.write("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{");
                    wire.untilClientLeaves();
                });
                Parley client = Parley.at(server.uri())
                        .retryCalls(RetryPolicy.never())
                        .answerLimit(Duration.ofMillis(200))
                        .connect()) {
            ParleyUnreachable lost = catchThrowableOfType(
                    ParleyUnreachable.class, () -> client.thread(THREAD).view());
            assertThat(lost).hasMessageContaining("no whole answer within");
        }
    }

    @Test
    void aServerThatWasNeverReachedHasWrittenNothing() throws IOException {
        URI gone;
        try (ScriptedServer server = new ScriptedServer()) {
            gone = server.uri();
        }
        try (Parley client = Parley.at(gone).retryCalls(QUICK).connect()) {
            ParleyUnreachable lost = catchThrowableOfType(
                    ParleyUnreachable.class, () -> client.thread(THREAD).post(NewMessage.text("hi")));
            assertThat(lost.outcomeUnknown()).isFalse();
            assertThat(lost).hasMessageContaining("attempt 6");
        }
    }

    @Test
    void readsCarryTheirCursors() throws IOException {
        ScriptedServer.Step messages =
                (request, wire) -> wire.json(200, "{\"messages\": [], \"has_more\": false, \"next_after_seq\": 3}");
        try (ScriptedServer server = new ScriptedServer(
                        messages,
                        messages,
                        messages,
                        messages,
                        messages,
                        (request, wire) -> wire.json(200, "{\"events\": [], \"has_more\": false}"));
                Parley client = quick(server)) {
            ThreadClient thread = client.thread(THREAD);
            assertThat(thread.messagesAfter(3, 10).nextAfterSeq()).isEqualTo(3);
            thread.messagesBefore(9, 20);
            thread.latestMessages(30);
            thread.messagesAfter(3, 10, new MessageFilter("run & 一", "tool_execution"));
            thread.messagesBefore(9, 20, MessageFilter.stage("执行"));
            thread.poll(new Cursor(12, 457), 5, Duration.ofSeconds(2));
            String root = "/api/v1/chat/threads/" + THREAD;
            assertThat(server.requests())
                    .extracting(ScriptedServer.Request::path)
                    .containsExactly(
                            root + "/messages?after_seq=3&limit=10",
                            root + "/messages?before_seq=9&limit=20",
                            root + "/messages?limit=30",
                            root + "/messages?after_seq=3&limit=10&run_id=run%20%26%20%E4%B8%80&stage=tool_execution",
                            root + "/messages?before_seq=9&limit=20&stage=%E6%89%A7%E8%A1%8C",
                            root + "/events?after_seq=12-457&limit=5&wait=2");
        }
    }

    @Test
    void endIsAfterTheLastEventNotOnlyAfterTheLastEntry() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, Samples.thread("T")),
                        (request, wire) -> wire.json(200, page("12-455", true)),
                        (request, wire) -> wire.json(200, page("12-457", false)));
                Parley client = quick(server)) {
            assertThat(client.thread(THREAD).end()).isEqualTo(new Cursor(12, 457));
        }
    }

    private static String page(String id, boolean more) {
        return "{\"events\": [" + Json.MAPPER.writeValueAsString(Samples.event(id)) + "], \"has_more\": " + more + "}";
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryCalls(QUICK).connect();
    }

    private static ParleyProblem problemOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(ParleyProblem.class, call);
    }
}
