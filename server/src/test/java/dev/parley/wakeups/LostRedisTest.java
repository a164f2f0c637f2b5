package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.testing.Api;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every fault of Redis: every message on either node arrives on both, in order, once. */
class LostRedisTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int POSTS = 10;

    private TestRedis redis;
    private FaultProxy link;
    private RunningServer first;
    private RunningServer second;
    private ThreadId thread;
    private List<ChatCaller> speakers;
    private int said;

    @BeforeEach
    void start() throws Exception {
        redis = TestRedis.start();
        link = FaultProxy.to(redis.uri());
        String url = "redis://127.0.0.1:" + link.port();
        first = RunningServer.start("--rate-limits", "off", "--redis-url", url);
        second = first.beside("--rate-limits", "off", "--redis-url", url);
        UUID ada = UUID.randomUUID();
        speakers = List.of(ChatCaller.user(first, ada, "Ada"), ChatCaller.user(second, ada, "Ada"));
        thread = speakers.getFirst().newThread().threadId();
        awaitPeers();
    }

    @AfterEach
    void stop() throws Exception {
        second.close();
        first.close();
        link.close();
        redis.close();
    }

    private void awaitPeers() {
        await().atMost(LIMIT)
                .until(() -> List.of(first, second).stream()
                        .allMatch(each ->
                                each.metric("parley_wakeups_peers") == 1 && each.metric("parley_wakeups_late") == 0));
    }

    private void awaitLate() {
        await().atMost(LIMIT)
                .until(() -> List.of(first, second).stream().allMatch(each -> each.metric("parley_wakeups_late") == 1));
    }

    /** Posts on both nodes in turn. */
    private void post() {
        for (int i = 0; i < POSTS; i++) {
            assertThat(speakers.get(i % 2)
                            .post("/chat/threads/" + thread + "/messages", Map.of("content", "number " + said))
                            .status())
                    .isEqualTo(201);
            said++;
        }
    }

    @Test
    void messagesArriveOnceInOrderThroughEveryFault() {
        String path = "/chat/threads/" + thread + "/events/stream";
        try (StreamTap here = speakers.get(0).stream(path);
                StreamTap there = speakers.get(1).stream(path)) {
            post();
            redis.kill();
            post();
            awaitLate();
            readyButLate();
            post();
            redis.restart();
            awaitPeers();
            redis.flush();
            post();
            redis.pause();
            post();
            awaitLate();
            redis.resume();
            post();
            awaitPeers();
            link.delay(Duration.ofMillis(400));
            post();
            link.pause();
            post();
            link.resume();
            link.cutAll();
            post();
            link.delay(Duration.ZERO);
            awaitPeers();
            for (StreamTap seen : List.of(here, there)) {
                await().atMost(LIMIT).until(() -> spoken(seen.events()).size() >= said);
                assertThat(spoken(seen.events())).isEqualTo(expected());
            }
        }
    }

    /** A node without hints stays ready; only its health report shows the lack. */
    private void readyButLate() {
        for (RunningServer each : List.of(first, second)) {
            Api.Reply ready = each.api(null).get("/health/ready");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.json().at("/checks/bus").asString()).isEqualTo("late");
        }
    }

    private static List<String> spoken(List<EventEnvelope> events) {
        return events.stream()
                .filter(event -> event.eventType().equals("message_committed"))
                .map(event -> String.valueOf(event.content()))
                .toList();
    }

    private List<String> expected() {
        return IntStream.range(0, said).mapToObj(each -> "number " + each).toList();
    }
}
