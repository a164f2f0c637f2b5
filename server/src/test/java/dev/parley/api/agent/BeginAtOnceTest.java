package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A run begins with its start if no run or limit is in its way, and waits for its turn otherwise. */
class BeginAtOnceTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String DEMO = "agent:00000000-0000-7000-8000-0000000000de";

    private final String thread = UUID.randomUUID().toString();

    @Test
    void aRunInAQuietThreadIsRunningFromTheFirst() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "first", "Hello");
            caller.follow(thread, "first");
            assertThat(states(caller, "first")).containsExactly("running", "completed");
            // Its message, its state, its first event: one transaction, so one command.
            assertThat(
                            server.count(
                                    "select count(distinct e.command_id) from events e, runs r"
                                            + " where r.run_id = 'first' and e.position between r.first_position - 1 and r.first_position"))
                    .isEqualTo(1);
            assertThat(caller.follow(thread, "first").getFirst().type()).isEqualTo("RUN_STARTED");
            assertThat(caller.run(thread, "first").get("attempts").asInt()).isEqualTo(1);
        }
    }

    @Test
    void startDuringAnActiveRunWaits() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "long", "/slow 40");
            caller.start(thread, "next", "Hello");
            caller.follow(thread, "next");
            assertThat(states(caller, "long")).containsExactly("running", "completed");
            assertThat(states(caller, "next")).containsExactly("queued", "running", "completed");
            assertThat(caller.messages(thread))
                    .extracting(message -> message.get("role").asString())
                    .containsExactly("user", "user", "assistant", "assistant");
        }
    }

    @Test
    void runWithoutAFreeSlotWaitsForOne() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "1")) {
            AgentCaller caller = AgentCaller.somebody(server);
            String other = UUID.randomUUID().toString();
            caller.start(thread, "long", "/slow 40");
            caller.start(other, "next", "Hello");
            caller.follow(other, "next");
            assertThat(server.select("select payload from events where type = 'run_updated' and thread_id = '" + other
                            + "' order by position"))
                    .hasSize(3)
                    .first()
                    .asString()
                    .contains("queued");
        }
    }

    @Test
    void anAgentThatMayNotRunIsNotAsked() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "first", "Hello");
            caller.follow(thread, "first");
            server.execute(
                    "update participants set capabilities = 1 where thread_id = '" + thread + "' and actor = '" + DEMO
                            + "'",
                    "update thread_heads set facts = facts + 1 where thread_id = '" + thread + "'");
            assertThat(caller.start(thread, "second", "Hello?").status()).isEqualTo(202);
            await().atMost(LIMIT)
                    .until(() ->
                            caller.run(thread, "second").get("state").asString().equals("failed"));
            assertThat(caller.follow(thread, "second")).last().matches(AgentCaller.Frame::isTerminal);
            assertThat(caller.messages(thread)).hasSize(3);
        }
    }

    @Test
    void contextOfARunEndsWithItsOwnQuestion() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "first", "One");
            caller.follow(thread, "first");
            caller.start(thread, "second", "/slow 40");
            caller.api().post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"Later\"}");
            caller.follow(thread, "second");
            assertThat(caller.api()
                            .get("/api/v1/agent/threads/" + thread + "/runs/second/context")
                            .json()
                            .get("messages")
                            .valueStream()
                            .map(message -> message.get("content").toString()))
                    .hasSize(3)
                    .noneMatch(content -> content.contains("Later"))
                    .last()
                    .asString()
                    .contains("/slow 40");
        }
    }

    @Test
    void refusedStartTakesNoSlot() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "1")) {
            AgentCaller caller = AgentCaller.somebody(server);
            // The end of a run is seen a moment before its slot is free.
            await().atMost(LIMIT).until(() -> beginsAtOnce(caller, "run-" + UUID.randomUUID()));
            await().atMost(LIMIT).until(() -> beginsAtOnce(caller, "run-" + UUID.randomUUID()));
            Map<String, Object> deciding = AgentCaller.input(thread, "second", "Hello");
            deciding.put("resume", List.of(Map.of("interruptId", "nothing", "status", "resolved")));
            assertThat(caller.start(deciding).status()).isEqualTo(400);
            await().atMost(LIMIT).until(() -> beginsAtOnce(caller, "run-" + UUID.randomUUID()));
        }
    }

    private boolean beginsAtOnce(AgentCaller caller, String run) {
        caller.start(thread, run, "Hello");
        caller.follow(thread, run);
        return states(caller, run).equals(List.of("running", "completed"));
    }

    private List<String> states(AgentCaller caller, String run) {
        return caller.server()
                .select("select payload::json ->> 'state' from events where type = 'run_updated' and thread_id = '"
                        + thread + "' and payload::json ->> 'run_id' = '" + run + "' order by position");
    }
}
