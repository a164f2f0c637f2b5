package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.BrowserRules;
import dev.parley.http.Frames;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import dev.parley.http.StreamSource;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.SlowReader;
import dev.parley.threads.InboxRow;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InboxViewerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    /** So small that a few hundred hints fill it. */
    private static final int BUFFER = 8 * 1024;

    private static final Actor OLIVIA = Actor.user(UUID.randomUUID());

    private final CompletableFuture<InboxViewer> viewer = new CompletableFuture<>();

    private HttpEdge<String> edge() {
        HttpSettings usual = HttpSettings.of("127.0.0.1", 0, Limits.defaults().http());
        HttpSettings settings = new HttpSettings(
                usual.host(), 0, 1, usual.requestMemory(), usual.limits(), usual.idleTimeout(), BUFFER, BUFFER);
        Routes<String> routes = new Routes<>();
        routes.stream("/inbox", Unrated.FREE, call ->
                (StreamSource) connection -> viewer.complete(new InboxViewer(connection, InboxViewerTest::frame)));
        return HttpEdge.start(settings, BrowserRules.NONE, routes, head -> "anybody", new SimpleMeterRegistry());
    }

    private static Frames frame(InboxRow row) {
        return Frames.event(null, null, row.thread() + " at " + row.lastSeq());
    }

    private static List<InboxRow> rows(List<ThreadId> threads, long seq) {
        return threads.stream()
                .map(thread -> new InboxRow(OLIVIA, thread, seq, 0, null))
                .toList();
    }

    @Test
    void hintsWithoutRoomComeLaterTheNewestOfEachThread() throws Exception {
        List<ThreadId> threads = Stream.generate(ThreadId::fresh).limit(5_000).toList();
        HttpEdge<String> edge = edge();
        try (SlowReader reader = SlowReader.open(URI.create("http://127.0.0.1:" + edge.port() + "/inbox"), Map.of())) {
            InboxViewer inboxViewer = viewer.get(20, TimeUnit.SECONDS);
            inboxViewer.tell(rows(threads, 1));
            inboxViewer.tell(rows(threads, 2));
            String taken = reader.drain(Duration.ofSeconds(2));
            assertThat(threads).allSatisfy(thread -> assertThat(taken).contains(thread + " at 2"));
            assertThat(taken)
                    .as("older news of a thread whose newer ones came before it was sent")
                    .doesNotContain(threads.getLast() + " at 1");
        } finally {
            edge.stop(LONG);
        }
    }
}
