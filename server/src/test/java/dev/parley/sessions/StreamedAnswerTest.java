package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A streamed message and the one its client posts afterwards are one message. */
class StreamedAnswerTest {
    @AutoClose
    private static final RunningServer server = Session.start();

    private static Api.Reply stream(Session session, String run, int first, String... events) {
        Api.Reply reply = session.api()
                .post(
                        session.path("/runs/" + run + "/events"),
                        "{%s\"first\":%d,\"agent_name\":\"Weather\",\"events\":[%s]}"
                                .formatted(first == 0 ? "" : "\"epoch\":1,", first, String.join(",", events)));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply;
    }

    private static String content(String delta) {
        return "{\"event\":\"RunContent\",\"content\":\"" + delta + "\"}";
    }

    private static final String COMPLETED = "{\"event\":\"RunCompleted\"}";

    private static Api.Reply tell(Session session, String run, String message) {
        return session.append("{\"agent_name\":\"Weather\",\"run_id\":\"" + run + "\",\"message\":" + message + "}");
    }

    private static String answer(String id, String text) {
        return "{\"id\":\"%s\",\"role\":\"assistant\",\"content\":\"%s\"}".formatted(id, text);
    }

    @Test
    void sameTextIsTheSameMessage() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("It is "), content("sunny 🌞"), COMPLETED);

        Api.Reply told = tell(session, "r1", answer("a1", "It is sunny 🌞"));

        assertThat(told.status()).as(told.toString()).isEqualTo(201);
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(session.messages("")).isEqualTo("[" + answer("a1", "It is sunny 🌞") + "]");
        assertThat(told.json().path("chat_events").get(0).path("seq").asInt()).isEqualTo(1);
        assertThat(tell(session, "r1", answer("a1", "It is sunny 🌞")).status()).isEqualTo(200);
        assertThat(tell(session, "r1", answer("a1", "It rains")).problem()).contains("key-reused");
    }

    @Test
    void differentTextIsARevision() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("It is suny"), COMPLETED);
        tell(session, "r1", answer("a1", "It is sunny"));
        JsonNode message = session.chat().get(0);
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(message.path("content").asString()).isEqualTo("It is sunny");
        assertThat(message.path("edited_at").isNull()).isFalse();
    }

    @Test
    void activeRunTakesNoPostedAnswer() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("It is"));
        Api.Reply early = tell(session, "r1", answer("a1", "It is sunny"));
        assertThat(early.problem()).contains("run-active");
        assertThat(early.json().path("retryable").asBoolean()).isTrue();
        assertThat(session.append("{\"run_id\":\"r1\",\"message\":" + Session.user("q", "and tomorrow?") + "}")
                        .status())
                .as("people may write meanwhile")
                .isEqualTo(201);
        stream(session, "r1", 1, content(" sunny"), COMPLETED);
        assertThat(tell(session, "r1", answer("a1", "It is sunny")).status()).isEqualTo(201);
        assertThat(session.chat().size()).isEqualTo(2);
    }

    @Test
    void callsAndResultsMatchTheirOwn() {
        Session session = Session.fresh(server);
        String tool =
                "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":\"%s\",\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"%s\"}}";
        stream(
                session,
                "r1",
                0,
                content("Let me look."),
                tool.formatted("ToolCallStarted", "c1", ""),
                tool.formatted("ToolCallStarted", "c2", ""),
                tool.formatted("ToolCallCompleted", "c1", "21"),
                tool.formatted("ToolCallError", "c2", "no"),
                content("21 degrees."),
                COMPLETED);
        int streamed = session.chat().size();
        String calls = "{\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}";
        List<String> told = List.of(
                "{\"id\":\"m1\",\"role\":\"assistant\",\"content\":\"Let me look.\",\"tool_calls\":[%s,%s]}"
                        .formatted(calls.formatted("c1"), calls.formatted("c2")),
                "{\"id\":\"m2\",\"role\":\"tool\",\"content\":\"no\",\"tool_call_id\":\"c2\",\"tool_call_error\":true}",
                "{\"id\":\"m3\",\"role\":\"tool\",\"content\":\"21\",\"tool_call_id\":\"c1\"}",
                answer("m4", "21 degrees."));
        for (String message : told) {
            assertThat(tell(session, "r1", message).status()).isEqualTo(201);
        }
        assertThat(session.chat().size()).isEqualTo(streamed);
        JsonNode given = Json.MAPPER.readTree(session.messages("?tools=safe"));
        assertThat(given.valueStream().map(each -> each.path("id").asString()))
                .as("each once, without the streamed messages")
                .containsExactlyInAnyOrder("m1", "m2", "m3", "m4");
    }

    @Test
    void stoppedAnswerStaysUnchanged() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("It is"));
        assertThat(session.api()
                        .post(session.path("/stop"), "{}")
                        .json()
                        .path("stopped")
                        .get(0)
                        .asString())
                .isEqualTo("r1");
        Api.Reply late = session.api()
                .post(
                        session.path("/runs/r1/events"),
                        "{\"epoch\":1,\"first\":1,\"events\":[" + content(" sunny") + "]}");
        assertThat(late.json().path("stop").asBoolean()).isTrue();
        assertThat(tell(session, "r1", answer("a1", "It is sunny")).status()).isEqualTo(201);
        assertThat(session.chat().get(0).path("content").asString()).isEqualTo("It is");
        assertThat(session.rows().get(0).path("partial").asBoolean()).isTrue();
        assertThat(session.messages("?statuses=completed")).isEqualTo("[]");
        assertThat(session.messages("?statuses=completed,cancelled")).contains("a1");
    }

    @Test
    void answerToAnAppendReportsUsageOncePerEntry() {
        Session session = Session.fresh(server);
        stream(
                session,
                "r1",
                0,
                content("one two"),
                "{\"event\":\"ModelRequestCompleted\",\"input_tokens\":5,\"output_tokens\":2}",
                COMPLETED);
        String events = "{\"chat_events\":[%s,%s]}".formatted(wrapped(answer("a", "one")), wrapped(answer("b", "two")));
        for (String body : List.of(events, "{\"chat_events\":[" + wrapped(answer("b", "two")) + "]}")) {
            assertThat(session.append(body).json().path("chat_events").valueStream())
                    .as("the first row beside an entry has its usage, in the answer as on the page")
                    .extracting(row -> row.path("message_id").asString() + row.path("input_tokens"))
                    .isEqualTo(body.equals(events) ? List.of("a5", "bnull") : List.of("bnull"));
        }
    }

    private static String wrapped(String message) {
        return "{\"run_id\":\"r1\",\"agent_name\":\"Weather\",\"message\":" + message + "}";
    }

    @Test
    void chatEventsBesideOneEntryKeepTheirOrder() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("one two three four"), COMPLETED);
        StringBuilder expected = new StringBuilder();
        List<String> events = new ArrayList<>();
        for (String part : List.of("one", "two", "three", "four")) {
            events.add("{\"run_id\":\"r1\",\"agent_name\":\"Weather\",\"message\":" + answer(part, part) + "}");
            expected.append(expected.isEmpty() ? "" : ",").append(answer(part, part));
        }
        session.append("{\"chat_events\":[" + String.join(",", events) + "]}");
        assertThat(session.messages("")).isEqualTo("[" + expected + "]");
    }

    @Test
    void runPostedFirstCannotBeStreamed() {
        Session session = Session.fresh(server);
        tell(session, "r1", answer("a1", "It is sunny"));
        Api.Reply late = session.api()
                .post(
                        session.path("/runs/r1/events"),
                        "{\"first\":0,\"events\":[" + content("It is sunny") + "," + COMPLETED + "]}");
        assertThat(late.problem()).contains("key-reused");
        assertThat(session.chat().size()).isEqualTo(1);
    }

    private static Api.Reply tellOnceItIsOver(Session session) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> tell(session, "r1", answer("a1", "It is sunny")),
                        told -> told.problem().filter("run-active"::equals).isEmpty());
    }

    /** In either order: the answer is in the log once. */
    @Test
    void concurrentPostAndStreamGiveOneMessage() throws Exception {
        for (int i = 0; i < 10; i++) {
            Session session = Session.fresh(server);
            session.say(Session.user("q", "how is it?"));
            Future<Api.Reply> told;
            Future<Api.Reply> streamed;
            try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
                told = both.submit(() -> tellOnceItIsOver(session));
                streamed = both.submit(() -> session.api()
                        .post(
                                session.path("/runs/r1/events"),
                                "{\"first\":0,\"agent_name\":\"Weather\",\"events\":[" + content("It is sunny") + ","
                                        + COMPLETED + "]}"));
            }
            assertThat(told.get().status()).as(told.get().toString()).isEqualTo(201);
            assertThat(streamed.get().problem().orElse("streamed")).isIn("streamed", "key-reused");
            assertThat(session.chat().size()).isEqualTo(2);
            assertThat(session.messages("")).contains("\"a1\"");
        }
    }

    @Test
    void unpostedMessagesStayVisible() {
        Session session = Session.fresh(server);
        String tool =
                "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":\"c1\",\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"21\"}}";
        stream(
                session,
                "r1",
                0,
                content("Let me look."),
                tool.formatted("ToolCallStarted"),
                tool.formatted("ToolCallCompleted"),
                content("21 degrees."),
                COMPLETED);
        tell(session, "r1", answer("a1", "21 degrees."));
        JsonNode rows = session.rows();
        assertThat(rows.size()).isEqualTo(3);
        assertThat(rows.get(0).path("agent_name").asString()).isEqualTo("Weather");
        assertThat(rows.get(0).path("run_id").asString()).isEqualTo("r1");
        assertThat(rows.get(2).path("message_id").asString()).isEqualTo("a1");
    }

    @Test
    void unstreamedCallsKeepTheirOrder() {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, content("21 degrees."), COMPLETED);
        List<String> told = List.of(
                "{\"id\":\"m1\",\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}]}",
                "{\"id\":\"m2\",\"role\":\"tool\",\"content\":\"21\",\"tool_call_id\":\"c1\"}",
                answer("m3", "21 degrees."));
        told.forEach(
                message -> assertThat(tell(session, "r1", message).status()).isEqualTo(201));
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(session.chat().get(0).path("edited_at").isNull()).isTrue();
        assertThat(session.messages("?tools=safe")).isEqualTo("[" + String.join(",", told) + "]");
    }

    @Test
    void unstreamedMessageIsAppended() {
        Session session = Session.fresh(server);
        tell(session, "r9", answer("a1", "unheard"));
        tell(session, "r9", answer("a2", "unseen"));
        assertThat(session.chat().size()).isEqualTo(2);
        assertThat(session.api()
                        .get(session.path("/runs"))
                        .json()
                        .path("runs")
                        .get(0)
                        .path("agent_name")
                        .asString())
                .isEqualTo("Weather");
    }

    private static String tool(String event, @Nullable String id, String result) {
        return "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":%s,\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"%s\"}}"
                .formatted(event, id, result);
    }

    private static String calling(String id, @Nullable String call) {
        return "{\"id\":\"%s\",\"role\":\"assistant\",\"tool_calls\":[{%s\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}]}"
                .formatted(id, call == null ? "" : "\"id\":" + call + ",");
    }

    private static String result(String id, @Nullable String call, String text) {
        return "{\"id\":\"%s\",\"role\":\"tool\",\"tool_name\":\"w\",\"content\":\"%s\"%s}"
                .formatted(id, text, call == null ? "" : ",\"tool_call_id\":" + call);
    }

    private static List<String> contents(Session session) {
        return session.chat()
                .valueStream()
                .map(each -> each.path("content").asString())
                .toList();
    }

    /** Providers number their calls anew in every turn, or give them no ids at all; and some ids are very long. */
    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "\"call_0\"",
                "\"calculate-the-temperature-in-every-town-of-the-country-and-in-all-its-villages-one-after-the-other-1234567890\""
            })
    void callsOfOneNameMatchTheirOwn(@Nullable String call) {
        Session session = Session.fresh(server);
        stream(
                session,
                "r1",
                0,
                tool("ToolCallStarted", call, ""),
                tool("ToolCallCompleted", call, "21 °C"),
                tool("ToolCallStarted", call, ""),
                tool("ToolCallCompleted", call, "٢٢ °C"),
                content("It is warm."),
                COMPLETED);
        List<String> streamed = contents(session);

        List<String> told = List.of(
                calling("m1", call),
                result("m2", call, "21 °C"),
                calling("m3", call),
                result("m4", call, "٢٢ °C"),
                answer("m5", "It is warm."));
        told.forEach(
                message -> assertThat(tell(session, "r1", message).status()).isEqualTo(201));

        assertThat(streamed).hasSize(5).contains("21 °C", "٢٢ °C");
        assertThat(contents(session)).as("nothing is changed or added").isEqualTo(streamed);
        assertThat(session.rows().valueStream().map(row -> row.path("seq").asLong()))
                .as("each beside its own")
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    /** Ids of members' runs are as long as clients may make them. */
    @Test
    void membersWithLongIdsAreFound() {
        Session session = Session.fresh(server);
        String team = "t".repeat(128);
        String member = "成员👩‍👩‍👧".repeat(13).substring(0, 117);
        stream(
                session,
                team,
                0,
                "{\"event\":\"RunContent\",\"run_id\":\"%s\",\"parent_run_id\":\"%s\",\"content\":\"mine\"}"
                        .formatted(member, team),
                "{\"event\":\"RunCompleted\",\"run_id\":\"%s\"}".formatted(member),
                content("ours"),
                "{\"event\":\"TeamRunCompleted\"}");
        assertThat(tell(session, member, answer("m1", "mine")).status()).isEqualTo(201);
        assertThat(tell(session, team, answer("m2", "ours")).status()).isEqualTo(201);
        assertThat(contents(session)).containsExactlyInAnyOrder("mine", "ours");
        assertThat(session.api()
                        .get(session.path("/runs"))
                        .json()
                        .path("runs")
                        .valueStream()
                        .map(run -> run.path("run_id").asString() + "<"
                                + run.path("parent_run_id").asString("")))
                .containsExactly(team + "<", member + "<" + team);
    }

    /**
     * Roles are free text: any unknown role is the agent. Messages that are not posted are shown as they were streamed.
     */
    @ParameterizedTest
    @ValueSource(strings = {"assistant", "model", "Assistant"})
    void messageOfAnyRoleMatchesTheAnswer(String role) {
        Session session = Session.fresh(server);
        stream(session, "r1", 0, tool("ToolCallCompleted", "\"c1\"", "21"), content("It is 21."), COMPLETED);
        tell(session, "r1", "{\"id\":\"a1\",\"role\":\"%s\",\"content\":\"It is 21.\"}".formatted(role));
        assertThat(session.rows()
                        .valueStream()
                        .map(row -> row.path("message_id").asString()))
                .hasSize(3)
                .endsWith("a1");
        assertThat(session.chat().size()).isEqualTo(3);
    }

    @Test
    void longAnswerIsNotCut() {
        Session session = Session.fresh(server);
        String part = "長い".repeat(10_000);
        stream(session, "r1", 0, content(part), content(part), content(part), content(part), content(part), COMPLETED);
        assertThat(tell(session, "r1", answer("a1", part.repeat(5))).status()).isEqualTo(201);
        stream(session, "r2", 0, content("short"), COMPLETED);
        assertThat(tell(session, "r2", answer("a2", part.repeat(6))).status()).isEqualTo(201);
        assertThat(contents(session)).containsExactly(part.repeat(5), "short");
        assertThat(session.rows().size()).isEqualTo(2);
    }

    @Test
    void messagesOfALongRunAreAllSearched() {
        Session session = Session.fresh(server);
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            events.add(content("step " + i));
            events.add("{\"event\":\"RunContentCompleted\"}");
        }
        events.add(COMPLETED);
        stream(session, "r1", 0, events.toArray(String[]::new));
        Api.Reply told = session.append("{\"chat_events\":["
                + String.join(
                        ",",
                        List.of(0, 150, 250, 1_099).stream()
                                .map(i -> "{\"run_id\":\"r1\",\"message\":" + answer("a" + i, "step " + i) + "}")
                                .toList())
                + "]}");
        assertThat(told.json()
                        .path("chat_events")
                        .valueStream()
                        .map(row -> row.path("seq").asInt()))
                .containsExactly(1, 151, 251, 1_100);
    }

    /** Each finds its own message, though none knows of the others when it looks. */
    @Test
    void concurrentPostsOfOneRunTakeDifferentMessages() throws Exception {
        Session session = Session.fresh(server);
        for (int round = 0; round < 5; round++) {
            String run = "r" + round;
            List<String> events = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                events.add(content("draft " + i));
                events.add("{\"event\":\"RunContentCompleted\"}");
            }
            events.add(COMPLETED);
            stream(session, run, 0, events.toArray(String[]::new));
            List<Future<Api.Reply>> posts = new ArrayList<>();
            try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 6; i++) {
                    String message = answer(run + "-" + i, "final " + i);
                    posts.add(many.submit(() -> tell(session, run, message)));
                }
            }
            for (Future<Api.Reply> post : posts) {
                assertThat(post.get().status()).as(post.get().toString()).isEqualTo(201);
            }
        }
        assertThat(session.rows().valueStream().map(row -> row.path("seq").asLong()))
                .hasSize(30)
                .doesNotHaveDuplicates();
        assertThat(contents(session)).hasSize(30).allMatch(text -> text.startsWith("final"));
    }
}
