package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.EventStream;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ThreadClient;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.SlowReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowReaderTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int READERS = 200;
    private static final int MESSAGES = 50;
    private static final int BULKY = BulkyThread.MORE_THAN_FITS;

    @Test
    void clientThatNeverReadsIsDroppedWhileOthersGetEverything() throws Exception {
        UUID olivia = UUID.randomUUID();
        try (RunningServer server = RunningServer.start("--rate-limits", "off", "--limit-slow-reader", "1s");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Parley client = server.as(olivia, "Olivia");
            ThreadClient thread =
                    client.thread(client.createThread(NewThread.EMPTY).threadId());
            BulkyThread.post(thread, BULKY);
            URI stream =
                    URI.create(server.uri() + "/api/v1/chat/threads/" + thread.id() + "/events/stream?after_seq=0");
            List<Future<Integer>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(threads.submit(() -> readAll(thread)));
            }
            await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == READERS);
            try (SlowReader stuck =
                    SlowReader.open(stream, Map.of("Authorization", "Bearer " + server.token(olivia, "Olivia")))) {
                await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == READERS + 1);
                for (int i = 1; i <= MESSAGES; i++) {
                    thread.post(NewMessage.text("message " + i));
                }
                for (Future<Integer> violations : readers) {
                    assertThat(violations.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                            .isZero();
                }
                assertThat(stuck.peerClosedWithin(LIMIT)).isTrue();
            }
            assertThat(server.metric("parley_sse_slow_readers_cut_total")).isEqualTo(1);
            await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == 0);
        }
    }

    /** Reads the events after the bulk and counts the stream's violations. */
    private static int readAll(ThreadClient thread) {
        try (EventStream stream = thread.open(Cursor.after(BULKY))) {
            for (int i = 1; i <= MESSAGES; i++) {
                Optional<EventEnvelope> event = stream.next(LIMIT);
                assertThat(event.map(EventEnvelope::content)).contains("message " + i);
            }
            return stream.violations();
        }
    }
}
