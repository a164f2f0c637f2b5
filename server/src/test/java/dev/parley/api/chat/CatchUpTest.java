package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.PageSize;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.EventStream;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ThreadClient;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.SlowReader;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Viewers who are far behind, some of whom hardly read. */
class CatchUpTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final UUID OLIVIA = UUID.randomUUID();

    private static RunningServer server(String... flags) {
        List<String> all = new ArrayList<>(List.of("--rate-limits", "off", "--limit-slow-reader", "10m"));
        all.addAll(List.of(flags));
        return RunningServer.start(all.toArray(String[]::new));
    }

    private static ThreadClient bulkyThread(RunningServer server) throws Exception {
        Parley olivia = server.as(OLIVIA, "Olivia");
        ThreadClient thread =
                olivia.thread(olivia.createThread(NewThread.titled("test")).threadId());
        BulkyThread.post(thread, BulkyThread.MORE_THAN_FITS);
        return thread;
    }

    private static SlowReader stuckReader(RunningServer server, ThreadId thread) throws IOException {
        return SlowReader.open(
                URI.create(server.uri() + "/api/v1/chat/threads/" + thread + "/events/stream?after_seq=0"),
                Map.of("Authorization", "Bearer " + server.token(OLIVIA, "Olivia")));
    }

    private static void awaitOpen(RunningServer server, int streams) {
        await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == streams);
    }

    @Test
    void viewersWhoHardlyReadDoNotDelayOthers() throws Exception {
        try (RunningServer server = server("--limit-page-reads", "1")) {
            ThreadClient thread = bulkyThread(server);
            try (SlowReader first = stuckReader(server, thread.id());
                    SlowReader second = stuckReader(server, thread.id());
                    SlowReader third = stuckReader(server, thread.id())) {
                awaitOpen(server, 3);
                try (EventStream stream = thread.open(Cursor.after(0))) {
                    for (long seq = 1; seq <= BulkyThread.MORE_THAN_FITS; seq++) {
                        assertThat(stream.next(LIMIT).map(EventEnvelope::threadSeq))
                                .contains(seq);
                    }
                }
                assertThat(server.metric("parley_sse_open")).isGreaterThanOrEqualTo(3);
            }
            // They left in the middle of catching up; no resources of theirs may remain.
            awaitOpen(server, 0);
            await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
        }
    }

    @Test
    void viewerTooSlowForItsNextParcelIsCutAndReleased() throws Exception {
        try (RunningServer server = server("--limit-parcel-time", "1s")) {
            ThreadClient thread = bulkyThread(server);
            try (SlowReader stuck = stuckReader(server, thread.id())) {
                assertThat(stuck.peerClosedWithin(LIMIT)).isTrue();
            }
            awaitOpen(server, 0);
            await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
        }
    }

    @Test
    void aPageIsBoundedInBytesAndNeverEmptyForThat() throws Exception {
        try (RunningServer server = server();
                Database database = Database.open(server.database(), 1)) {
            Parley olivia = server.as(OLIVIA, "Olivia");
            ThreadClient thread =
                    olivia.thread(olivia.createThread(NewThread.titled("test")).threadId());
            BulkyThread.post(thread, 20);
            LogReader log = new LogReader(database);
            LogPages pages = new LogPages(database);
            assertThat(log.eventsAfter(thread.id(), 0, 200, 1)).hasSize(1);
            assertThat(log.eventsAfter(thread.id(), 0, 200, 3L * BulkyThread.BYTES))
                    .isEqualTo(pages.eventsAfter(thread.id(), 0, PageSize.of(3, Long.MAX_VALUE))
                            .events());
            assertThat(log.eventsAfter(thread.id(), 5, 4, Long.MAX_VALUE))
                    .isEqualTo(pages.eventsAfter(thread.id(), 5, PageSize.of(4, Long.MAX_VALUE))
                            .events());
            assertThat(log.eventsAfter(thread.id(), 20, 200, 1)).isEmpty();
        }
    }
}
