package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Each kind of rate at its limit and one call above it. The limits are so low that no bucket refills during a test, and
 * all differ, so that kinds cannot be confused.
 */
class RateLimitTest {
    private static final String THREADS = "/api/v1/chat/threads";
    private static final String AGENTS = "/api/v1/owner/agents";
    private static final String TOKENS = "/api/v1/owner/external-agents/tokens";
    private static final String TICKETS = "/api/v1/auth/stream-tickets";

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--limit-user-messages-per-minute", "2",
            "--limit-agent-messages-per-minute", "3",
            "--limit-thread-operations-per-minute", "5",
            "--limit-polls-per-minute", "4",
            "--integration-keys", "slack=0123456789abcdef");

    private final UUID olivia = UUID.randomUUID();
    private final Api api = server.api(olivia, "Olivia");
    private final String agent = api.post(AGENTS, "{}").text("agent_id");
    private final String thread = THREADS + "/"
            + api.post(THREADS, "{\"participants\":[\"agent:" + agent + "\"]}").text("thread_id");

    /** The setup of each test has used two of the five thread operations. */
    private static void assertLimit(int limit, Supplier<Api.Reply> call) {
        for (int i = 0; i < limit; i++) {
            Api.Reply answer = call.get();
            assertThat(answer.status()).as("call " + (i + 1) + ": " + answer).isIn(200, 201);
        }
        assertLimited(call.get());
    }

    private static void assertLimited(Api.Reply answer) {
        assertThat(answer.problem()).as(answer.toString()).contains("rate-limited");
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.text("code")).isEqualTo("RATE_LIMITED");
        assertThat(answer.json().get("retryable").asBoolean()).isTrue();
        assertThat(Integer.parseInt(answer.header("Retry-After").orElseThrow())).isBetween(1, 60);
    }

    private Api.Reply say() {
        return api.post(thread + "/messages", "{\"content\":\"hello\"}");
    }

    @Test
    void messagesOfAUser() {
        assertLimit(2, this::say);
        assertLimited(server.api(olivia, "Olivia, elsewhere").post(thread + "/messages", "{\"content\":\"x\"}"));
    }

    @Test
    void aRefusedMessageIsNotWritten() {
        assertLimit(2, this::say);
        assertThat(api.get(thread + "/messages").json().get("messages")).hasSize(2);
    }

    @Test
    void messagesOfAnAgentByToken() {
        String body = "{\"agent_actor_id\":\"" + agent + "\"}";
        Api first = server.api(api.post(TOKENS, body).text("raw_token"));
        Api second = server.api(api.post(TOKENS, body).text("raw_token"));
        Supplier<Api.Reply> speak = () -> first.post(thread + "/agent-messages", "{\"content\":\"hello\"}");
        assertLimit(3, speak);
        assertThat(second.post(thread + "/agent-messages", "{\"content\":\"hello\"}")
                        .status())
                .as("another token of the same agent")
                .isEqualTo(201);
        assertThat(say().status()).as("its owner").isEqualTo(201);
    }

    @Test
    void threadOperations() {
        assertLimit(3, () -> api.patch(thread, "{\"title\":\"new\"}"));
        assertLimited(api.post(THREADS, "{}"));
        assertLimited(api.post(AGENTS, "{}"));
        assertThat(say().status()).as("another kind").isEqualTo(201);
    }

    @Test
    void polls() {
        assertLimit(4, () -> api.get(thread + "/events"));
        assertLimited(api.get(thread + "/messages"));
        assertLimited(api.get(thread));
        assertLimited(api.get(AGENTS + "/" + agent));
        assertLimited(api.get(THREADS));
        assertLimited(api.get(AGENTS));
        assertLimited(api.get(TOKENS));
        assertLimited(api.get(thread + "/events/stream"));
        assertThat(api.get("/api/v1/auth/me").status()).isEqualTo(200);
    }

    @Test
    void readsOfOneThread() {
        assertLimit(4, () -> api.get(thread));
    }

    @Test
    void tickets() {
        String bodyText = "{\"path\":\"/api/v1/chat/inbox/stream\"}";
        assertLimit(2, () -> api.post(TICKETS, bodyText));
        assertLimited(say());
        Api robin = server.api(
                api.post(TOKENS, "{\"agent_actor_id\":\"" + agent + "\"}").text("raw_token"));
        assertLimit(5, () -> robin.post(TICKETS, bodyText));
    }

    @Test
    void limitsAreSeparateForEachCaller() {
        assertLimit(2, this::say);
        UUID bob = UUID.randomUUID();
        api.post(thread + "/participants", "{\"sender_ids\":[\"user:" + bob + "\"]}");
        assertThat(server.api(bob, "Bob")
                        .post(thread + "/messages", "{\"content\":\"hello\"}")
                        .status())
                .isEqualTo(201);
    }

    @Test
    void integrationsAreCountedByKey() {
        Api slack = server.api("0123456789abcdef");
        for (int i = 0; i < 4; i++) {
            assertThat(slack.get(thread + "/events").status()).isEqualTo(404);
        }
        assertLimited(slack.get(thread + "/events"));
        assertThat(api.get(thread + "/events").status()).isEqualTo(200);
    }

    @Test
    void limitsCanBeSwitchedOff() {
        try (RunningServer open = RunningServer.start(
                "--rate-limits",
                "off",
                "--limit-user-messages-per-minute",
                "1",
                "--limit-thread-operations-per-minute",
                "1",
                "--limit-polls-per-minute",
                "1")) {
            Api caller = open.api(UUID.randomUUID(), "Somebody");
            for (int i = 0; i < 3; i++) {
                String made = THREADS + "/" + caller.post(THREADS, "{}").text("thread_id");
                assertThat(caller.post(made + "/messages", "{\"content\":\"hello\"}")
                                .status())
                        .isEqualTo(201);
                assertThat(caller.get(made + "/events").status()).isEqualTo(200);
            }
        }
    }
}
