package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs without an executing node come to an end, and a server with active runs stops. */
class RunRescueTest {
    private static final Duration RESCUE = Duration.ofSeconds(60);

    private final String thread = UUID.randomUUID().toString();

    private static void awaitRunning(AgentCaller caller, String thread, String run) {
        await().until(() -> caller.run(thread, run).get("state").asString().equals("running"));
    }

    /** Waits until the run has visible output. */
    private void awaitVisible(AgentCaller caller, String run) {
        caller.frames(
                "/api/v1/agent/runs/" + thread + "/events?runId=" + run,
                frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
    }

    @Test
    void runsOfADeadNodeAreStoredOrBegunAgain() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "visible", "/slow 3000");
            awaitVisible(caller, "visible");
            String other = UUID.randomUUID().toString();
            caller.start(other, "unseen", "hello");
            caller.follow(other, "unseen");
            // As a dead node leaves them: one in the middle of its answer, one that has only begun.
            server.execute(
                    "update runs set node = gen_random_uuid(), epoch = epoch + 1 where run_id = 'visible'",
                    "delete from events where run = (select task_id from runs where run_id = 'unseen')"
                            + " and payload not like '{\"type\":\"RUN_STARTED\"%'",
                    "update runs set state = 'running', node = gen_random_uuid(), ended_at = null where run_id = 'unseen'",
                    "update thread_heads set facts = facts + 1");
            List<AgentCaller.Frame> frames = caller.follow(thread, "visible");
            assertThat(frames.getLast().type()).isEqualTo("RUN_ERROR");
            assertThat(frames.getLast().data().get("code").asString()).isEqualTo("interrupted");
            JsonNode partial = caller.messages(thread).getLast();
            assertThat(partial.at("/metadata/partial").asBoolean()).isTrue();
            assertThat(partial.get("content").asString())
                    .isEqualTo(AgentCaller.texts(frames).values().iterator().next());
            await().atMost(RESCUE)
                    .until(() ->
                            caller.run(other, "unseen").get("state").asString().equals("completed"));
            assertThat(caller.run(other, "unseen").get("attempts").asInt()).isEqualTo(2);
            assertThat(caller.follow(other, "unseen").stream()
                            .filter(frame -> frame.type().equals("RUN_STARTED")))
                    .hasSize(1);
        }
    }

    @Test
    void aRunThatTakesTooLongIsEnded() {
        try (RunningServer server = RunningServer.start("--limit-run-time", "2s")) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "slow", "/slow 3000");
            List<AgentCaller.Frame> frames = caller.follow(thread, "slow");
            assertThat(frames.getLast().data().get("code").asString()).isEqualTo("timeout");
            assertThat(caller.run(thread, "slow").get("state").asString()).isEqualTo("failed");
            // The agent's slot is free again.
            caller.start(thread, "next", "hello");
            assertThat(AgentCaller.texts(caller.follow(thread, "next")).values())
                    .containsExactly("You said: hello");
        }
    }

    @Test
    void runWithTooMuchTextIsEnded() {
        try (RunningServer server = RunningServer.start("--limit-run-output", "100")) {
            AgentCaller caller = AgentCaller.somebody(server);
            for (String text : List.of("word ".repeat(100), "x".repeat(10_000))) {
                String run = "long-" + text.length();
                caller.start(thread, run, text);
                List<AgentCaller.Frame> frames = caller.follow(thread, run);
                assertThat(frames.getLast().data().get("code").asString()).isEqualTo("output_limit");
                assertThat(caller.messages(thread).getLast().get("content").asString())
                        .isEqualTo(AgentCaller.texts(frames).values().iterator().next());
            }
        }
    }

    @Test
    void stoppingServerLetsRunsFinishOrStoresTheirText() throws Exception {
        try (RunningServer server = RunningServer.start("--shutdown-grace", "2s")) {
            AgentCaller caller = AgentCaller.somebody(server);
            String brief = UUID.randomUUID().toString();
            caller.start(thread, "slow", "/slow 3000");
            awaitVisible(caller, "slow");
            caller.start(brief, "brief", "/slow 10");
            awaitRunning(caller, brief, "brief");
            server.server().close();
            assertThat(server.select("select state || ' ' || coalesce(error_code, '') from runs where run_id = 'slow'"))
                    .containsExactly("failed interrupted");
            assertThat(server.select("select state from runs where run_id = 'brief'"))
                    .containsExactly("completed");
            assertThat(server.select("select metadata ->> 'partial' from entries where role = 'assistant'"
                            + " and thread_id = '" + thread + "'"))
                    .containsExactly("true");
            assertThat(server.count("select count(*) from nodes")).isZero();
        }
    }
}
