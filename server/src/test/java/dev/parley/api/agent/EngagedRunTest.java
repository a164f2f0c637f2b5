package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages start runs of the agents that should answer them. */
class EngagedRunTest {
    private static final String DEMO = "agent:00000000-0000-7000-8000-0000000000de";

    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);

    private String thread(Map<String, Object> wish) {
        return caller.api()
                .post("/api/v1/chat/threads", Json.MAPPER.writeValueAsString(wish))
                .text("thread_id");
    }

    private JsonNode post(String thread, String text) {
        Api.Reply posted = caller.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        Json.MAPPER.writeValueAsString(Map.of("content", text)));
        assertThat(posted.status()).as(posted.toString()).isEqualTo(201);
        return posted.json();
    }

    @Test
    void aMessageInTheChatIsAnswered() {
        String thread = thread(Map.of("participants", List.of(DEMO)));
        JsonNode engagement = post(thread, "hello").at("/engagement/0");
        assertThat(engagement.get("should_respond").asBoolean()).isTrue();
        String run = engagement.get("run_id").asString();
        assertThat(run).startsWith("run_");
        assertThat(AgentCaller.texts(caller.follow(thread, run)).values()).containsExactly("You said: hello");
        assertThat(caller.messages(thread))
                .extracting(message -> message.get("content").asString())
                .containsExactly("hello", "You said: hello");
        assertThat(caller.run(thread, run).at("/triggers/0").asLong()).isEqualTo(1);
        // The thread's events include it, too.
        assertThat(caller.api()
                        .get("/api/v1/chat/threads/" + thread + "/events")
                        .json()
                        .get("events"))
                .filteredOn(event -> event.get("event_type").asString().equals("run_updated"))
                .allSatisfy(event -> {
                    assertThat(event.get("run_id").asString()).isEqualTo(run);
                    assertThat(event.get("agent").asString()).isEqualTo(DEMO);
                })
                .extracting(event -> event.get("state").asString())
                .containsExactly("queued", "running", "completed");
    }

    @Test
    void unaddressedAgentDoesNotAnswer() {
        String thread = thread(Map.of("participants", List.of(DEMO), "participation_mode", "invocation_only"));
        assertThat(post(thread, "hello").at("/engagement/0/run_id").isMissingNode())
                .isTrue();
        String run =
                post(thread, "@Demo /card Title").at("/engagement/0/run_id").asString();
        caller.follow(thread, run);
        assertThat(caller.messages(thread)
                        .getLast()
                        .at("/metadata/worker_agent_output/ui_hints/title")
                        .asString())
                .isEqualTo("Title");
    }

    @Test
    void messagesThatWaitAreAnsweredTogetherAndInOrder() {
        String thread = thread(Map.of("participants", List.of(DEMO)));
        String slow = post(thread, "/slow 2000").at("/engagement/0/run_id").asString();
        await().until(() -> caller.run(thread, slow).get("state").asString().equals("running"));
        List<String> runs = new ArrayList<>();
        for (String text : List.of("one", "two", "three")) {
            runs.add(post(thread, text).at("/engagement/0/run_id").asString());
        }
        assertThat(runs).doesNotContain(slow).allMatch(runs.getFirst()::equals);
        // A run that was requested by name is a run of its own, and its message is not answered twice.
        assertThat(caller.start(thread, "named", "four").status()).isEqualTo(202);
        caller.cancel(thread, slow);
        assertThat(AgentCaller.texts(caller.follow(thread, runs.getFirst())).values())
                .containsExactly("You said: one\ntwo\nthree");
        assertThat(AgentCaller.texts(caller.follow(thread, "named")).values()).containsExactly("You said: four");
        assertThat(caller.run(thread, runs.getFirst()).get("triggers").size()).isEqualTo(3);
        List<JsonNode> messages = caller.messages(thread);
        JsonNode four = messages.stream()
                .filter(message -> message.get("content").asString().equals("four"))
                .findFirst()
                .orElseThrow();
        assertThat(four.at("/engagement/0/run_id").asString()).isEqualTo("named");
        assertThat(four.at("/engagement/0/reason").asString()).isEqualTo("run");
    }

    /** A message is answered by some run, whether it came before or after the claim of one. */
    @Test
    void noMessageOfABurstIsLeftWithoutAnAnswer() {
        String thread = thread(Map.of("participants", List.of(DEMO)));
        Map<String, String> runs = new LinkedHashMap<>();
        for (int i = 0; i < 40; i++) {
            runs.put(
                    "word" + i,
                    post(thread, "word" + i).at("/engagement/0/run_id").asString());
        }
        Map<String, String> answers = new LinkedHashMap<>();
        runs.values().stream()
                .distinct()
                .forEach(run -> answers.put(
                        run,
                        AgentCaller.texts(caller.follow(thread, run))
                                .values()
                                .iterator()
                                .next()));
        runs.forEach((word, run) -> assertThat(answers.get(run)).containsPattern(word + "\\b"));
    }

    @Test
    void queuedRunOfARemovedAgentDoesNotBegin() {
        String thread = thread(Map.of("participants", List.of(DEMO)));
        String slow = post(thread, "/slow 2000").at("/engagement/0/run_id").asString();
        await().until(() -> caller.run(thread, slow).get("state").asString().equals("running"));
        String waiting = post(thread, "hello").at("/engagement/0/run_id").asString();
        assertThat(caller.api()
                        .delete("/api/v1/chat/threads/" + thread + "/participants/" + DEMO)
                        .status())
                .isEqualTo(200);
        // Active runs end properly, queued runs do not begin.
        assertThat(caller.cancel(thread, slow).text("status")).isEqualTo("accepted");
        List<AgentCaller.Frame> frames = caller.follow(thread, waiting);
        assertThat(frames.getLast().data().get("code").asString()).isEqualTo("agent_removed");
    }

    @Test
    void aDeletedThreadEndsItsRuns() {
        String thread = UUID.randomUUID().toString();
        caller.start(thread, "slow", "/slow 2000");
        await().until(() -> caller.run(thread, "slow").get("state").asString().equals("running"));
        assertThat(caller.api().delete("/api/v1/chat/threads/" + thread).status())
                .isEqualTo(200);
        assertThat(caller.start(thread, "more", "hello").status()).isEqualTo(404);
        long rows = server.count("select count(*) from events where run is not null and thread_id = '" + thread + "'");
        await().during(Duration.ofMillis(500))
                .until(() -> server.count(
                                "select count(*) from events where run is not null and thread_id = '" + thread + "'")
                        <= rows);
    }
}
