package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two whole servers on one database: a change on one is soon seen on the other. */
class NodesTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    /** Nodes that only poll once a second take nearly that long here; several rounds allow for busy machines. */
    private static final Duration SOON = Duration.ofMillis(400);

    private static final int ROUNDS = 5;
    private static final int POSTS = 11;

    private final UUID ada = UUID.randomUUID();
    private final UUID bob = UUID.randomUUID();

    /** Two nodes that know of each other, and the carrier between them. */
    private record Pair(RunningServer first, RunningServer second, Optional<TestRedis> redis) implements AutoCloseable {
        static Pair start(String kind) {
            List<String> flags = new ArrayList<>(List.of("--rate-limits", "off", "--wakeups", kind));
            Optional<TestRedis> redis = kind.equals("redis") ? Optional.of(TestRedis.start()) : Optional.empty();
            redis.ifPresent(
                    each -> flags.addAll(List.of("--redis-url", each.uri().toString())));
            RunningServer first = RunningServer.start(flags.toArray(String[]::new));
            Pair pair = new Pair(first, first.beside(flags.toArray(String[]::new)), redis);
            await().atMost(LIMIT).until(() -> hasPeer(pair.first) && hasPeer(pair.second));
            return pair;
        }

        private static boolean hasPeer(RunningServer node) {
            return node.metric("parley_wakeups_peers") == 1;
        }

        @Override
        public void close() {
            second.close();
            first.close();
            redis.ifPresent(TestRedis::close);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "postgres", "local"})
    void messageOnOneNodeIsSoonSeenOnTheOther(String kind) {
        try (Pair pair = Pair.start(kind)) {
            ChatCaller speaker = ChatCaller.user(pair.first(), ada, "Ada");
            ThreadId thread = speaker.newThread().threadId();
            List<Duration> medians = new ArrayList<>();
            try (StreamTap seen =
                    ChatCaller.user(pair.second(), ada, "Ada").stream("/chat/threads/" + thread + "/events/stream")) {
                do {
                    medians.add(median(speaker, thread, seen));
                } while (medians.getLast().compareTo(SOON) > 0 && medians.size() < ROUNDS);
                assertThat(medians.getLast())
                        .as("medians by %s: %s", kind, medians)
                        .isLessThan(SOON);
                assertThat(seen.events().stream().map(EventEnvelope::threadSeq).toList())
                        .isSorted()
                        .doesNotHaveDuplicates();
            }
        }
    }

    /** The time from the answer of a post until the other node shows the message. */
    private static Duration median(ChatCaller speaker, ThreadId thread, StreamTap seen) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < POSTS; i++) {
            int before = seen.events().size();
            assertThat(speaker.post("/chat/threads/" + thread + "/messages", Map.of("content", "مرحبا 你好 🙂 " + i))
                            .status())
                    .isEqualTo(201);
            long start = System.nanoTime();
            await().atMost(LIMIT)
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> seen.events().size() > before);
            times.add(Duration.ofNanos(System.nanoTime() - start));
        }
        Collections.sort(times);
        return times.get(POSTS / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "postgres"})
    void inboxOnTheOtherNodeIsUpdated(String kind) {
        try (Pair pair = Pair.start(kind)) {
            ChatCaller speaker = ChatCaller.user(pair.first(), ada, "Ada");
            ChatCaller listener = ChatCaller.user(pair.second(), bob, "Bob");
            ThreadId thread = speaker.newThread(listener).threadId();
            try (StreamTap inbox = listener.stream("/chat/inbox/stream")) {
                assertThat(inbox.status()).isEqualTo(200);
                assertThat(speaker.post("/chat/threads/" + thread + "/messages", Map.of("content", "Bob?"))
                                .status())
                        .isEqualTo(201);
                await().atMost(LIMIT)
                        .until(() -> inbox.frames("thread_changed").stream()
                                .anyMatch(frame -> frame.data().contains(thread.toString())));
            }
            assertThat(pair.second().metric("parley_wakeups_received_total")).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "postgres"})
    void aRemovedMembersStreamOnTheOtherNodeEnds(String kind) {
        try (Pair pair = Pair.start(kind)) {
            ChatCaller owner = ChatCaller.user(pair.first(), ada, "Ada");
            ChatCaller member = ChatCaller.user(pair.second(), bob, "Bob");
            ThreadId thread = owner.newThread(member).threadId();
            try (StreamTap stream = member.stream("/chat/threads/" + thread + "/events/stream")) {
                assertThat(stream.status()).isEqualTo(200);
                assertThat(owner.delete("/chat/threads/" + thread + "/participants/" + member.actor())
                                .status())
                        .isLessThan(300);
                await().atMost(LIMIT).until(stream::ended);
            }
        }
    }
}
