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
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two whole servers on one database: what is done on one is seen on the other, and soon. */
class NodesTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    /** Nodes that only look once a second come to half a second; so several rounds are for busy machines. */
    private static final Duration SOON = Duration.ofMillis(200);

    private static final int ROUNDS = 5;
    private static final int POSTS = 11;

    private final UUID ada = UUID.randomUUID();
    private final UUID bob = UUID.randomUUID();
    private TestRedis redis;
    private RunningServer first;
    private RunningServer second;

    private void start(String kind) {
        List<String> flags = new ArrayList<>(List.of("--rate-limits", "off", "--wakeups", kind));
        if (kind.equals("redis")) {
            redis = TestRedis.start();
            flags.addAll(List.of("--redis-url", redis.uri().toString()));
        }
        first = RunningServer.start(flags.toArray(String[]::new));
        second = first.beside(flags.toArray(String[]::new));
        await().atMost(LIMIT)
                .until(() -> first.metric("parley_wakeups_peers") == 1 && second.metric("parley_wakeups_peers") == 1);
    }

    @AfterEach
    void stop() {
        second.close();
        first.close();
        if (redis != null) {
            redis.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "postgres", "local"})
    void whatIsSaidOnOneNodeIsSoonSeenOnTheOther(String kind) {
        start(kind);
        ChatCaller speaker = ChatCaller.user(first, ada, "Ada");
        ThreadId thread = speaker.newThread().threadId();
        List<Duration> medians = new ArrayList<>();
        try (StreamTap seen = ChatCaller.user(second, ada, "Ada").stream("/chat/threads/" + thread + "/events/stream")) {
            do {
                medians.add(median(speaker, thread, seen));
            } while (medians.getLast().compareTo(SOON) > 0 && medians.size() < ROUNDS);
            assertThat(medians.getLast()).as("medians by %s: %s", kind, medians).isLessThan(SOON);
            assertThat(seen.events().stream().map(EventEnvelope::threadSeq).toList()).isSorted().doesNotHaveDuplicates();
        }
    }

    /** How long after its answer a message is seen. */
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
    void anInboxOnTheOtherNodeIsTold(String kind) {
        start(kind);
        ChatCaller speaker = ChatCaller.user(first, ada, "Ada");
        ChatCaller listener = ChatCaller.user(second, bob, "Bob");
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
        assertThat(second.metric("parley_wakeups_received_total")).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "postgres"})
    void aRemovedMembersStreamOnTheOtherNodeEnds(String kind) {
        start(kind);
        ChatCaller owner = ChatCaller.user(first, ada, "Ada");
        ChatCaller member = ChatCaller.user(second, bob, "Bob");
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
