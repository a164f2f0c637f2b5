package dev.parley.sessions;

import static dev.parley.sessions.Session.COMPLETED;
import static dev.parley.sessions.Session.answer;
import static dev.parley.sessions.Session.content;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A streamed message and the message that its client posts afterwards are one message. */
class StreamedAnswerTest {
    @AutoClose
    private static final RunningServer server = Session.start();

    @Test
    void sameTextIsTheSameMessage() {
        Session session = Session.fresh(server);
        session.stream("r1", 0, content("It is "), content("sunny 🌞"), COMPLETED);

        Api.Reply told = session.tell("r1", answer("a1", "It is sunny 🌞"));

        assertThat(told.status()).as(told.toString()).isEqualTo(201);
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(session.messages("")).isEqualTo("[" + answer("a1", "It is sunny 🌞") + "]");
        assertThat(told.json().path("chat_events").get(0).path("seq").asInt()).isEqualTo(1);
        assertThat(session.tell("r1", answer("a1", "It is sunny 🌞")).status()).isEqualTo(200);
        assertThat(session.tell("r1", answer("a1", "It rains")).problem()).contains("key-reused");
    }

    @Test
    void differentTextIsARevision() {
        Session session = Session.fresh(server);
        session.stream("r1", 0, content("It is suny"), COMPLETED);
        session.tell("r1", answer("a1", "It is sunny"));
        JsonNode message = session.chat().get(0);
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(message.path("content").asString()).isEqualTo("It is sunny");
        assertThat(message.path("edited_at").isNull()).isFalse();
    }

    @Test
    void activeRunTakesNoPostedAnswer() {
        Session session = Session.fresh(server);
        session.stream("r1", 0, content("It is"));
        Api.Reply early = session.tell("r1", answer("a1", "It is sunny"));
        assertThat(early.problem()).contains("run-active");
        assertThat(early.json().path("retryable").asBoolean()).isTrue();
        assertThat(session.append("{\"run_id\":\"r1\",\"message\":" + Session.user("q", "and tomorrow?") + "}")
                        .status())
                .as("people may write meanwhile")
                .isEqualTo(201);
        session.stream("r1", 1, content(" sunny"), COMPLETED);
        assertThat(session.tell("r1", answer("a1", "It is sunny")).status()).isEqualTo(201);
        assertThat(session.chat().size()).isEqualTo(2);
    }

    @Test
    void stoppedAnswerStaysUnchanged() {
        Session session = Session.fresh(server);
        session.stream("r1", 0, content("It is"));
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
        assertThat(session.tell("r1", answer("a1", "It is sunny")).status()).isEqualTo(201);
        assertThat(session.chat().get(0).path("content").asString()).isEqualTo("It is");
        assertThat(session.rows().get(0).path("partial").asBoolean()).isTrue();
        assertThat(session.messages("?statuses=completed")).isEqualTo("[]");
        assertThat(session.messages("?statuses=completed,cancelled")).contains("a1");
    }

    @Test
    void answerToAnAppendReportsUsageOncePerEntry() {
        Session session = Session.fresh(server);
        session.stream(
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
        session.stream("r1", 0, content("one two three four"), COMPLETED);
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
        session.tell("r1", answer("a1", "It is sunny"));
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
                        () -> session.tell("r1", answer("a1", "It is sunny")),
                        told -> told.problem().filter("run-active"::equals).isEmpty());
    }

    /** The answer is in the log once, whichever request comes first. */
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
    void unstreamedMessageIsAppended() {
        Session session = Session.fresh(server);
        session.tell("r9", answer("a1", "unheard"));
        session.tell("r9", answer("a2", "unseen"));
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

    /** Ids of members' runs may have the maximum length. */
    @Test
    void membersWithLongIdsAreFound() {
        Session session = Session.fresh(server);
        String team = "t".repeat(128);
        String member = "成员👩‍👩‍👧".repeat(13).substring(0, 117);
        session.stream(
                team,
                0,
                "{\"event\":\"RunContent\",\"run_id\":\"%s\",\"parent_run_id\":\"%s\",\"content\":\"mine\"}"
                        .formatted(member, team),
                "{\"event\":\"RunCompleted\",\"run_id\":\"%s\"}".formatted(member),
                content("ours"),
                "{\"event\":\"TeamRunCompleted\"}");
        assertThat(session.tell(member, answer("m1", "mine")).status()).isEqualTo(201);
        assertThat(session.tell(team, answer("m2", "ours")).status()).isEqualTo(201);
        assertThat(session.contents()).containsExactlyInAnyOrder("mine", "ours");
        assertThat(session.api()
                        .get(session.path("/runs"))
                        .json()
                        .path("runs")
                        .valueStream()
                        .map(run -> run.path("run_id").asString() + "<"
                                + run.path("parent_run_id").asString("")))
                .containsExactly(team + "<", member + "<" + team);
    }

    @Test
    void longAnswerIsNotCut() {
        Session session = Session.fresh(server);
        String part = "長い".repeat(10_000);
        session.stream("r1", 0, content(part), content(part), content(part), content(part), content(part), COMPLETED);
        assertThat(session.tell("r1", answer("a1", part.repeat(5))).status()).isEqualTo(201);
        session.stream("r2", 0, content("short"), COMPLETED);
        assertThat(session.tell("r2", answer("a2", part.repeat(6))).status()).isEqualTo(201);
        assertThat(session.contents()).containsExactly(part.repeat(5), "short");
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
        session.stream("r1", 0, events.toArray(String[]::new));
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

    /** Each post matches its own message, although the posts look for it at the same time. */
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
            session.stream(run, 0, events.toArray(String[]::new));
            List<Future<Api.Reply>> posts = new ArrayList<>();
            try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 6; i++) {
                    String message = answer(run + "-" + i, "final " + i);
                    posts.add(many.submit(() -> session.tell(run, message)));
                }
            }
            for (Future<Api.Reply> post : posts) {
                assertThat(post.get().status()).as(post.get().toString()).isEqualTo(201);
            }
        }
        assertThat(session.rows().valueStream().map(row -> row.path("seq").asLong()))
                .hasSize(30)
                .doesNotHaveDuplicates();
        assertThat(session.contents()).hasSize(30).allMatch(text -> text.startsWith("final"));
    }
}
