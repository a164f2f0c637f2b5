package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The run slots of a node are shared: a caller who starts many runs waits, and others do not. */
class FairRunsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String DEMO = "00000000-0000-7000-8000-0000000000de";
    private static final String ENDLESS = "/slow 100000";

    private static List<String> threads(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> UUID.randomUUID().toString())
                .toList();
    }

    private static long running(AgentCaller caller, List<String> threads) {
        return threads.stream()
                .filter(thread -> state(caller, thread).equals("running"))
                .count();
    }

    private static String state(AgentCaller caller, String thread) {
        return caller.run(thread, "run").get("state").asString();
    }

    private static void startAll(AgentCaller caller, List<String> threads, String text) {
        threads.forEach(
                thread -> assertThat(caller.start(thread, "run", text).status()).isEqualTo(202));
    }

    private static void awaitRunning(AgentCaller caller, List<String> threads, int count) {
        await().atMost(LIMIT).until(() -> running(caller, threads) == count);
    }

    @Test
    void greedyCallerGetsHalfOfTheSlotsAndOthersTheRest() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "6")) {
            AgentCaller greedy = AgentCaller.somebody(server);
            AgentCaller other = AgentCaller.somebody(server);
            List<String> many = threads(12);
            startAll(greedy, many, ENDLESS);
            awaitRunning(greedy, many, 3);

            List<String> few = threads(1);
            startAll(other, few, "Hello");
            other.follow(few.getFirst(), "run");
            assertThat(state(other, few.getFirst())).isEqualTo("completed");
            assertThat(running(greedy, many)).isEqualTo(3);
            assertThat(server.metric("parley_runs_callers_over_share")).isEqualTo(1);
        }
    }

    @Test
    void waitingRunsBeginWhenOthersOfTheirCallerEnd() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "2")) {
            AgentCaller greedy = AgentCaller.somebody(server);
            List<String> many = threads(8);
            startAll(greedy, many, "Hello");
            many.forEach(thread -> greedy.follow(thread, "run"));
            assertThat(many).allMatch(thread -> state(greedy, thread).equals("completed"));
        }
    }

    @Test
    void callerWithFewRunsComesBeforeOneWithMany() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "2")) {
            AgentCaller alice = AgentCaller.somebody(server);
            AgentCaller bob = AgentCaller.somebody(server);
            AgentCaller carol = AgentCaller.somebody(server);
            List<String> alices = threads(3);
            List<String> bobs = threads(1);
            List<String> carols = threads(1);
            startAll(alice, alices, ENDLESS);
            awaitRunning(alice, alices, 1);
            startAll(bob, bobs, ENDLESS);
            awaitRunning(bob, bobs, 1);
            startAll(carol, carols, ENDLESS);
            assertThat(state(carol, carols.getFirst())).isEqualTo("queued");

            // Alice's second run was started earlier.
            bob.cancel(bobs.getFirst(), "run");
            awaitRunning(carol, carols, 1);
            assertThat(running(alice, alices)).isEqualTo(1);
        }
    }

    @Test
    void agentTakesFromTheShareOfItsOwner() {
        try (RunningServer server = RunningServer.start("--limit-runs-executing", "4")) {
            AgentCaller owner = AgentCaller.somebody(server);
            List<String> own = threads(2);
            startAll(owner, own, ENDLESS);
            awaitRunning(owner, own, 2);
            String agent = owner.api()
                    .post("/api/v1/owner/agents", "{\"display_name\":\"Scout\"}")
                    .text("agent_id");
            String token = owner.api()
                    .post(
                            "/api/v1/owner/external-agents/tokens",
                            "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}")
                    .text("raw_token");
            String thread = owner.api()
                    .post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agent + "\",\"agent:" + DEMO + "\"]}")
                    .text("thread_id");
            server.execute("update participants set capabilities = 15 where actor like 'agent:%'; "
                    + "update thread_heads set facts = facts + 1");
            AgentCaller scout = new AgentCaller(server, server.api(token));
            Map<String, Object> input = AgentCaller.input(thread, "run", ENDLESS);
            input.put("forwardedProps", Map.of("agentId", DEMO));
            assertThat(scout.start(input).status()).isEqualTo(202);
            assertThat(state(scout, thread)).isEqualTo("queued");

            owner.cancel(own.getFirst(), "run");
            awaitRunning(scout, List.of(thread), 1);
        }
    }
}
