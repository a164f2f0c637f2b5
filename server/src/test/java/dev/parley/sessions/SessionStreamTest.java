package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static dev.parley.sessions.StreamedSession.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs of Agno that are streamed into sessions over HTTP, followed live by others, and posted again. */
class SessionStreamTest {
    @AutoClose
    private static final RunningServer server = StreamedSession.startWithPrices();

    private final StreamedSession session = StreamedSession.fresh(server);

    @Test
    void questionPostedFirstPrecedesAStoppedAnswer() {
        session.user()
                .post(
                        "/sessions/" + session.id() + "/chat-events",
                        Map.of(
                                "message",
                                Map.of("id", "q1", "role", "user", "content", "数到一百"),
                                "run_id",
                                "r1",
                                "agent_name",
                                "Reader"));
        session.run("r1").say(event("RunStarted", "r1"), content("r1", "1 2 3"));
        assertThat(session.user()
                        .post("/sessions/" + session.id() + "/stop", Map.of("run_id", "r1"))
                        .body()
                        .path("status")
                        .asString())
                .isEqualTo("accepted");

        assertThat(session.rows())
                .extracting(row -> row.path("role").asString()
                        + row.path("sender_id").asString().startsWith("user:")
                        + row.path("partial").asBoolean())
                .containsExactly("usertruefalse", "assistantfalsetrue");
        assertThat(session.user()
                        .get("/chat/threads/" + session.id())
                        .body()
                        .path("title")
                        .asString())
                .isEqualTo("数到一百");
    }

    @Test
    void agentIsNamedByItsEvents() {
        session.by(session.user(), "r1")
                .say(
                        event("RunStarted", "r1", "agent_id", "counter", "agent_name", "计数器"),
                        content("r1", "1 2 3"),
                        event("RunCompleted", "r1", "content", "1 2 3"));
        session.by(session.user(), "r2")
                .say(
                        event("TeamRunStarted", "r2", "team_id", "council", "team_name", "Council"),
                        event("TeamRunContent", "r2", "content", "Yes."),
                        event("TeamRunCompleted", "r2", "content", "Yes."));

        session.by(session.user(), "r3")
                .say(
                        content("r3", "早"),
                        event("RunContent", "r3", "content", "上", "agent_id", "late", "agent_name", "Late"),
                        event("RunCompleted", "r3", "content", "早上"));

        List<String> names = session.user()
                .get("/chat/threads/" + session.id())
                .body()
                .path("participants")
                .valueStream()
                .map(each -> each.path("display_name").asString())
                .toList();
        assertThat(names).contains("计数器", "Council", "Late").doesNotContain("Agent");
    }

    @Test
    void viewersSeeEventsWhileTheyAreStreamed() {
        AgnoStreamer run =
                session.run("r1").say(event("RunStarted", "r1", "model", "gpt-4o", "model_provider", "OpenAI"));
        assertThat(run.epoch()).isEqualTo(1);
        assertThat(session.state("r1")).isEqualTo("running");
        try (StreamTap tap = session.watch("r1")) {
            String expected = "";
            for (String delta : List.of("你", "好，", "é", "👩‍👩‍👧 ", "مرحبا")) {
                run.say(content("r1", delta));
                expected += delta;
                await().atMost(LIMIT).until(() -> tap.frames().getLast().data().contains(delta));
            }
            run.say(
                    event("ModelRequestCompleted", "r1", "model", "gpt-4o", "input_tokens", 1000, "output_tokens", 10),
                    event("RunCompleted", "r1", "content", expected, "metrics", Map.of("input_tokens", 1000)));
            await().atMost(LIMIT).until(tap::ended);
            assertThat(tap.frames())
                    .extracting(frame ->
                            Json.MAPPER.readTree(frame.data()).get("type").asString())
                    .startsWith("RUN_STARTED", "TEXT_MESSAGE_START")
                    .endsWith("CUSTOM", "TEXT_MESSAGE_END", "RUN_FINISHED");
            assertThat(session.contents()).containsExactly(expected);
        }
        JsonNode message = session.messages().getFirst();
        assertThat(session.user()
                        .get("/chat/threads/" + session.id())
                        .body()
                        .get("participants")
                        .valueStream()
                        .filter(each -> each.get("sender_id").equals(message.get("sender_id")))
                        .map(each -> each.get("display_name").asString()))
                .containsExactly("Reader");
        assertThat(session.state("r1")).isEqualTo("completed");
        assertThat(session.usage()).containsExactly("6|OpenAI|gpt-4o|1000|10|0.00315|ZAR");
        assertThat(server.select("""
                        select concat_ws('|', run_id, agent_id, agent_name, model, model_provider) from session_runs
                        where thread_id = '%s'""".formatted(session.id()))).containsExactly("r1|reader|Reader|gpt-4o|OpenAI");
    }

    @Test
    void sessionMayHaveAnyName() {
        String name = "séance 中/文 👋";
        ChatCaller.Reply opened = new AgnoStreamer(session.user(), name, "läuft/1", "team_name", "Desk")
                .post(null, 0, List.of(event("TeamRunCompleted", "läuft/1", "content", "done")));
        assertThat(opened.status()).as(opened.toString()).isEqualTo(200);
        assertThat(opened.body().toString()).isEqualTo("{\"epoch\":1,\"next\":1,\"stop\":true}");
        // Another owner's session of the same name is another session.
        ChatCaller other = ChatCaller.user(server, "Other");
        assertThat(new AgnoStreamer(other, name, "läuft/1")
                        .post(1, 1, List.of())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void postsMayBeRepeated() {
        AgnoStreamer run = session.run("r1");
        List<Object> first = List.of(content("r1", "a"), content("r1", "b"));
        for (int i = 0; i < 3; i++) {
            assertThat(run.post(null, 0, first).body().toString()).isEqualTo("{\"epoch\":1,\"next\":2,\"stop\":false}");
        }
        assertThat(run.post(1, 1, List.of(content("r1", "b"), content("r1", "c")))
                        .body()
                        .get("next")
                        .asInt())
                .isEqualTo(3);
        assertThat(run.post(1, 7, List.of(content("r1", "gap"))).slug()).isEqualTo("event-gap");
        assertThat(run.post(9, 3, List.of(content("r1", "x"))).slug()).isEqualTo("run-taken-over");
        assertThat(run.post(null, 3, List.of(content("r1", "x"))).slug()).isEqualTo("run-taken-over");
        List<Object> last = List.of(event("RunCompleted", "r1"));
        for (int i = 0; i < 3; i++) {
            assertThat(run.post(1, 3, last).body().toString()).isEqualTo("{\"epoch\":1,\"next\":4,\"stop\":true}");
        }
        assertThat(session.contents()).containsExactly("abc");
    }

    @Test
    void unreadableEventsOpenNoRun() {
        ChatCaller.Reply refused = session.run("r1").post(null, 0, List.of(content("r1", "a"), Map.of("content", "b")));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().toString()).contains("events[1].event");
        assertThat(session.user().get("/chat/threads/" + session.id()).status()).isEqualTo(404);
        assertThat(session.run("r".repeat(129)).post(null, 0, List.of()).status())
                .isEqualTo(400);
        assertThat(session.run("r1").post(null, -1, List.of()).status()).isEqualTo(400);
        assertThat(session.run("r1")
                        .post(null, 0, Collections.singletonList(null))
                        .status())
                .isEqualTo(400);
        assertThat(session.run("r1")
                        .post(null, 0, Collections.nCopies(20_001, Map.of("event", "x")))
                        .status())
                .isEqualTo(400);
        assertThat(session.run("r1").post(null, 4, List.of()).status()).isEqualTo(404);
        assertThat(session.user()
                        .post("/sessions/" + session.id() + "/stop", Map.of())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void teamStreamsWithItsMembers() {
        AgnoStreamer team = session.by(session.user(), "t1", "team_name", "Desk");
        team.say(
                event("TeamRunStarted", "t1", "team_name", "Desk", "model", "gpt-4o-mini", "model_provider", "OpenAI"),
                event(
                        "TeamToolCallStarted",
                        "t1",
                        "tool",
                        tool("d1", "delegate_task_to_member", Map.of("member_id", "a"), null, false)),
                event("RunStarted", "m1", "parent_run_id", "t1", "agent_name", "Reader", "agent_id", "reader"),
                event("RunContent", "m1", "content", "I read."),
                event("RunStarted", "m2", "parent_run_id", "t1", "agent_name", "Writer"));
        team.say(
                event("RunContent", "m2", "content", "I write."),
                event("ModelRequestCompleted", "m2", "model", "gpt-4o", "input_tokens", 10, "output_tokens", 1),
                event("RunCompleted", "m2", "content", "I write."),
                event("RunError", "m1", "content", "lost the page"),
                event(
                        "TeamToolCallCompleted",
                        "t1",
                        "tool",
                        tool("d1", "delegate_task_to_member", null, "I write.", false)));
        assertThat(session.state("t1")).isEqualTo("running");
        team.say(
                event("TeamRunContent", "t1", "content", "Here it is."),
                event("TeamRunCompleted", "t1", "content", "Here it is.", "metrics", Map.of("input_tokens", 5)));
        assertThat(session.state("t1")).isEqualTo("completed");
        assertThat(session.state("m1")).isEqualTo("failed");
        assertThat(session.state("m2")).isEqualTo("completed");
        assertThat(session.messages().stream()
                        .map(each -> each.at("/metadata/agent_name").asString("-") + ": "
                                + each.get("content").asString()))
                .containsExactly("-: ", "Reader: I read.", "Writer: I write.", "-: I write.", "-: Here it is.");
        assertThat(session.usage()).containsExactly("6||gpt-4o|10|1|0.000045|ZAR");
        assertThat(server.select("""
                        select concat_ws('|', run_id, parent_run_id, agent_name, team_name) from session_runs
                        where thread_id = '%s' order by number""".formatted(session.id())))
                .containsExactly("t1|Desk", "m1|t1|Reader", "m2|t1|Writer");
    }

    @Test
    void concurrentRunsOfOneSessionAreStreamed() throws Exception {
        List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
        List<Thread> drivers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "r" + i;
            drivers.add(Thread.startVirtualThread(() -> {
                try {
                    AgnoStreamer run = session.by(session.user(), id, "agent_id", "agent-" + id.length());
                    for (int n = 0; n < 10; n++) {
                        run.say(content(id, id + "." + n + " "));
                    }
                    run.say(event("RunCompleted", id));
                } catch (Throwable any) {
                    failed.add(any);
                }
            }));
        }
        for (Thread each : drivers) {
            each.join();
        }
        assertThat(failed).isEmpty();
        assertThat(session.contents())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20)
                        .mapToObj(i -> IntStream.range(0, 10)
                                .mapToObj(n -> "r" + i + "." + n + " ")
                                .reduce("", String::concat))
                        .toList());
        assertThat(session.messages().stream()
                        .map(each -> each.get("thread_seq").asLong()))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toList());
    }

    @Test
    void largeAndUnusualPostsAreTaken() {
        List<Object> deltas = new ArrayList<>();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            deltas.add(content("r1", i + "é "));
            expected.append(i).append("é ");
        }
        deltas.add(event("RunCompleted", "r1"));
        ChatCaller.Reply reply = session.run("r1").post(null, 0, deltas);
        assertThat(reply.body().toString()).isEqualTo("{\"epoch\":1,\"next\":10001,\"stop\":true}");
        assertThat(server.select("select content from entries where thread_id = '" + session.id() + "'"))
                .containsExactly(expected.toString());
        AgnoStreamer odd = session.run("r2");
        odd.say(
                content("r2", "a\u0000b"),
                content("r2", "\ud83d"),
                content("r2", "\udc4b \ud800!"),
                event("CustomEvent", "r2", "text", "\u0000\ud800", "n", 1e300),
                event("ToolCallStarted", "r2", "tool", tool("\u0000", "\ud800", "\u0000", null, false)),
                event("RunStarted", "x\u0000".repeat(200), "agent_name", "\u0000"),
                event("ModelRequestCompleted", "r2", "model", "\u0000", "input_tokens", -5),
                event("RunError", "r2", "content", "\u0000\ud800", "error_type", "\u0000"));
        assertThat(session.state("r2")).isEqualTo("failed");
        assertThat(session.messages().stream().map(each -> each.get("content").asString()))
                .contains("a\ufffdb👋 \ufffd!");
    }
}
