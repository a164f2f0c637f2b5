package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.shownIds;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static dev.parley.api.agui.DrivingAgent.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The limits of a snapshot, and the messages it selects. */
class SnapshotTest {
    private static final int BYTES = 6_000;
    private static final int MESSAGES = 24;
    /** A client sends back the messages it was shown, and must be able to add one. */
    private static final int SHOWN = MESSAGES / 2;

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits",
            "off",
            "--limit-snapshot-bytes",
            Integer.toString(BYTES),
            "--limit-agui-messages",
            Integer.toString(MESSAGES));

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread =
            caller.api().post("/api/v1/chat/threads", "{}").text("thread_id");

    private String say(String content) {
        return caller.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        Json.MAPPER.writeValueAsString(
                                Map.of("client_message_id", UUID.randomUUID().toString(), "content", content)))
                .text("id");
    }

    private List<String> say(int count, int length) {
        return IntStream.range(0, count)
                .mapToObj(i -> say(i + "x".repeat(length)))
                .toList();
    }

    private static boolean truncated(List<JsonNode> events) {
        return only(events, "MESSAGES_SNAPSHOT").at("/metadata/truncated").asBoolean(false);
    }

    @Test
    void conversationWithinTheLimitsIsShownWhole() {
        List<String> said = say(SHOWN, 10);
        List<JsonNode> events = caller.connect(thread);
        assertThat(shownIds(events)).isEqualTo(said);
        assertThat(truncated(events)).isFalse();
    }

    @Test
    void ofMoreMessagesThanTheLimitTheNewestAreShown() {
        List<String> said = say(SHOWN + 1, 10);
        List<JsonNode> events = caller.connect(thread);
        assertThat(shownIds(events)).isEqualTo(said.subList(1, SHOWN + 1));
        assertThat(truncated(events)).isTrue();
    }

    @Test
    void ofMoreBytesThanTheLimitTheNewestAreShown() {
        List<String> said = say(10, 1_000);
        List<JsonNode> events = caller.connect(thread);
        List<String> shown = shownIds(events);
        assertThat(shown).isNotEmpty().hasSizeLessThan(7).isEqualTo(said.subList(10 - shown.size(), 10));
        assertThat(truncated(events)).isTrue();
        assertThat(Json.MAPPER.writeValueAsBytes(only(events, "MESSAGES_SNAPSHOT")).length)
                .isBetween(BYTES - 1_500, BYTES + 200);
    }

    /** A client deletes messages that it is not shown again. */
    @Test
    void messagesThatTheClientHasGoFirst() {
        List<String> said = say(10, 1_000);
        List<JsonNode> events = caller.connect(thread, user(said.get(0), "x"), user(said.get(2), "x"));
        List<String> shown = shownIds(events);
        assertThat(shown)
                .startsWith(said.get(0), said.get(2))
                .endsWith(said.get(9))
                .hasSizeGreaterThan(3);
        assertThat(truncated(events)).isTrue();
    }

    /** Clients crash on frames over 10 MB, of any author. */
    @Test
    void textOfTheRunCountsTowardsTheLimit() {
        say(10, 1_000);
        List<JsonNode> seen = comeBackTo(2_000);
        assertThat(types(seen)).containsSubsequence("MESSAGES_SNAPSHOT", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END");
        assertThat(types(seen)).doesNotContain("TEXT_MESSAGE_CONTENT");
        assertThat(shownIds(seen)).contains("u1", "m1");
    }

    /** A run that would fill the frame alone is replayed from its beginning, with its changes to the state. */
    @Test
    void oversizedRunIsReplayedFromItsBeginning() {
        say(10, 1_000);
        List<JsonNode> seen = comeBackTo(4_000);
        assertThat(shownIds(seen)).contains("u1").doesNotContain("m1");
    }

    private List<JsonNode> comeBackTo(int length) {
        DrivingAgent agent = DrivingAgent.of(caller, server);
        Map<String, Object> input = with(input(thread, "r1", user("u1", "go")), "state", Map.of("list", List.of()));
        try (Live first = caller.open(agent.runPath(), input)) {
            DrivingAgent.Driving driving = agent.drive(thread, "r1")
                    .post(
                            event("STATE_DELTA", "delta", List.of(Map.of("op", "add", "path", "/list/-", "value", 1))),
                            event("TEXT_MESSAGE_START", "messageId", "m1", "role", "assistant"),
                            event("TEXT_MESSAGE_CONTENT", "messageId", "m1", "delta", "y".repeat(length)));
            first.until("TEXT_MESSAGE_CONTENT");
            try (Live second = caller.open(agent.connectPath(), input(thread, "c1", user("u1", "go")))) {
                second.until("MESSAGES_SNAPSHOT");
                driving.post(event("TEXT_MESSAGE_END", "messageId", "m1"), DrivingAgent.finished());
                List<JsonNode> seen = second.whole();
                assertThat(Json.MAPPER.writeValueAsBytes(only(seen, "MESSAGES_SNAPSHOT")).length)
                        .isLessThan(BYTES + 500);
                ClientView view = ClientView.of(seen);
                assertThat(view.shown().lines()).contains("assistant m1: " + "y".repeat(length));
                assertThat(view.state()).contains(Json.MAPPER.readTree("{\"list\":[1]}"));
                return seen;
            }
        }
    }

    @Test
    void deletedMessagesAreNotShown() {
        String deleted = say("deleted");
        assertThat(caller.api()
                        .delete("/api/v1/chat/threads/" + thread + "/messages/" + deleted)
                        .status())
                .isLessThan(300);
        String edited = say("before");
        caller.api().patch("/api/v1/chat/threads/" + thread + "/messages/" + edited, "{\"content\":\"after\"}");
        caller.run(thread, "r1", user("u1", "one"));
        String superseded = caller.log(thread).getLast().get("id").asString();
        caller.run(thread, "r2", user("u1", "one"));
        String withdrawn = "u2";
        caller.run(thread, "r3", user("u2", "two"));
        caller.run(with(input(thread, "r4", user("u3", "three")), "forwardedProps", Map.of("regenerateFrom", "u2")));
        List<JsonNode> events = caller.connect(thread, user(deleted, "x"), user(withdrawn, "two"));
        assertThat(shownIds(events)).contains(edited, "u1", "u3").doesNotContain(deleted, superseded, withdrawn);
        assertThat(ClientView.of(events).shown())
                .contains("after", "You said: one", "You said: three")
                .doesNotContain("before", "You said: two");
    }

    @Test
    void moreMessagesThanTheLimitAreNotTaken() {
        Object[] messages = new Object[MESSAGES + 1];
        for (int i = 0; i <= MESSAGES; i++) {
            messages[i] = user("m" + i, "hello");
        }
        assertThat(caller.post(input(thread, "r1", messages)).status()).isEqualTo(400);
        assertThat(caller.log(thread)).isEmpty();
        caller.run(thread, "r1", Arrays.copyOf(messages, MESSAGES));
        assertThat(caller.log(thread)).hasSize(MESSAGES + 1);
    }

    @Test
    void clientWithAFullSnapshotCanContinue() {
        say(SHOWN + 5, 10);
        List<JsonNode> events = caller.connect(thread);
        List<Object> listed = new ArrayList<>();
        only(events, "MESSAGES_SNAPSHOT").path("messages").forEach(listed::add);
        listed.add(user("next", "hello"));
        assertThat(types(caller.run(thread, "r1", listed.toArray()))).endsWith("RUN_FINISHED");
    }

    @Test
    void aMessageThatCannotFitIsLeftOutAlone() {
        String before = say("before");
        caller.run(thread, "large", user("large", "x".repeat(BYTES)));
        String after = say("after");
        List<JsonNode> events = caller.connect(thread);
        assertThat(shownIds(events)).startsWith(before, after).doesNotContain("large");
        assertThat(truncated(events)).isTrue();
    }
}
