package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.sdk.SseFrame;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Agno's runs are streamed into sessions over HTTP, followed live by others, retried, paused and stopped. */
class SessionStreamTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static RunningServer server;

    @TempDir
    static Path folder;

    private ChatCaller user;
    private String session;

    @BeforeAll
    static void start() throws IOException {
        Path file = Files.writeString(folder.resolve("agents.yaml"), """
                prices:
                  gpt-4o: {input: 3, output: 15, currency: ZAR}
                  openai/gpt-4o-mini: {input: 1, output: 2, currency: ZAR}
                """);
        server = RunningServer.start("--rate-limits", "off", "--agents-file", file.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void meet() {
        user = ChatCaller.user(server, "Olivia");
        session = UUID.randomUUID().toString();
    }

    private AgnoStreamer run(String run) {
        return new AgnoStreamer(user, session, run, "agent_id", "reader", "agent_name", "Reader");
    }

    private List<JsonNode> messages() {
        List<JsonNode> messages = new ArrayList<>();
        user.get("/chat/threads/" + session + "/messages")
                .body()
                .get("messages")
                .forEach(messages::add);
        return messages;
    }

    private List<String> contents() {
        return messages().stream().map(each -> each.get("content").asString()).toList();
    }

    private String state(String run) {
        return user.get("/agent/threads/" + session + "/runs/" + run)
                .body()
                .get("state")
                .asString();
    }

    private StreamTap watch(String run) {
        return user.stream("/agent/runs/" + session + "/events?runId=" + run);
    }

    private static List<String> types(StreamTap tap) {
        return tap.frames().stream()
                .map(SseFrame::data)
                .map(data -> Json.MAPPER.readTree(data).get("type").asString())
                .toList();
    }

    private List<String> usage() {
        return server.select("""
                select concat_ws('|', request, provider, model, input_tokens, output_tokens, trim_scale(cost), currency)
                from model_usage where thread_id = '%s' order by task_id, request""".formatted(session));
    }

    private JsonNode stop(Object body) {
        ChatCaller.Reply reply = user.post("/sessions/" + session + "/stop", body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.body();
    }

    @Test
    void questionPostedFirstPrecedesAStoppedAnswer() {
        user.post(
                "/sessions/" + session + "/chat-events",
                Map.of(
                        "message",
                        Map.of("id", "q1", "role", "user", "content", "数到一百"),
                        "run_id",
                        "r1",
                        "agent_name",
                        "Reader"));
        run("r1").say(event("RunStarted", "r1"), content("r1", "1 2 3"));
        assertThat(user.post("/sessions/" + session + "/stop", Map.of("run_id", "r1"))
                        .body()
                        .path("status")
                        .asString())
                .isEqualTo("accepted");

        assertThat(rows())
                .extracting(row -> row.path("role").asString()
                        + row.path("sender_id").asString().startsWith("user:")
                        + row.path("partial").asBoolean())
                .containsExactly("usertruefalse", "assistantfalsetrue");
        assertThat(user.get("/chat/threads/" + session).body().path("title").asString())
                .isEqualTo("数到一百");
    }

    @Test
    void messagesOfAStreamedRunHaveTheUsageOfTheirRequestsAndIdsOfVersion7() {
        run("r1")
                .say(
                        event("RunStarted", "r1", "model", "gpt-4o", "model_provider", "OpenAI"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 50, "output_tokens", 7),
                        event("ToolCallStarted", "r1", "tool", tool("c1", "add", Map.of("a", 1), null, false)))
                .say(
                        event("ToolCallCompleted", "r1", "tool", tool("c1", "add", Map.of("a", 1), "3", false)),
                        content("r1", "是三"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 82, "output_tokens", 22),
                        event("RunCompleted", "r1", "content", "是三"));

        List<JsonNode> rows = rows();
        assertThat(rows)
                .extracting(row ->
                        row.path("role").asString() + " " + row.path("input_tokens") + "/" + row.path("output_tokens"))
                .containsExactly("assistant 50/7", "tool null/null", "assistant 82/22");
        assertThat(rows.getLast().path("cost").decimalValue()).isEqualByComparingTo("0.000576");
        assertThat(rows.getLast().path("cost_currency").asString()).isEqualTo("ZAR");
        assertThat(rows.getLast().at("/message_data/metrics/total_tokens").asInt())
                .isEqualTo(104);
        assertThat(messages().getLast().at("/usage/input_tokens").asInt()).isEqualTo(82);
        assertThat(rows)
                .allMatch(row -> UUID.fromString(row.path("id").asString()).version() == 7);
        assertThat(rows()).as("read again").isEqualTo(rows);
    }

    @Test
    void requestsOfMembersStandOnTheirOwnMessages() {
        new AgnoStreamer(user, session, "t1")
                .say(
                        event("TeamRunStarted", "t1", "team_id", "council", "team_name", "Council"),
                        event("TeamModelRequestCompleted", "t1", "input_tokens", 1, "output_tokens", 1),
                        event("RunStarted", "m1", "agent_id", "ada", "agent_name", "Ada", "parent_run_id", "t1"),
                        event("ModelRequestCompleted", "m1", "input_tokens", 2, "output_tokens", 2),
                        event("ToolCallStarted", "m1", "tool", tool("c1", "add", Map.of(), null, false)),
                        event("ToolCallCompleted", "m1", "tool", tool("c1", "add", Map.of(), "3", false)),
                        content("m1", "Three"),
                        event("ModelRequestCompleted", "m1", "input_tokens", 3, "output_tokens", 3),
                        event("RunCompleted", "m1", "content", "Three"),
                        event("TeamRunContent", "t1", "content", "Yes"),
                        event("TeamModelRequestCompleted", "t1", "input_tokens", 4, "output_tokens", 4),
                        event("TeamRunCompleted", "t1", "content", "Yes"));

        assertThat(rows().stream()
                        .filter(row -> row.path("role").asString().equals("assistant"))
                        .map(row -> row.path("agent_name").asString("") + row.path("input_tokens")))
                .containsExactly("Ada2", "Ada3", "5");
    }

    @Test
    void totalOfARunStandsOnItsLastMessageUnlessItsRequestsWereReported() {
        run("r1")
                .say(
                        content("r1", "Hello"),
                        event("RunCompleted", "r1", "metrics", Map.of("input_tokens", 9, "output_tokens", 3)));
        assertThat(rows().getLast().path("input_tokens").asInt()).isEqualTo(9);
    }

    @Test
    void metricsOfAnAppendedMessageCountBeforeStreamedUsage() {
        run("r1")
                .say(
                        content("r1", "Hello"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 5, "output_tokens", 2),
                        event("RunCompleted", "r1", "content", "Hello"));
        String plain = "{\"id\":\"a1\",\"role\":\"assistant\",\"content\":\"Hello\"}";
        String path = "/sessions/" + session + "/chat-events";
        user.post(path, Map.of("message", Json.MAPPER.readTree(plain), "run_id", "r1"));
        assertThat(rows().getLast().path("message_id").asString()).isEqualTo("a1");
        assertThat(rows().getLast().path("input_tokens").asInt()).isEqualTo(5);
        assertThat(rows().getLast().path("message_data")).isEqualTo(Json.MAPPER.readTree(plain));
    }

    private List<JsonNode> rows() {
        return user.get("/sessions/" + session + "/chat-events")
                .body()
                .path("chat_events")
                .valueStream()
                .toList();
    }

    @Test
    void agentIsNamedByItsEvents() {
        new AgnoStreamer(user, session, "r1")
                .say(
                        event("RunStarted", "r1", "agent_id", "counter", "agent_name", "计数器"),
                        content("r1", "1 2 3"),
                        event("RunCompleted", "r1", "content", "1 2 3"));
        new AgnoStreamer(user, session, "r2")
                .say(
                        event("TeamRunStarted", "r2", "team_id", "council", "team_name", "Council"),
                        event("TeamRunContent", "r2", "content", "Yes."),
                        event("TeamRunCompleted", "r2", "content", "Yes."));

        new AgnoStreamer(user, session, "r3")
                .say(
                        content("r3", "早"),
                        event("RunContent", "r3", "content", "上", "agent_id", "late", "agent_name", "Late"),
                        event("RunCompleted", "r3", "content", "早上"));

        List<String> names = user.get("/chat/threads/" + session)
                .body()
                .path("participants")
                .valueStream()
                .map(each -> each.path("display_name").asString())
                .toList();
        assertThat(names).contains("计数器", "Council", "Late").doesNotContain("Agent");
    }

    @Test
    void viewersSeeEventsWhileTheyAreStreamed() {
        AgnoStreamer run = run("r1").say(event("RunStarted", "r1", "model", "gpt-4o", "model_provider", "OpenAI"));
        assertThat(run.epoch()).isEqualTo(1);
        assertThat(state("r1")).isEqualTo("running");
        try (StreamTap tap = watch("r1")) {
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
            assertThat(types(tap))
                    .startsWith("RUN_STARTED", "TEXT_MESSAGE_START")
                    .endsWith("CUSTOM", "TEXT_MESSAGE_END", "RUN_FINISHED");
            assertThat(contents()).containsExactly(expected);
        }
        JsonNode message = messages().getFirst();
        assertThat(user.get("/chat/threads/" + session)
                        .body()
                        .get("participants")
                        .valueStream()
                        .filter(each -> each.get("sender_id").equals(message.get("sender_id")))
                        .map(each -> each.get("display_name").asString()))
                .containsExactly("Reader");
        assertThat(state("r1")).isEqualTo("completed");
        assertThat(usage()).containsExactly("6|OpenAI|gpt-4o|1000|10|0.00315|ZAR");
        assertThat(server.select("""
                        select concat_ws('|', run_id, agent_id, agent_name, model, model_provider) from session_runs
                        where thread_id = '%s'""".formatted(session))).containsExactly("r1|reader|Reader|gpt-4o|OpenAI");
    }

    @Test
    void sessionMayHaveAnyName() {
        String name = "séance 中/文 👋";
        ChatCaller.Reply opened = new AgnoStreamer(user, name, "läuft/1", "team_name", "Desk")
                .post(null, 0, List.of(event("TeamRunCompleted", "läuft/1", "content", "done")));
        assertThat(opened.status()).as(opened.toString()).isEqualTo(200);
        assertThat(opened.body().toString()).isEqualTo("{\"epoch\":1,\"next\":1,\"stop\":true}");
        // The session of this name of another owner is another one.
        ChatCaller other = ChatCaller.user(server, "Other");
        assertThat(new AgnoStreamer(other, name, "läuft/1")
                        .post(1, 1, List.of())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void postsMayBeRepeated() {
        AgnoStreamer run = run("r1");
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
        assertThat(contents()).containsExactly("abc");
    }

    @Test
    void unreadableEventsOpenNoRun() {
        ChatCaller.Reply refused = run("r1").post(null, 0, List.of(content("r1", "a"), Map.of("content", "b")));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().toString()).contains("events[1].event");
        assertThat(user.get("/chat/threads/" + session).status()).isEqualTo(404);
        assertThat(run("r".repeat(129)).post(null, 0, List.of()).status()).isEqualTo(400);
        assertThat(run("r1").post(null, -1, List.of()).status()).isEqualTo(400);
        assertThat(run("r1").post(null, 0, Collections.singletonList(null)).status())
                .isEqualTo(400);
        assertThat(run("r1")
                        .post(null, 0, Collections.nCopies(20_001, Map.of("event", "x")))
                        .status())
                .isEqualTo(400);
        assertThat(run("r1").post(null, 4, List.of()).status()).isEqualTo(404);
        assertThat(user.post("/sessions/" + session + "/stop", Map.of()).status())
                .isEqualTo(404);
    }

    @Test
    void stoppedRunTakesNoMoreEvents() {
        AgnoStreamer one = run("r1").say(content("r1", "half"));
        AgnoStreamer two = run("r2").say(content("r2", "other"));
        assertThat(stop(Map.of("run_id", "r1")).toString()).isEqualTo("{\"status\":\"accepted\",\"stopped\":[\"r1\"]}");
        JsonNode told = one.unheard(content("r1", "more")).body();
        assertThat(told.get("stop").asBoolean()).isTrue();
        assertThat(stop(Map.of("run_id", "r1")).get("status").asString()).isEqualTo("finished");
        assertThat(stop(Map.of("run_id", "never")).get("status").asString()).isEqualTo("unknown");
        assertThat(stop(Map.of()).toString()).isEqualTo("{\"status\":\"accepted\",\"stopped\":[\"r2\"]}");
        assertThat(two.unheard().body().get("stop").asBoolean()).isTrue();
        assertThat(stop(Map.of()).toString()).isEqualTo("{\"status\":\"finished\",\"stopped\":[]}");
        assertThat(contents()).containsExactly("half", "other");
        assertThat(messages())
                .allSatisfy(each ->
                        assertThat(each.at("/metadata/partial").asBoolean()).isTrue());
    }

    @Test
    void cancelledRunStaysCancelled() {
        AgnoStreamer run = run("r1").say(content("r1", "half"));
        assertThat(run.unheard(event("RunCancelled", "r1", "reason", "user asked"))
                        .body()
                        .get("stop")
                        .asBoolean())
                .isTrue();
        run.post(1, 2, List.of(event("RunCompleted", "r1", "content", "half", "metrics", Map.of("input_tokens", 9))));
        assertThat(state("r1")).isEqualTo("cancelled");
        assertThat(contents()).containsExactly("half");
        assertThat(usage()).isEmpty();
    }

    @Test
    void teamStreamsWithItsMembers() {
        AgnoStreamer team = new AgnoStreamer(user, session, "t1", "team_name", "Desk");
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
        assertThat(state("t1")).isEqualTo("running");
        team.say(
                event("TeamRunContent", "t1", "content", "Here it is."),
                event("TeamRunCompleted", "t1", "content", "Here it is.", "metrics", Map.of("input_tokens", 5)));
        assertThat(state("t1")).isEqualTo("completed");
        assertThat(state("m1")).isEqualTo("failed");
        assertThat(state("m2")).isEqualTo("completed");
        assertThat(messages().stream()
                        .map(each -> each.at("/metadata/agent_name").asString("-") + ": "
                                + each.get("content").asString()))
                .containsExactly("-: ", "Reader: I read.", "Writer: I write.", "-: I write.", "-: Here it is.");
        assertThat(usage()).containsExactly("6||gpt-4o|10|1|0.000045|ZAR");
        assertThat(server.select("""
                        select concat_ws('|', run_id, parent_run_id, agent_name, team_name) from session_runs
                        where thread_id = '%s' order by number""".formatted(session))).containsExactly("t1|Desk", "m1|t1|Reader", "m2|t1|Writer");
    }

    @Test
    void totalCountsOnlyWithoutRequests() {
        run("r1")
                .say(
                        event("RunStarted", "r1", "model", "gpt-4o-mini", "model_provider", "OpenAI"),
                        event(
                                "RunCompleted",
                                "r1",
                                "content",
                                "x",
                                "metrics",
                                Map.of("input_tokens", 1000, "output_tokens", 10)));
        assertThat(usage()).containsExactly("1|OpenAI|gpt-4o-mini|1000|10|0.00102|ZAR");
        run("r2").say(event("RunCompleted", "r2", "content", "x", "metrics", Map.of("input_tokens", 7, "cost", 0.5)));
        assertThat(usage()).contains("0|||7|0.5|USD");
        run("r3")
                .say(
                        event("ModelRequestCompleted", "r3", "input_tokens", 3, "output_tokens", 1),
                        event("ModelRequestCompleted", "r3", "model", "gpt-4o", "input_tokens", 4),
                        event("RunCompleted", "r3", "content", "x", "metrics", Map.of("input_tokens", 70)));
        assertThat(usage())
                .as("reported in one post")
                .hasSize(4)
                .contains("0|||3|1")
                .anyMatch(row -> row.startsWith("1||gpt-4o|4|"));
    }

    @Test
    void pausedRunWaitsAndGoesOn() {
        AgnoStreamer run = run("r1").say(content("r1", "May I? "));
        Map<String, Object> pause = event(
                "RunPaused",
                "r1",
                "tools",
                List.of(tool("c1", "send", Map.of(), null, false)),
                "requirements",
                List.of());
        try (StreamTap tap = watch("r1")) {
            // Its answer is lost, so it is sent again under the epoch that the driver knows.
            assertThat(run.unheard(pause).status()).isEqualTo(200);
            ChatCaller.Reply again = run.unheard(pause);
            assertThat(again.status()).as(again.toString()).isEqualTo(200);
            run.say(pause);
            assertThat(state("r1")).isEqualTo("waiting");
            await().atMost(LIMIT).until(() -> tap.frames().getLast().data().contains("\"RunPaused\""));
            run.say();
            assertThat(state("r1")).as("a heartbeat resumes no run").isEqualTo("waiting");
            assertThat(server.count("select count(*) from runs where lease_until is not null and run_id = 'r1'"
                            + " and thread_id = '" + session + "'"))
                    .isZero();
            Map<String, Object> goOn = event("RunContinued", "r1");
            assertThat(run.unheard(goOn).status()).isEqualTo(200);
            run.say(goOn);
            assertThat(state("r1")).isEqualTo("running");
            run.say(content("r1", "Thanks."), event("RunPaused", "r1"));
            assertThat(state("r1")).isEqualTo("waiting");
            run.say(event("RunContinued", "r1"), event("RunPaused", "r1"));
            run.say(event("RunContinued", "r1"), event("RunCompleted", "r1"));
            await().atMost(LIMIT).until(tap::ended);
        }
        assertThat(state("r1")).isEqualTo("completed");
        assertThat(contents()).containsExactly("May I? Thanks.");
    }

    /** A pause holds until the next event, in the same post or a day later. */
    @Test
    void eventAfterAPauseResumesTheRun() {
        AgnoStreamer run =
                run("r1").say(content("r1", "May I? "), event("RunPaused", "r1"), event("RunContinued", "r1"));
        assertThat(state("r1")).isEqualTo("running");
        run.say(event("RunPaused", "r1"), content("r1", "I may. "));
        assertThat(state("r1")).isEqualTo("running");
        run.say(event("RunPaused", "r1"), event("RunCompleted", "r1"));
        assertThat(state("r1")).isEqualTo("completed");
        assertThat(contents()).containsExactly("May I? I may. ");
    }

    /** A waiting run is not silent and uses no run time, however long its person takes. */
    @Test
    void waitingCostsNoTime() {
        AgnoStreamer waiting = run("waits").say(content("waits", "May I? "), event("RunPaused", "waits"));
        run("late").say(content("late", "on and on"));
        String old = "update runs set started_at = now() - interval '2 days' where thread_id = '" + session + "'";
        server.execute(old);
        await().atMost(LIMIT).until(() -> state("late").equals("failed"));
        assertThat(state("waits")).isEqualTo("waiting");
        waiting.say(event("RunContinued", "waits"));
        run("late2").say(content("late2", "on and on"));
        server.execute(old + " and run_id = 'late2'");
        await().atMost(LIMIT).until(() -> state("late2").equals("failed"));
        waiting.say(event("RunCompleted", "waits"));
        assertThat(state("waits")).isEqualTo("completed");
    }

    @Test
    void waitingRunCanBeStopped() {
        AgnoStreamer run = run("r1").say(content("r1", "May I?"), event("RunPaused", "r1"));
        assertThat(stop(Map.of()).get("stopped").toString()).isEqualTo("[\"r1\"]");
        assertThat(run.unheard(event("RunContinued", "r1")).body().get("stop").asBoolean())
                .isTrue();
        assertThat(state("r1")).isEqualTo("cancelled");
    }

    @Test
    void concurrentRunsOfOneSessionAreStreamed() throws Exception {
        List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
        List<Thread> drivers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = "r" + i;
            drivers.add(Thread.startVirtualThread(() -> {
                try {
                    AgnoStreamer run = new AgnoStreamer(user, session, id, "agent_id", "agent-" + id.length());
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
        assertThat(contents())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20)
                        .mapToObj(i -> IntStream.range(0, 10)
                                .mapToObj(n -> "r" + i + "." + n + " ")
                                .reduce("", String::concat))
                        .toList());
        assertThat(messages().stream().map(each -> each.get("thread_seq").asLong()))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf).toList());
    }

    @Test
    void anotherCallerCannotDriveTheRun() {
        run("r1").say(content("r1", "mine"));
        ChatCaller stranger = ChatCaller.user(server, "Stranger");
        assertThat(new AgnoStreamer(stranger, session, "r1")
                        .post(1, 1, List.of())
                        .status())
                .isEqualTo(404);
        user.post(
                "/chat/threads/" + session + "/participants",
                Map.of("sender_ids", List.of(stranger.actor().value())));
        assertThat(new AgnoStreamer(stranger, session, "r1")
                        .post(1, 1, List.of())
                        .slug())
                .isIn("run-taken-over", "forbidden");
        ChatCaller.Agent agent = user.newAgent("Outside", "observe", "speak", "run");
        user.post(
                "/chat/threads/" + session + "/participants",
                Map.of("sender_ids", List.of(agent.actor().value())));
        assertThat(new AgnoStreamer(agent.api(), session, "r1")
                        .post(1, 1, List.of())
                        .slug())
                .isEqualTo("run-taken-over");
        // The driver's own agent may post, its owner may not.
        AgnoStreamer own = new AgnoStreamer(agent.api(), session, "own").say(content("own", "as myself"));
        assertThat(run("own").post(1, 1, List.of()).slug()).isEqualTo("run-taken-over");
        own.say(event("RunCompleted", "own"));
        assertThat(messages().getLast().get("sender_id").asString())
                .isEqualTo(agent.actor().value());
    }

    /** A user that asks an agent of its own process for a run does not thereby drive it. */
    @Test
    void requestedRunBelongsToItsAgent() {
        ChatCaller.Agent agent = user.newAgent("Outside", "observe", "speak", "run");
        session = user.newThread(agent.api()).threadId().toString();
        ChatCaller.Reply asked = user.post(
                "/agent/runs",
                Map.of(
                        "threadId", session,
                        "runId", "asked",
                        "messages", List.of(Map.of("id", "u1", "role", "user", "content", "please")),
                        "tools", List.of(),
                        "context", List.of(),
                        "state", Map.of(),
                        "forwardedProps",
                                Map.of("agentId", agent.view().agentId().toString())));
        assertThat(asked.status()).as(asked.toString()).isEqualTo(202);
        assertThat(run("asked").post(null, 0, List.of(content("asked", "x"))).slug())
                .isEqualTo("run-taken-over");
        new AgnoStreamer(agent.api(), session, "asked").say(content("asked", "yes"), event("RunCompleted", "asked"));
        assertThat(contents()).containsExactly("please", "yes");
    }

    @Test
    void runAndManageScopesAreRequired() {
        ChatCaller.Agent reader = user.newAgent("Reads", "observe", "speak");
        assertThat(new AgnoStreamer(reader.api(), session, "r")
                        .post(null, 0, List.of())
                        .status())
                .isEqualTo(403);
        ChatCaller.Agent runner = user.newAgent("Runs", "observe", "speak", "run");
        assertThat(new AgnoStreamer(runner.api(), session, "r")
                        .post(null, 0, List.of())
                        .status())
                .as("no right to make a session")
                .isEqualTo(403);
        ChatCaller.Agent maker = user.newAgent("Makes", "observe", "speak", "run", "manage_thread");
        new AgnoStreamer(maker.api(), session, "r").say(event("RunCompleted", "r", "content", "hello"));
        assertThat(contents()).as("the owner takes part as well").containsExactly("hello");
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
        ChatCaller.Reply reply = run("r1").post(null, 0, deltas);
        assertThat(reply.body().toString()).isEqualTo("{\"epoch\":1,\"next\":10001,\"stop\":true}");
        assertThat(server.select("select content from entries where thread_id = '" + session + "'"))
                .containsExactly(expected.toString());
        AgnoStreamer odd = run("r2");
        odd.say(
                content("r2", "a\u0000b"),
                content("r2", "\ud83d"),
                content("r2", "\udc4b \ud800!"),
                event("CustomEvent", "r2", "text", "\u0000\ud800", "n", 1e300),
                event("ToolCallStarted", "r2", "tool", tool("\u0000", "\ud800", "\u0000", null, false)),
                event("RunStarted", "x\u0000".repeat(200), "agent_name", "\u0000"),
                event("ModelRequestCompleted", "r2", "model", "\u0000", "input_tokens", -5),
                event("RunError", "r2", "content", "\u0000\ud800", "error_type", "\u0000"));
        assertThat(state("r2")).isEqualTo("failed");
        assertThat(messages().stream().map(each -> each.get("content").asString()))
                .contains("a\ufffdb👋 \ufffd!");
    }
}
