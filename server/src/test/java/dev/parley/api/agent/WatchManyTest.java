package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Parley;
import dev.parley.sdk.SseFrame;
import dev.parley.sdk.ThreadClient;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.SlowReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Streams of several threads with a far larger backlog than a connection, or the server, holds at once. */
class WatchManyTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final UUID ADA = UUID.randomUUID();
    private static final int MESSAGES = 2_000;

    private static List<ThreadClient> threads(RunningServer server, int count, int messages) throws Exception {
        Parley ada = server.as(ADA, "Ada");
        List<ThreadClient> threads = new ArrayList<>();
        List<Future<?>> posts = new ArrayList<>();
        try (ExecutorService work = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < count; i++) {
                ThreadClient thread =
                        ada.thread(ada.createThread(NewThread.titled("test")).threadId());
                threads.add(thread);
                for (int j = 0; j < messages; j++) {
                    posts.add(work.submit(() -> thread.post(NewMessage.text("x".repeat(4_000)))));
                }
            }
            for (Future<?> post : posts) {
                post.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
        return threads;
    }

    private static String path(List<ThreadClient> threads) {
        return "/api/v1/agent/stream?watch="
                + threads.stream().map(thread -> thread.id() + ":0").collect(Collectors.joining(","));
    }

    private static List<SseFrame> of(ThreadClient thread, StreamTap tap) {
        return tap.frames().stream()
                .filter(SseFrame::hasId)
                .filter(frame -> frame.lastEventId().startsWith(thread.id() + ":"))
                .toList();
    }

    private static List<Long> seqs(ThreadClient thread, StreamTap tap) {
        return of(thread, tap).stream()
                .filter(frame -> frame.data().contains("message_committed"))
                .map(frame -> Long.parseLong(frame.data().replaceAll("(?s).*?\"seq\":([0-9]+).*", "$1")))
                .toList();
    }

    @Test
    void threadsThatAreFarBehindCatchUpBesideEachOtherAndBesideTheLiveOnes() throws Exception {
        String[] small = {"--rate-limits", "off", "--limit-tail-bytes", "8KB", "--limit-page-reads", "1"};
        try (RunningServer server = RunningServer.start(small)) {
            List<ThreadClient> threads = threads(server, 3, MESSAGES);
            ThreadClient live = threads(server, 1, 0).getFirst();
            List<ThreadClient> watched = new ArrayList<>(threads);
            watched.add(live);
            try (StreamTap tap = StreamTap.open(server, path(watched), server.token(ADA, "Ada"))) {
                for (int i = 1; i <= 50; i++) {
                    live.post(NewMessage.text("live " + i));
                    threads.getFirst().post(NewMessage.text("more " + i));
                }
                await().atMost(LIMIT).until(() -> tap.frames().size() >= 3 * MESSAGES + 100);
                await().atMost(LIMIT).until(() -> of(live, tap).size() >= 50);
                await().atMost(LIMIT).until(() -> seqs(threads.getFirst(), tap).size() >= MESSAGES + 50);
                for (ThreadClient thread : watched) {
                    long first = thread == live ? 50 : thread == threads.getFirst() ? MESSAGES + 50 : MESSAGES;
                    await().atMost(LIMIT).until(() -> seqs(thread, tap).size() >= first);
                    List<Long> seqs = seqs(thread, tap);
                    assertThat(seqs)
                            .as("in order")
                            .isSorted()
                            .doesNotHaveDuplicates()
                            .hasSize((int) first);
                }
                // The last stream to begin begins before the first has ended.
                List<SseFrame> all = List.copyOf(tap.frames());
                int begun = threads.stream()
                        .mapToInt(thread -> all.indexOf(of(thread, tap).getFirst()))
                        .max()
                        .orElseThrow();
                int done = threads.stream()
                        .mapToInt(thread -> all.lastIndexOf(of(thread, tap).getLast()))
                        .min()
                        .orElseThrow();
                assertThat(begun).isLessThan(done);
                assertThat(tap.ended()).isFalse();
            }
            await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
        }
    }

    @Test
    void clientThatDoesNotReadIsCutAndDelaysNoOther() throws Exception {
        try (RunningServer server = RunningServer.start("--rate-limits", "off", "--limit-slow-reader", "1s")) {
            List<ThreadClient> threads = threads(server, 4, 1_000);
            String token = server.token(ADA, "Ada");
            URI address = URI.create(server.uri() + path(threads));
            try (SlowReader stuck = SlowReader.open(address, Map.of("Authorization", "Bearer " + token));
                    StreamTap reading = StreamTap.open(server, path(threads), token)) {
                await().atMost(LIMIT)
                        .until(() -> threads.stream()
                                .allMatch(thread -> seqs(thread, reading).size() == 1_000));
                assertThat(stuck.peerClosedWithin(LIMIT)).isTrue();
                assertThat(reading.ended()).isFalse();
            }
            assertThat(server.metric("parley_sse_slow_readers_cut_total")).isEqualTo(1);
            await().atMost(LIMIT).until(() -> server.metric("parley_sse_open") == 0);
            await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
        }
    }

    @Test
    void threadLostWhileCatchingUpDoesNotAffectOthers() throws Exception {
        UUID bob = UUID.randomUUID();
        try (RunningServer server = RunningServer.start("--rate-limits", "off", "--limit-slow-reader", "10m")) {
            List<ThreadClient> threads = threads(server, 3, 1_000);
            Api ada = server.api(ADA, "Ada");
            String people = "{\"sender_ids\":[\"user:" + bob + "\"]}";
            threads.forEach(thread -> assertThat(
                            ada.post("/api/v1/chat/threads/" + thread.id() + "/participants", people)
                                    .status())
                    .isLessThan(300));
            URI address = URI.create(server.uri() + path(threads));
            try (SlowReader stuck =
                    SlowReader.open(address, Map.of("Authorization", "Bearer " + server.token(bob, "Bob")))) {
                await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 3);
                ada.delete("/api/v1/chat/threads/" + threads.getFirst().id() + "/participants/user:" + bob);
                await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 2);
                assertThat(stuck.peerClosedWithin(Duration.ofSeconds(2))).isFalse();
                assertThat(server.metric("parley_sse_open")).isEqualTo(1);
            }
            await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
        }
    }
}
