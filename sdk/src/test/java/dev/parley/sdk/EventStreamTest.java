package dev.parley.sdk;

import static dev.parley.sdk.Samples.SOON;
import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.frame;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final List<String> IDS = List.of("1", "2", "2-7", "2-9", "3", "4");

    @Test
    void eventsComeOnceAndInOrderWhereverTheConnectionIsCut() throws Exception {
        byte[] whole = stream(Cursor.START).getBytes(StandardCharsets.UTF_8);
        try (ScriptedServer server = new ScriptedServer();
                Parley client = quick(server)) {
            for (int cut = 0; cut < whole.length; cut += 7) {
                int length = cut;
                server.then((request, wire) -> {
                    wire.openStream();
                    wire.write(Arrays.copyOf(whole, length));
                });
                server.then((request, wire) -> {
                    wire.openStream();
                    wire.write(stream(Cursor.parse(request.headers().getOrDefault("last-event-id", ""))
                            .orElseThrow()));
                    wire.untilClientLeaves();
                });
                try (EventStream stream = client.thread(THREAD).open(Cursor.START)) {
                    assertThat(take(stream, IDS.size())).as("cut at %d", cut).isEqualTo(IDS);
                    assertThat(stream.violations()).isZero();
                }
            }
        }
    }

    @Test
    void repeatsAreDroppedAndCounted() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write(frame("1") + frame("2") + frame("1") + frame("2") + frame("3"));
                    wire.untilClientLeaves();
                });
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThat(take(stream, 3)).containsExactly("1", "2", "3");
            assertThat(stream.violations()).isEqualTo(2);
        }
    }

    @Test
    void aGapIsNotHandedOutButReadAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(frame("1") + frame("3"));
                            wire.untilClientLeaves();
                        },
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(frame("2") + frame("3"));
                            wire.untilClientLeaves();
                        });
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThat(take(stream, 3)).containsExactly("1", "2", "3");
            assertThat(stream.violations()).isOne();
            assertThat(server.requests().get(1).headers()).containsEntry("last-event-id", "1");
        }
    }

    @Test
    void aGapThatStaysEndsTheStream() throws Exception {
        ScriptedServer.Step gap = (request, wire) -> {
            wire.openStream();
            wire.write(frame("2"));
            wire.untilClientLeaves();
        };
        try (ScriptedServer server = new ScriptedServer(gap, gap, gap);
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThatThrownBy(() -> stream.next(SOON))
                    .isInstanceOf(StreamBroken.class)
                    .hasMessageContaining("from 0 to 2");
            assertThatThrownBy(() -> stream.next(SOON)).isInstanceOf(StreamBroken.class);
        }
    }

    @Test
    void unreadableEventsEndTheStream() throws Exception {
        ScriptedServer.Step broken = (request, wire) -> {
            wire.openStream();
            wire.write("id: 1\ndata: {\"event_id\": \n\n");
            wire.untilClientLeaves();
        };
        try (ScriptedServer server = new ScriptedServer(broken, broken, broken);
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThatThrownBy(() -> stream.next(SOON)).isInstanceOf(StreamBroken.class);
        }
    }

    @Test
    void aSilentConnectionIsReplacedWhileHeartbeatsKeepOneAlive() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> {
                            wire.openStream();
                            wire.untilClientLeaves();
                        },
                        (request, wire) -> {
                            wire.openStream();
                            AtomicInteger beats = new AtomicInteger();
                            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                                wire.write(": heartbeat\n");
                                return beats.incrementAndGet() == 20;
                            });
                            wire.write(frame("1"));
                            wire.untilClientLeaves();
                        });
                Parley client = Parley.at(server.uri())
                        .heartbeat(Duration.ofMillis(300))
                        .retryStreams(Samples.QUICK)
                        .connect();
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThat(take(stream, 1)).containsExactly("1");
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void passingRefusalsAreWaitedOutAndFinalOnesThrown() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(503, problem(503, "shutting-down", true), "Retry-After: 1"),
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(frame("1"));
                        },
                        (request, wire) -> wire.json(404, problem(404, "thread-not-found", false)));
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThat(take(stream, 1)).containsExactly("1");
            assertThatThrownBy(() -> stream.next(SOON))
                    .isInstanceOfSatisfying(
                            ParleyProblem.class,
                            problem -> assertThat(problem.slug()).isEqualTo("thread-not-found"));
        }
    }

    @Test
    void anAnswerThatIsNoStreamIsRefused() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> wire.json(200, "{}"));
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThatThrownBy(() -> stream.next(SOON)).hasMessageContaining("other than an event stream");
        }
    }

    @Test
    void theRetryPolicyEndsAStreamThatCannotBeReached() throws Exception {
        try (ScriptedServer server = new ScriptedServer()) {
            server.close();
            try (Parley client = quick(server);
                    EventStream stream = client.thread(THREAD).open(Cursor.START)) {
                assertThatThrownBy(() -> stream.next(SOON)).isInstanceOf(ParleyUnreachable.class);
            }
        }
    }

    @Test
    void nextKeepsItsLimitAndTheNextCallContinues() throws Exception {
        CompletableFuture<Boolean> go = new CompletableFuture<>();
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    go.join();
                    wire.openStream();
                    wire.write(frame("1"));
                    wire.untilClientLeaves();
                });
                Parley client = quick(server);
                EventStream stream = client.thread(THREAD).open(Cursor.START)) {
            assertThat(stream.next(Duration.ofMillis(20))).isEmpty();
            go.complete(true);
            assertThat(take(stream, 1)).containsExactly("1");
            assertThat(stream.next(Duration.ofMillis(20))).isEmpty();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void closingTheClientWakesTheReaderAndClosesTheConnection() throws Exception {
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
            wire.openStream();
            wire.write(frame("1"));
            wire.untilClientLeaves();
            left.complete(true);
        })) {
            Parley client = quick(server);
            EventStream stream = client.thread(THREAD).open(Cursor.START);
            take(stream, 1);
            CompletableFuture<Boolean> woken = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> woken.complete(stream.next(SOON).isEmpty()));
            client.close();
            assertThat(woken).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
            assertThat(left).succeedsWithin(Duration.ofSeconds(10));
            assertThat(stream.isClosed()).isTrue();
        }
    }

    /** The correct stream after a cursor. */
    private static String stream(Cursor after) {
        StringBuilder text = new StringBuilder(": hello\n\n");
        IDS.stream()
                .filter(id -> Cursor.parse(id).orElseThrow().compareTo(after) > 0)
                .forEach(id -> text.append(frame(id)));
        return text.toString();
    }

    private static List<String> take(EventStream stream, int count) {
        List<String> ids = new ArrayList<>();
        while (ids.size() < count) {
            EventEnvelope event = stream.next(SOON).orElseThrow();
            assertThat(event).isEqualTo(Samples.event(event.eventId()));
            assertThat(stream.cursor()).hasToString(event.eventId());
            ids.add(event.eventId());
        }
        return ids;
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryStreams(Samples.QUICK).connect();
    }
}
