package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Following a thread: cursors, should_respond, typing, and the end of a stream. */
class LiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** A removed member's stream may live for a few seconds, not for a minute. */
    private static final Duration SECONDS = Duration.ofSeconds(15);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private static final ChatCaller paul = ChatCaller.user(server, "Paul");

    private ThreadView thread;
    private String path;

    @BeforeEach
    void newThread() {
        thread = olivia.newThread(paul);
        path = "/chat/threads/" + thread.threadId();
    }

    private void said(ChatCaller caller, String content) {
        assertThat(caller.post(path + "/messages", Map.of("content", content)).status())
                .isEqualTo(201);
    }

    private static List<String> ids(List<EventEnvelope> events) {
        return events.stream().map(EventEnvelope::eventId).toList();
    }

    @Test
    void bothFormsOfCursorResumeAfterTheirEvent() {
        said(olivia, "one");
        olivia.patch(path, Map.of("title", "first name"));
        olivia.patch(path, Map.of("title", "second name"));
        said(olivia, "two");
        olivia.patch(path, Map.of("title", "third name"));
        List<String> all = List.of("1", "1-2", "1-3", "2", "2-5");
        for (int from = 0; from <= all.size(); from++) {
            String cursor = from == 0 ? "0" : all.get(from - 1);
            List<String> rest = all.subList(from, all.size());
            for (String name : List.of("after_seq", "last_thread_seq")) {
                assertThat(ids(paul.get(path + "/events?" + name + "=" + cursor)
                                .as(EventPage.class)
                                .events()))
                        .as(cursor)
                        .isEqualTo(rest);
            }
            try (StreamTap byQuery = paul.stream(path + "/events/stream?after_seq=" + cursor);
                    StreamTap byHeader = paul.stream(path + "/events/stream?after_seq=0", "Last-Event-ID", cursor)) {
                assertThat(ids(byQuery.awaitEvents(rest.size()))).isEqualTo(rest);
                assertThat(ids(byHeader.awaitEvents(rest.size()))).isEqualTo(rest);
            }
        }
    }

    @Test
    void shouldRespondIsSentToAgentsAndNotToUsers() {
        ChatCaller.Agent open = olivia.newAgent("Open");
        ChatCaller.Agent invoked = olivia.newAgent("Invoked");
        olivia.post(
                path + "/participants",
                Map.of(
                        "sender_ids",
                        List.of(open.actor().value(), invoked.actor().value())));
        olivia.post(
                path + "/mode",
                Map.of(
                        "participation_mode",
                        "invocation_only",
                        "agent_id",
                        invoked.view().agentId()));
        try (StreamTap toOpen = open.api().stream(path + "/events/stream?after_seq=0");
                StreamTap toInvoked = invoked.api().stream(path + "/events/stream?after_seq=0");
                StreamTap toPaul = paul.stream(path + "/events/stream?after_seq=0")) {
            said(olivia, "hello");
            said(olivia, "@Invoked hello");
            open.api().post(path + "/agent-messages", Map.of("content", "ask @Invoked"));
            invoked.api().post(path + "/agent-messages", Map.of("content", "done"));
            olivia.patch(path, Map.of("title", "news"));
            assertThat(shouldRespond(toOpen.awaitEvents(7)))
                    .containsExactly(false, false, true, true, false, false, false);
            assertThat(shouldRespond(toInvoked.awaitEvents(7)))
                    .containsExactly(false, false, false, true, true, false, false);
            assertThat(shouldRespond(toPaul.awaitEvents(7))).containsOnlyNulls().hasSize(7);
            for (ChatCaller.Agent each : List.of(open, invoked)) {
                StreamTap live = each.equals(open) ? toOpen : toInvoked;
                assertThat(each.api().get(path + "/events").as(EventPage.class).events())
                        .as("poll and stream deliver the same")
                        .isEqualTo(live.events());
            }
            assertThat(paul.get(path + "/events").as(EventPage.class).events()).isEqualTo(toPaul.events());
        }
    }

    private static List<Boolean> shouldRespond(List<EventEnvelope> events) {
        List<Boolean> all = new ArrayList<>();
        events.forEach(event -> all.add(event.shouldRespond()));
        return all;
    }

    @Test
    void typingReachesCurrentFollowersOnly() {
        try (StreamTap here = olivia.stream(path + "/events/stream")) {
            // The first event shows that the stream is open.
            said(olivia, "ready");
            here.awaitEvents(1);
            assertThat(paul.post(path + "/typing", null).status()).isEqualTo(200);
            olivia.patch(path + "/participants/" + paul.actor(), Map.of("capabilities", List.of("can_read")));
            assertThat(paul.post(path + "/typing", null).status())
                    .as("a participant who may only read")
                    .isEqualTo(403);
            olivia.patch(
                    path + "/participants/" + paul.actor(), Map.of("capabilities", List.of("can_read", "can_send")));
            assertThat(paul.post(path + "/typing", Map.of("status", "stopped")).status())
                    .isEqualTo(200);
            await().atMost(LIMIT).until(() -> here.frames("typing").size() == 2);
            assertThat(here.frames("typing"))
                    .allSatisfy(frame -> assertThat(frame.hasId()).isFalse());
            var first = Json.MAPPER.readTree(here.frames("typing").getFirst().data());
            assertThat(first.path("sender_id").asString())
                    .isEqualTo(paul.actor().value());
            assertThat(first.path("status").asString()).isEqualTo("started");
            assertThat(first.path("thread_id").asString())
                    .isEqualTo(thread.threadId().toString());
            said(olivia, "after");
            here.awaitEvents(2);
        }
        try (StreamTap later = olivia.stream(path + "/events/stream?after_seq=0")) {
            later.awaitEvents(2);
            assertThat(later.frames("typing")).isEmpty();
        }
        assertThat(paul.post(path + "/typing", Map.of("status", "dancing")).status())
                .isEqualTo(400);
        assertThat(ChatCaller.user(server, "Stranger")
                        .post(path + "/typing", null)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void streamsEndWhenTheirReaderIsRemovedOrLeaves() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(rita.actor().value())));
        try (StreamTap removed = paul.stream(path + "/events/stream?after_seq=0");
                StreamTap left = rita.stream(path + "/events/stream?after_seq=0");
                StreamTap stays = olivia.stream(path + "/events/stream?after_seq=0")) {
            said(olivia, "hello");
            for (StreamTap each : List.of(removed, left, stays)) {
                each.awaitEvents(2);
            }
            olivia.delete(path + "/participants/" + paul.actor());
            rita.delete(path + "/participants/" + rita.actor());
            // At once: a message posted after the answer to a removal does not reach the removed member.
            said(olivia, "among us");
            await().atMost(SECONDS).until(() -> removed.ended() && left.ended());
            stays.awaitEvents(5);
            assertThat(stays.ended()).isFalse();
            assertThat(Stream.of(removed, left).flatMap(each -> each.events().stream()))
                    .noneMatch(event -> "among us".equals(event.content()));
        }
        assertThat(paul.stream(path + "/events/stream").status()).isEqualTo(404);
    }

    /** As another node leaves it: no notification arrives here, only the number of the thread's facts has moved. */
    @Test
    void aStreamEndsWhenAnotherNodeRemovesItsReader() {
        try (StreamTap removed = paul.stream(path + "/events/stream?after_seq=0");
                StreamTap stays = olivia.stream(path + "/events/stream?after_seq=0")) {
            said(olivia, "hello");
            removed.awaitEvents(1);
            stays.awaitEvents(1);
            server.execute("""
                    delete from participants where thread_id = '%1$s' and actor = '%2$s';
                    update thread_heads set facts = facts + 1 where thread_id = '%1$s'""".formatted(thread.threadId(), paul.actor().value()));
            await().atMost(SECONDS).until(removed::ended);
            assertThat(stays.ended()).isFalse();
        }
    }

    @Test
    void streamsEndWhenTheirTokenIsRevoked() {
        ChatCaller.Agent agent = olivia.newAgent("Agent");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(agent.actor().value())));
        try (StreamTap events = agent.api().stream(path + "/events/stream?after_seq=0");
                StreamTap inbox = agent.api().stream("/chat/inbox/stream")) {
            events.awaitEvents(1);
            olivia.delete("/owner/external-agents/tokens/" + agent.token().tokenId());
            await().atMost(SECONDS).until(() -> events.ended() && inbox.ended());
        }
        assertThat(agent.api().get(path).status()).isEqualTo(401);
    }

    @Test
    void longPollOfARemovedMemberIsRefused() throws Exception {
        said(olivia, "before");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ChatCaller.Reply> waiting = threads.submit(() -> paul.get(path + "/events?after_seq=1&wait=30"));
            olivia.delete(path + "/participants/" + paul.actor());
            said(olivia, "after");
            assertThat(waiting.get().status()).isEqualTo(404);
        }
    }

    @Test
    void longPollOfARevokedTokenIsRefused() throws Exception {
        ChatCaller.Agent agent = olivia.newAgent("Agent");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(agent.actor().value())));
        String cursor = agent.api()
                .get(path + "/events")
                .body()
                .path("events")
                .get(0)
                .path("event_id")
                .asString();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ChatCaller.Reply> waiting =
                    threads.submit(() -> agent.api().get(path + "/events?wait=30&after_seq=" + cursor));
            await().atMost(SECONDS).until(() -> server.metric("parley_http_waiting") > 0);
            olivia.delete("/owner/external-agents/tokens/" + agent.token().tokenId());
            said(olivia, "after");
            assertThat(waiting.get().status()).isEqualTo(401);
        }
    }

    /** A member posts and reads as fast as possible while he is removed: none of his messages follows the removal. */
    @Test
    void messagesOfAMemberEndWithTheRemoval() throws Exception {
        for (int round = 0; round < 3; round++) {
            newThread();
            AtomicInteger accepted = new AtomicInteger();
            try (StreamTap stream = paul.stream(path + "/events/stream?after_seq=0");
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> posters = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    posters.add(threads.submit(() -> {
                        ChatCaller.Reply reply = paul.post(path + "/messages", Map.of("content", "still here"));
                        while (reply.status() == 201) {
                            accepted.incrementAndGet();
                            reply = paul.post(path + "/messages", Map.of("content", "still here"));
                        }
                        assertThat(reply.slug()).isEqualTo("thread-not-found");
                    }));
                }
                await().atMost(LIMIT).until(() -> accepted.get() > 50);
                assertThat(olivia.delete(path + "/participants/" + paul.actor()).status())
                        .isEqualTo(200);
                for (Future<?> one : posters) {
                    one.get();
                }
                await().atMost(SECONDS).until(stream::ended);
            }
            try (Database database = Database.open(server.database(), 1)) {
                long removal = number(
                        database,
                        "select position from events where thread_id = :thread and payload like '%participant_removed%'");
                assertThat(number(
                                database,
                                "select coalesce(max(position), 0) from entries where thread_id = :thread and author = '"
                                        + paul.actor() + "'"))
                        .isLessThan(removal);
                assertThat(number(database, "select count(*) from entries where thread_id = :thread"))
                        .as("exactly the acknowledged messages")
                        .isEqualTo(accepted.get());
            }
        }
    }

    private long number(Database database, String sql) {
        return database.read(handle -> handle.createQuery(sql)
                .bind("thread", thread.threadId().value())
                .mapTo(Long.class)
                .one());
    }
}
