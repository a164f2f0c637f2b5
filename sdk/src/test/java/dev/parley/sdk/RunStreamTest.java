package dev.parley.sdk;

import static dev.parley.sdk.Samples.SOON;
import static dev.parley.sdk.Samples.THREAD;
import static dev.parley.sdk.Samples.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RunStreamTest {
    /** The correct stream of a run, by position. */
    private static final Map<Long, String> RUN = new LinkedHashMap<>();

    static {
        RUN.put(3L, "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",\"metadata\":{\"runId\":\"r\"}}");
        RUN.put(4L, "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"metadata\":{\"runId\":\"r\"}}");
        RUN.put(7L, "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"天气 👩‍👩‍👧\"}");
        RUN.put(8L, "{\"type\":\"CUSTOM\",\"name\":\"resync\",\"value\":1,\"metadata\":{\"runId\":\"r\"}}");
        RUN.put(9L, "{\"type\":\"SOMETHING_NEW\",\"x\":1}");
        RUN.put(12L, "{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}");
        RUN.put(13L, "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");
    }

    private static final String RESYNC =
            "{\"type\":\"CUSTOM\",\"name\":\"resync\",\"value\":{\"reason\":\"ahead\",\"position\":5,\"reload\":[\"/a\"]}}";

    private static final String PATH = "/api/v1/agent/runs/" + THREAD + "/events";

    @Test
    void aRunComesWholeWhereverTheConnectionIsCut() throws Exception {
        byte[] whole = after(Optional.empty()).getBytes(StandardCharsets.UTF_8);
        try (ScriptedServer server = new ScriptedServer();
                Parley client = quick(server)) {
            // A cut after the last byte is none: the stream is over then.
            for (int cut = 0; cut < whole.length; cut += 11) {
                int length = cut;
                server.then((request, wire) -> {
                    wire.openStream();
                    wire.write(Arrays.copyOf(whole, length));
                });
                server.then((request, wire) -> {
                    wire.openStream();
                    wire.write(after(Optional.ofNullable(request.headers().get("last-event-id"))));
                });
                try (RunStream stream = client.runs().open(THREAD, "r 1", null)) {
                    assertThat(positions(stream)).as("cut at %d", cut).containsExactlyElementsOf(RUN.keySet());
                    assertThat(stream.isEnded()).isTrue();
                    assertThat(stream.violations()).isZero();
                    assertThat(stream.position()).hasValue(13);
                }
            }
            assertThat(server.requests())
                    .allSatisfy(request -> assertThat(request.path()).isEqualTo(PATH + "?runId=r%201"));
        }
    }

    @Test
    void aRunIsFollowedFromBehindAPosition() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write(after(Optional.ofNullable(request.headers().get("last-event-id"))));
                });
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", 8L)) {
            assertThat(positions(stream)).containsExactly(9L, 12L, 13L);
        }
    }

    @Test
    void repeatsAreDroppedAndCounted() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write(frame(3) + frame(4) + frame(3) + frame(4) + frame(13));
                });
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", null)) {
            assertThat(positions(stream)).containsExactly(3L, 4L, 13L);
            assertThat(stream.violations()).isEqualTo(2);
        }
    }

    @Test
    void anEventThatBreaksTheRulesOfItsKindEndsTheStream() throws Exception {
        ScriptedServer.Step broken = (request, wire) -> {
            wire.openStream();
            wire.write("id: 3\ndata: {\"type\":\"TEXT_MESSAGE_CONTENT\"}\n\n");
            wire.untilClientLeaves();
        };
        try (ScriptedServer server = new ScriptedServer(broken, broken, broken);
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", null)) {
            assertThatThrownBy(() -> stream.next(SOON)).isInstanceOf(StreamBroken.class);
        }
    }

    @Test
    void aPositionAheadOfTheLogEndsTheStreamOfARun() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write("id: 5\nevent: CUSTOM\ndata: " + RESYNC + "\n\n");
                    wire.untilClientLeaves();
                });
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", 99L)) {
            assertThat(stream.next(SOON).flatMap(PlacedEvent::resync)).contains(new Resync("ahead", 5, List.of("/a")));
            assertThat(stream.isEnded()).isTrue();
        }
    }

    @Test
    void noContent_endsTheStreamOfARun() throws Exception {
        try (ScriptedServer server =
                        new ScriptedServer((request, wire) -> wire.write("HTTP/1.1 204 No Content\r\n\r\n"));
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", 13L)) {
            assertThat(stream.next(SOON)).isEmpty();
            assertThat(stream.isEnded()).isTrue();
            assertThat(stream.isClosed()).isTrue();
            assertThat(stream.position()).hasValue(13);
        }
    }

    @Test
    void ofARunWhoseEventsAreGoneTheEndIsTold() throws Exception {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write(frame(3) + "id: 13\nevent: CUSTOM\ndata: " + RESYNC.replace("ahead", "expired") + "\n\n"
                            + frame(13));
                });
                Parley client = quick(server);
                RunStream stream = client.runs().open(THREAD, "r", null)) {
            assertThat(positions(stream)).containsExactly(3L, 13L, 13L);
            assertThat(stream.isEnded()).isTrue();
            assertThat(stream.violations()).isZero();
        }
    }

    @Test
    void aResyncOfAThreadIsToldAndTheStreamGoesOnFromThere() throws Exception {
        List<Resync> resyncs = new CopyOnWriteArrayList<>();
        List<Long> heard = new CopyOnWriteArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void event(PlacedEvent event) {
                heard.add(event.position());
            }

            @Override
            public void resync(Resync resync) {
                resyncs.add(resync);
            }
        };
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> {
                            wire.openStream();
                            wire.write("id: 5\nevent: CUSTOM\ndata: " + RESYNC + "\n\n");
                        },
                        (request, wire) -> {
                            wire.openStream();
                            wire.write(frame(7) + frame(8));
                        },
                        (request, wire) -> wire.json(404, problem(404, "thread-not-found", false)));
                Parley client = quick(server);
                RunSubscription subscription = client.runs().followThread(THREAD, 99, listener)) {
            assertThat(subscription.awaitEnd(SOON)).isTrue();
            assertThat(subscription.state()).isInstanceOf(StreamState.Failed.class);
            assertThat(resyncs).extracting(Resync::position).containsExactly(5L);
            assertThat(heard).containsExactly(7L, 8L);
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("last-event-id"))
                    .containsExactly("99", "5", "8");
        }
    }

    @Test
    void aFollowedRunEndsByItself() throws Exception {
        List<StreamState> states = new CopyOnWriteArrayList<>();
        List<PlacedEvent> heard = new CopyOnWriteArrayList<>();
        RunListener listener = new RunListener() {
            @Override
            public void event(PlacedEvent event) {
                heard.add(event);
            }

            @Override
            public void state(StreamState state) {
                states.add(state);
            }
        };
        try (ScriptedServer server = new ScriptedServer((request, wire) -> {
                    wire.openStream();
                    wire.write(after(Optional.empty()));
                });
                Parley client = quick(server);
                RunSubscription subscription = client.runs().follow(THREAD, "r", listener)) {
            assertThat(subscription.awaitEnd(SOON)).isTrue();
            assertThat(subscription.position()).hasValue(13);
            assertThat(states)
                    .extracting(Object::getClass)
                    .containsExactly(StreamState.Connecting.class, StreamState.Open.class, StreamState.Ended.class);
            assertThat(heard).extracting(PlacedEvent::position).containsExactlyElementsOf(RUN.keySet());
            assertThat(heard.getFirst().runId()).contains("r");
            assertThat(heard.getLast().isTerminal()).isTrue();
        }
    }

    private static String frame(long position) {
        return "id: " + position + "\ndata: " + RUN.get(position) + "\n\n";
    }

    private static String after(Optional<String> lastEventId) {
        long after = lastEventId.map(Long::parseLong).orElse(0L);
        StringBuilder text = new StringBuilder(": keep-alive\n\n");
        RUN.keySet().stream().filter(position -> position > after).forEach(position -> text.append(frame(position)));
        return text.toString();
    }

    private static List<Long> positions(RunStream stream) {
        List<Long> positions = new ArrayList<>();
        for (Optional<PlacedEvent> event = stream.next(SOON); event.isPresent(); event = stream.next(SOON)) {
            positions.add(event.get().position());
        }
        assertThat(stream.next(Duration.ZERO)).isEmpty();
        return positions;
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryStreams(Samples.QUICK).connect();
    }
}
