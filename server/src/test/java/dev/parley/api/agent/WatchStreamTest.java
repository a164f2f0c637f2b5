package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.InboxHint;
import dev.parley.sdk.SseFrame;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** One connection over an inbox and several threads: each behaves as on a stream of its own. */
class WatchStreamTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String STREAM = "/agent/stream?watch=";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final ChatCaller ada = ChatCaller.user(server, "Ada");

    private static void run(ChatCaller caller, String thread, String run, String text) {
        assertThat(caller.post("/agent/runs", AgentCaller.input(thread, run, text))
                        .status())
                .isEqualTo(202);
    }

    private static void say(ChatCaller caller, String thread, String text) {
        assertThat(caller.post("/chat/threads/" + thread + "/messages", Map.of("content", text))
                        .status())
                .isEqualTo(201);
    }

    private static StreamTap open(ChatCaller caller, String path) {
        StreamTap tap = caller.stream(path);
        assertThat(tap.status()).isEqualTo(200);
        await().atMost(LIMIT).until(() -> !tap.frames().isEmpty());
        assertThat(tap.frames().getFirst().event()).isEqualTo("ready");
        return tap;
    }

    /** The events of one thread on a shared stream, as the stream of that thread alone would show them. */
    private static List<String> of(String thread, StreamTap tap) {
        return tap.frames().stream()
                .filter(frame -> String.valueOf(frame.lastEventId()).startsWith(thread + ":"))
                .filter(SseFrame::hasId)
                .map(frame ->
                        frame.lastEventId().substring(thread.length() + 1) + " " + frame.event() + " " + frame.data())
                .toList();
    }

    private static List<String> alone(ChatCaller caller, String thread, int atLeast) {
        try (StreamTap tap = caller.stream("/agent/runs/" + thread + "/events?after=0")) {
            await().atMost(LIMIT).until(() -> tap.frames().size() >= atLeast);
            return tap.frames().stream()
                    .map(frame -> frame.lastEventId() + " " + frame.event() + " " + frame.data())
                    .toList();
        }
    }

    private static void awaitEnd(StreamTap tap, String thread) {
        await().atMost(LIMIT).until(() -> of(thread, tap).stream().anyMatch(each -> each.contains(" RUN_FINISHED ")));
    }

    private static void awaitSaid(StreamTap tap, String thread, String text) {
        await().atMost(LIMIT)
                .until(() -> of(thread, tap).stream()
                        .anyMatch(each -> each.contains("message_committed") && each.contains(text)));
    }

    @Test
    void twoThreadsAreToldBesideEachOtherAndEachPositionLeadsOn() {
        String one = UUID.randomUUID().toString();
        String other = UUID.randomUUID().toString();
        run(ada, one, "r", "/slow 20");
        run(ada, other, "r", "/think 你好 👩‍👩‍👧 e\u0301 السلام");
        List<String> first;
        List<String> second;
        try (StreamTap tap = open(ada, STREAM + one + ":0&watch=" + other + ":0")) {
            awaitEnd(tap, one);
            awaitEnd(tap, other);
            first = of(one, tap);
            second = of(other, tap);
        }
        assertThat(first).isEqualTo(alone(ada, one, first.size()));
        assertThat(second).isEqualTo(alone(ada, other, second.size()));

        List<String> middle = first.subList(first.size() / 2, first.size());
        String position = first.get(first.size() / 2 - 1).split(" ")[0];
        try (StreamTap tap = open(ada, STREAM + one + ":" + position + "," + other)) {
            awaitEnd(tap, one);
            say(ada, other, "again");
            awaitSaid(tap, other, "again");
            assertThat(of(one, tap)).isEqualTo(middle);
            assertThat(of(other, tap))
                    .as("without a position it begins live")
                    .first()
                    .satisfies(told -> assertThat(told).contains("again"));
        }
    }

    @Test
    void withoutAPositionAnAnswerUnderWayIsToldFromItsBeginning() {
        String thread = UUID.randomUUID().toString();
        run(ada, thread, "r", "/slow 60");
        await().atMost(LIMIT)
                .until(() -> ada.get("/agent/threads/" + thread + "/runs/r")
                        .body()
                        .path("firstEvent")
                        .isNumber());

        try (StreamTap tap = open(ada, STREAM + thread)) {
            awaitEnd(tap, thread);
            assertThat(of(thread, tap))
                    .first()
                    .satisfies(told -> assertThat(told).contains("RUN_STARTED"));
        }
    }

    @Test
    void openedStreamNamesThePositionOfEachThread() {
        String thread = UUID.randomUUID().toString();
        run(ada, thread, "r", "hello");
        long last;
        try (StreamTap tap = open(ada, STREAM + thread + ":0")) {
            awaitEnd(tap, thread);
            last = Long.parseLong(of(thread, tap).getLast().split(" ")[0]);
        }

        try (StreamTap tap = open(ada, STREAM + thread)) {
            assertThat(Json.MAPPER
                            .readTree(tap.frames().getFirst().data())
                            .path("positions")
                            .path(thread)
                            .asLong())
                    .isGreaterThanOrEqualTo(last);
        }
    }

    @Test
    void streamHasInboxHintsAndTyping() {
        ChatCaller bob = ChatCaller.user(server, "Bob");
        String watched = ada.newThread(bob).threadId().toString();
        String another = ada.newThread(bob).threadId().toString();
        try (StreamTap tap = open(ada, STREAM + watched)) {
            say(bob, another, "hello");
            bob.post("/chat/threads/" + watched + "/typing", Map.of("status", "started"));
            bob.post("/chat/threads/" + another + "/typing", Map.of("status", "started"));
            say(bob, watched, "hello");
            awaitSaid(tap, watched, "hello");
            await().atMost(LIMIT).until(() -> tap.frames("inbox").size() >= 2);
            assertThat(tap.frames("inbox"))
                    .noneMatch(SseFrame::hasId)
                    .map(frame -> Json.MAPPER
                            .readValue(frame.data(), InboxHint.class)
                            .threadId()
                            .toString())
                    .contains(watched, another);
            assertThat(tap.frames("typing"))
                    .noneMatch(SseFrame::hasId)
                    .singleElement()
                    .satisfies(frame -> assertThat(frame.data()).contains(watched));
            assertThat(of(another, tap)).isEmpty();
        }
        try (StreamTap inboxAlone = open(ada, "/agent/stream")) {
            say(bob, another, "hello again");
            await().atMost(LIMIT).until(() -> !inboxAlone.frames("inbox").isEmpty());
        }
    }

    @Test
    void foreignThreadIsGoneAndTheOthersContinue() {
        ChatCaller bob = ChatCaller.user(server, "Bob");
        String shared = ada.newThread(bob).threadId().toString();
        String own = bob.newThread().threadId().toString();
        String strange = ada.newThread().threadId().toString();
        String none = UUID.randomUUID().toString();
        try (StreamTap tap = open(bob, STREAM + String.join(",", strange, shared, none, own))) {
            await().atMost(LIMIT).until(() -> tap.frames("gone").size() == 2);
            say(ada, shared, "before");
            awaitSaid(tap, shared, "before");

            ada.delete(
                    "/chat/threads/" + shared + "/participants/" + bob.actor().value());
            say(ada, shared, "behind his back");
            await().atMost(LIMIT).until(() -> tap.frames("gone").size() == 3);
            say(bob, own, "still here");
            awaitSaid(tap, own, "still here");

            assertThat(tap.frames("gone"))
                    .map(frame ->
                            Json.MAPPER.readTree(frame.data()).path("threadId").asString())
                    .containsExactlyInAnyOrder(strange, none, shared);
            assertThat(tap.frames().toString()).doesNotContain("behind his back");
            assertThat(tap.ended()).isFalse();
        }
        await().atMost(LIMIT).until(() -> server.metric("parley_tails_open") == 0);
    }

    @Test
    void aPositionThatDoesNotLeadOnIsToldSo() {
        String thread = ada.newThread().threadId().toString();
        say(ada, thread, "one");
        try (StreamTap tap = open(ada, STREAM + thread + ":1000000")) {
            await().atMost(LIMIT).until(() -> tap.frames("CUSTOM").size() == 1);
            SseFrame told = tap.frames("CUSTOM").getFirst();
            JsonNode resync = Json.MAPPER.readTree(told.data());
            assertThat(resync.path("name").asString()).isEqualTo("resync");
            assertThat(resync.at("/value/reason").asString()).isEqualTo("ahead");
            assertThat(told.lastEventId())
                    .isEqualTo(thread + ":" + resync.at("/value/position").asLong());
            say(ada, thread, "two");
            awaitSaid(tap, thread, "two");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "550e8400-e29b-41d4-a716-446655440000:", "550e8400-e29b-41d4-a716-446655440000:-1"})
    void unreadableWatchListIsRefused(String watch) {
        assertThat(ada.get(STREAM + watch).status()).isEqualTo(400);
    }

    @Test
    void tooManyThreadsAndOneThreadTwiceAreRefused() {
        String thread = UUID.randomUUID().toString();
        assertThat(ada.get(STREAM + thread + "," + thread + ":3").slug()).isEqualTo("invalid-fields");
        List<String> many = Collections.nCopies(33, "").stream()
                .map(each -> UUID.randomUUID().toString())
                .toList();
        assertThat(ada.get(STREAM + String.join(",", many)).slug()).isEqualTo("invalid-fields");
        try (StreamTap tap = open(ada, STREAM + many.stream().skip(1).collect(Collectors.joining("&watch=")))) {
            await().atMost(LIMIT).until(() -> tap.frames("gone").size() == 32);
        }
    }

    @Test
    void streamEndsWithTheTokenAndATicketOpensIt() {
        ChatCaller.Agent agent = ada.newAgent("Watcher");
        String thread = ada.newThread(agent.api()).threadId().toString();
        String ticket = ada.post("/auth/stream-tickets", Map.of("path", "/api/v1/agent/stream"))
                .body()
                .path("ticket")
                .asString();
        try (StreamTap tap = open(agent.api(), STREAM + thread);
                StreamTap byTicket = StreamTap.open(server, "/api/v1" + STREAM + thread + "&ticket=" + ticket)) {
            say(ada, thread, "hello");
            awaitSaid(tap, thread, "hello");
            awaitSaid(byTicket, thread, "hello");
            assertThat(ada.delete("/owner/external-agents/tokens/"
                                    + agent.token().tokenId())
                            .status())
                    .isLessThan(300);
            await().atMost(LIMIT).until(tap::ended);
            assertThat(byTicket.ended()).isFalse();
        }
    }

    @Test
    void watchStreamCountsAsOneStream() {
        try (RunningServer strict = RunningServer.start("--limit-streams-per-actor", "1")) {
            ChatCaller eve = ChatCaller.user(strict, "Eve");
            String one = eve.newThread().threadId().toString();
            String other = eve.newThread().threadId().toString();
            try (StreamTap tap = open(eve, STREAM + one + "," + other)) {
                assertThat(eve.get(STREAM + one).slug()).isEqualTo("too-many-streams");
                say(eve, other, "hello");
                awaitSaid(tap, other, "hello");
            }
            await().atMost(LIMIT).until(() -> strict.metric("parley_sse_open") == 0);
            open(eve, STREAM + one).close();
        }
    }
}
