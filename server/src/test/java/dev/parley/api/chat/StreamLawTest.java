package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Around every operation: the view before it plus its events equals the view after it. */
class StreamLawTest {
    private static RunningServer server;
    private static ChatCaller olivia;
    private static ChatCaller paul;
    private static ChatCaller rita;
    private static ChatCaller.Agent agent;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off");
        olivia = ChatCaller.user(server, "Olivia");
        paul = ChatCaller.user(server, "Paul");
        rita = ChatCaller.user(server, "Rita");
        agent = olivia.newAgent("Agent");
        // Calls teach the server display names, outside of the log; a name learned later is no event.
        paul.get("/auth/me");
        rita.get("/auth/me");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> olivia.newThread(paul, rita).participants().stream()
                        .map(Participant::displayName)
                        .toList()
                        .containsAll(List.of("Olivia", "Paul", "Rita")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static FollowedThread snapshot(String path) {
        return FollowedThread.of(
                paul.actor(),
                paul.get(path).as(ThreadView.class),
                paul.get(path + "/messages?limit=200").as(MessagePage.class).messages());
    }

    /** Without a title, so that its first message has to give it one. */
    private static String untitledThread() {
        List<String> others = List.of(paul.actor().value(), agent.api().actor().value());
        return "/chat/threads/"
                + olivia.post("/chat/threads", Map.of("participants", others))
                        .as(ThreadView.class)
                        .threadId();
    }

    private static List<EventEnvelope> eventsAfter(String path, String cursor) {
        return paul.get(path + "/events?limit=200&after_seq=" + cursor)
                .as(EventPage.class)
                .events();
    }

    /** Every operation by its name, in an order in which each of them changes something. */
    private static Map<String, Runnable> operations(String path) {
        Map<String, String> ids = new HashMap<>();
        Map<String, Runnable> all = new LinkedHashMap<>();
        all.put("post", () -> ids.put("first", post(path, "first, with metadata")));
        all.put("post again", () -> ids.put("second", post(path, "second for @Agent")));
        all.put(
                "agent's post",
                () -> agent.api()
                        .post(
                                path + "/agent-messages",
                                Map.of("content", "answer", "base_seq", 2, "client_message_id", "k"))
                        .as(PostedMessage.class));
        all.put(
                "edit",
                () -> olivia.patch(path + "/messages/" + ids.get("first"), Map.of("content", "edited"))
                        .as(Message.class));
        all.put(
                "react",
                () -> paul.put(path + "/messages/" + ids.get("first") + "/reactions/x")
                        .as(Message.class));
        all.put(
                "react as another",
                () -> olivia.put(path + "/messages/" + ids.get("first") + "/reactions/x")
                        .as(Message.class));
        all.put(
                "unreact",
                () -> paul.delete(path + "/messages/" + ids.get("first") + "/reactions/x")
                        .as(Message.class));
        all.put("rename", () -> done(olivia.patch(path, Map.of("title", "renamed"))));
        all.put(
                "add",
                () -> done(olivia.post(
                        path + "/participants",
                        Map.of("sender_ids", List.of(rita.actor().value())))));
        all.put("mode", () -> done(olivia.post(path + "/mode", Map.of("participation_mode", "invocation_only"))));
        all.put(
                "mode of an agent",
                () -> done(olivia.post(
                        path + "/mode",
                        Map.of(
                                "participation_mode",
                                "open",
                                "agent_id",
                                agent.view().agentId()))));
        all.put(
                "edit again",
                () -> olivia.patch(path + "/messages/" + ids.get("first"), Map.of("content", "twice"))
                        .as(Message.class));
        all.put(
                "delete",
                () -> olivia.delete(path + "/messages/" + ids.get("second")).as(Message.class));
        all.put("remove", () -> done(olivia.delete(path + "/participants/" + rita.actor())));
        all.put("agent leaves", () -> done(agent.api().delete(path + "/participants/" + agent.actor())));
        all.put("archive", () -> done(olivia.patch(path + "/archive", null)));
        all.put("unarchive", () -> done(olivia.patch(path + "/archive", Map.of("archived", false))));
        all.put("the follower's own post", () -> done(paul.post(path + "/messages", Map.of("content", "and I")), 201));
        all.put("post at last", () -> post(path, "the end"));
        return all;
    }

    private static String post(String path, String content) {
        return olivia.post(path + "/messages", Map.of("content", content, "metadata", Map.of("a", 1)))
                .as(PostedMessage.class)
                .messageId();
    }

    private static void done(ChatCaller.Reply reply) {
        done(reply, 200);
    }

    private static void done(ChatCaller.Reply reply, int status) {
        assertThat(reply.status()).isEqualTo(status);
    }

    /** Reading is no event: the reader knows it, and it is no news for the others. */
    @Test
    void readingChangesTheReadersOwnMarkerAndCountAlone() {
        String path = untitledThread();
        for (String content : List.of("one", "two", "three")) {
            post(path, content);
        }
        FollowedThread before = snapshot(path);
        assertThat(before.unread()).isEqualTo(3);
        String cursor = eventsAfter(path, "0").getLast().eventId();
        done(paul.patch(path + "/read", Map.of("seq", 2)));
        assertThat(snapshot(path)).isEqualTo(before.read(2));
        done(olivia.patch(path + "/read", Map.of("seq", 3)));
        done(agent.api().patch(path + "/read", null));
        assertThat(snapshot(path)).isEqualTo(before.read(2));
        done(paul.patch(path + "/read", null));
        assertThat(snapshot(path)).isEqualTo(before.read(3));
        assertThat(eventsAfter(path, cursor)).isEmpty();
    }

    @Test
    void theLastEventOfADeletedThreadSaysSo() {
        String path = "/chat/threads/" + olivia.newThread(paul).threadId();
        post(path, "soon gone");
        FollowedThread before = snapshot(path);
        assertThat(before.deleted()).isFalse();
        try (StreamTap stream = paul.stream(path + "/events/stream?after_seq=1")) {
            done(olivia.delete(path));
            assertThat(before.plus(stream.awaitEvents(1)).deleted()).isTrue();
            await().atMost(Duration.ofSeconds(20)).until(stream::ended);
            assertThat(stream.events()).hasSize(1);
        }
        done(paul.get(path), 404);
        done(paul.get(path + "/events"), 404);
    }

    @Test
    void beforePlusEventsIsAfterAroundEveryOperationAndFromEveryCut() {
        String path = "/chat/threads/" + olivia.newThread(paul, agent.api()).threadId();
        FollowedThread start = snapshot(path);
        List<EventEnvelope> seen = new ArrayList<>();
        try (StreamTap stream = paul.stream(path + "/events/stream?after_seq=0")) {
            String cursor = "0";
            for (Map.Entry<String, Runnable> operation : operations(path).entrySet()) {
                FollowedThread before = snapshot(path);
                operation.getValue().run();
                List<EventEnvelope> caused = eventsAfter(path, cursor);
                assertThat(caused).as(operation.getKey()).isNotEmpty();
                assertThat(before.plus(caused)).as(operation.getKey()).isEqualTo(snapshot(path));
                seen.addAll(caused);
                cursor = caused.getLast().eventId();
            }
            assertThat(stream.awaitEvents(seen.size()))
                    .as("stream and poll say the same")
                    .isEqualTo(seen);
        }
        FollowedThread end = snapshot(path);
        for (int cut = 0; cut <= seen.size(); cut++) {
            String cursor = cut == 0 ? "0" : seen.get(cut - 1).eventId();
            FollowedThread half = start.plus(seen.subList(0, cut));
            assertThat(half.plus(eventsAfter(path, cursor)))
                    .as("polled on after " + cursor)
                    .isEqualTo(end);
            try (StreamTap resumed = paul.stream(path + "/events/stream", "Last-Event-ID", cursor)) {
                assertThat(half.plus(resumed.awaitEvents(seen.size() - cut)))
                        .as("resumed after " + cursor)
                        .isEqualTo(end);
            }
        }
    }
}
