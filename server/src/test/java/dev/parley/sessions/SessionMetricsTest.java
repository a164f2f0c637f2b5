package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The usage of a session: each run counts from one source only, and currencies are never added. */
class SessionMetricsTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final Api ada = server.api(UUID.randomUUID(), "Ada");

    private final String thread = UUID.randomUUID().toString();
    private final String session = "/api/v1/sessions/" + thread;
    private int seq;

    @BeforeEach
    void makeSession() {
        ada.send("PUT", session + "/document", "{\"document\": {}, \"version\": 0}");
    }

    private JsonNode metrics() {
        return ada.get(session + "/metrics").json();
    }

    /** A message as the log has it, with metrics. */
    private void message(@Nullable String run, String usage, String cost) {
        String named = run == null ? "null" : "'" + run + "'";
        server.execute("insert into chat_events (thread_id, seq, event_id, message_id, role, run_id, message_data,"
                + " fingerprint, input_tokens, output_tokens, usage, cost, cost_currency, created_at) select '" + thread
                + "', " + ++seq + ", gen_random_uuid(), 'm" + seq + "', 'assistant', " + named + ", '{}', ''::bytea,"
                + " (u ->> 'input_tokens')::bigint, (u ->> 'output_tokens')::bigint, u, " + cost
                + ", now() from (select '" + usage + "'::json as u) as given");
    }

    private String streamed(String run, @Nullable String root) {
        String task = UUID.randomUUID().toString();
        server.execute(
                "insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, root,"
                        + " state, epoch, attempts, triggers, created_position, created_at) values ('" + task + "', '"
                        + thread
                        + "', '" + run + "', 'agent:" + UUID.randomUUID()
                        + "', 'user:u', 'outside', 'client', 'queue', "
                        + (root == null ? "null" : "'" + root + "'") + ", 'completed', 1, 1, '{}', 1, now())");
        return task;
    }

    private void request(String task, int number, String figures) {
        server.execute("insert into model_usage (thread_id, task_id, request, agent, spender, provider, model,"
                + " input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, currency, created_at) values ('"
                + thread + "', '" + task + "', " + number + ", 'agent:a', 'user:u', " + figures + ", now())");
    }

    private void run(String run, String document) {
        assertThat(ada.send("PUT", session + "/runs/" + run, "{\"document\": " + document + "}")
                        .status())
                .isEqualTo(200);
    }

    private static long used(JsonNode metrics, String name) {
        return metrics.path("usage").path(name).asLong();
    }

    @Test
    void newSessionHasNoUsage() {
        JsonNode metrics = metrics();

        assertThat(metrics.path("session_id").asString()).isEqualTo(thread);
        assertThat(metrics.path("messages").asLong()).isZero();
        assertThat(metrics.path("runs").asLong()).isZero();
        assertThat(used(metrics, "total_tokens")).isZero();
        assertThat(metrics.path("usage").size()).isEqualTo(9);
        assertThat(metrics.path("costs").isEmpty()).isTrue();
        assertThat(metrics.path("by_model").isEmpty()).isTrue();
    }

    @Test
    void messagesAreSummedAndATotalIsTakenAsGiven() {
        message("r", "{\"input_tokens\":82,\"output_tokens\":22,\"total_tokens\":104}", "0.5, 'USD'");
        message(
                "r",
                "{\"input_tokens\":10,\"output_tokens\":5,\"total_tokens\":99,\"reasoning_tokens\":3}",
                "null, null");
        message(null, "{\"input_tokens\":1,\"cache_read_tokens\":7}", "0.25, 'ZAR'");

        JsonNode metrics = metrics();

        assertThat(used(metrics, "input_tokens")).isEqualTo(93);
        assertThat(used(metrics, "output_tokens")).isEqualTo(27);
        assertThat(used(metrics, "total_tokens")).isEqualTo(104 + 99 + 1);
        assertThat(used(metrics, "reasoning_tokens")).isEqualTo(3);
        assertThat(used(metrics, "cache_read_tokens")).isEqualTo(7);
        assertThat(metrics.path("costs").toString())
                .isEqualTo("[{\"currency\":\"USD\",\"cost\":0.5},{\"currency\":\"ZAR\",\"cost\":0.25}]");
    }

    @Test
    void usageFromThreeSourcesCountsOnce() {
        String total = "{\"model\":\"m\",\"metrics\":{\"input_tokens\":1000,\"output_tokens\":1,\"cost\":9.5}}";
        run("all", total);
        run("messages", total);
        run("total", total);
        message("all", "{\"input_tokens\":100}", "5, 'USD'");
        message("messages", "{\"input_tokens\":100}", "null, null");
        String task = streamed("all", null);
        request(task, 3, "'Own', 'm-1', 10, 2, 4, 1, 0.1, 'EUR'");
        request(task, 8, "'Own', 'm-1', 10, null, null, null, null, null");

        JsonNode metrics = metrics();

        assertThat(used(metrics, "input_tokens")).isEqualTo(20 + 100 + 1000);
        assertThat(used(metrics, "output_tokens")).isEqualTo(2 + 1);
        assertThat(used(metrics, "cache_read_tokens")).isEqualTo(4);
        assertThat(metrics.path("runs").asLong()).isEqualTo(3);
        assertThat(metrics.path("costs").toString())
                .isEqualTo("[{\"currency\":\"EUR\",\"cost\":0.1},{\"currency\":\"USD\",\"cost\":9.5}]");
        assertThat(ada.get(session + "/runs/all").json().path("input_tokens").asLong())
                .isEqualTo(20);
        assertThat(ada.get(session + "/runs/all").text("cost_currency")).isEqualTo("EUR");
        assertThat(ada.get(session + "/runs/messages")
                        .json()
                        .path("input_tokens")
                        .asLong())
                .isEqualTo(100);
        assertThat(ada.get(session + "/runs/messages").json().path("messages").asLong())
                .isEqualTo(1);
        assertThat(ada.get(session + "/runs/total").json().path("cost").asString())
                .isEqualTo("9.5");
    }

    @Test
    void requestsOfTeamMembersCountOnce() {
        String root = streamed("team", null);
        streamed("member", root);
        request(root, 1, "'Own', 'm', 50, 5, null, null, null, null");
        message("member", "{\"input_tokens\":30}", "null, null");
        run("member", "{\"parent_run_id\":\"team\",\"metrics\":{\"input_tokens\":30}}");

        assertThat(used(metrics(), "input_tokens")).isEqualTo(50);
        assertThat(ada.get(session + "/runs/member").json().path("input_tokens").isNull())
                .isTrue();
    }

    @Test
    void modelsAreListedEachWithItsCurrency() {
        run("a", "{\"model\":\"m-1\",\"model_provider\":\"Own\"}");
        run("b", "{\"model\":\"m-2\",\"model_provider\":\"Own\",\"metrics\":{\"input_tokens\":4}}");
        message("a", "{\"input_tokens\":1,\"output_tokens\":2}", "1, 'USD'");
        message("a", "{\"input_tokens\":1,\"output_tokens\":2}", "1.5, 'USD'");
        message(null, "{\"input_tokens\":8}", "null, null");

        JsonNode models = metrics().path("by_model");

        assertThat(models.size()).isEqualTo(3);
        assertThat(models.path(0).toString())
                .isEqualTo("{\"model\":\"m-1\",\"provider\":\"Own\",\"input_tokens\":2,\"output_tokens\":4,"
                        + "\"cost\":2.5,\"currency\":\"USD\"}");
        assertThat(models.path(1).path("input_tokens").asLong()).isEqualTo(4);
        assertThat(models.path(2).path("model").isNull()).isTrue();
        assertThat(models.path(2).path("cost").isNull()).isTrue();
    }

    @Test
    void hugeCountsAreAdded() {
        run("a", "{\"metrics\":{\"input_tokens\":" + Long.MAX_VALUE + "}}");
        run("b", "{\"metrics\":{\"input_tokens\":" + Long.MAX_VALUE + "}}");

        assertThat(metrics().path("usage").path("input_tokens").toString()).isEqualTo("18446744073709551614");
    }

    @Test
    void meaninglessNamesAndNumbersAreIgnored() {
        String odd = "{\"input_tokens\": 3, \"\\u0000_tokens\": 1, \"own_tokens\": 2, \"total_tokens\": -4,"
                + " \"output_tokens\": 1.5, \"reasoning_tokens\": 1e400, \"audio_total_tokens\": \"7\", \"cost\": %s}";
        run("r", "{\"model\": \"m\", \"metrics\": " + odd.formatted("1e400") + "}");
        for (String cost : List.of("1e400", "1" + "0".repeat(400), "-1", "1e-400", "1e999999999")) {
            assertThat(ada.post(
                                    session + "/chat-events",
                                    "{\"run_id\": \"r\", \"message\": {\"id\": \"" + UUID.randomUUID()
                                            + "\", \"role\": \"assistant\", \"metrics\": " + odd.formatted(cost) + "}}")
                            .status())
                    .isEqualTo(201);
        }

        assertThat(used(metrics(), "input_tokens")).isEqualTo(15);
        assertThat(used(metrics(), "total_tokens")).isEqualTo(5 * (3 + 1));
        assertThat(metrics().path("usage").has("own_tokens")).isFalse();
        assertThat(ada.get(session + "/runs")
                        .json()
                        .path("runs")
                        .path(0)
                        .path("input_tokens")
                        .asLong())
                .isEqualTo(15);
    }

    @Test
    void figuresAreOneSnapshot() throws Exception {
        try (ExecutorService writer = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = writer.submit(
                    () -> IntStream.range(0, 300).forEach(i -> run("r" + i, "{\"metrics\": {\"input_tokens\": 1}}")));
            while (!writing.isDone()) {
                JsonNode metrics = metrics();
                assertThat(metrics.path("runs").asLong()).isEqualTo(used(metrics, "input_tokens"));
            }
            writing.get();
        }
    }

    @Test
    void deletedMessagesStillCount() {
        JsonNode said = ada.post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"one\"}")
                .json();
        assertThat(ada.delete("/api/v1/chat/threads/" + thread + "/messages/"
                                + said.path("message_id").asString())
                        .status())
                .isLessThan(300);

        assertThat(metrics().path("messages").asLong()).isEqualTo(1);
    }

    @Test
    void messagesOfTheChatAreCounted() {
        ada.post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"one\"}");
        ada.post("/api/v1/chat/threads/" + thread + "/messages", "{\"content\": \"two\"}");

        assertThat(metrics().path("messages").asLong()).isEqualTo(2);
    }

    @Test
    void postedMessagesAreCounted() {
        String said = "{\"chat_events\": [{\"message\": {\"id\": \"q\", \"role\": \"user\", \"content\": \"你好\"}},"
                + " {\"run_id\": \"r\", \"model\": \"m-1\", \"message\": {\"id\": \"a\", \"role\": \"assistant\","
                + " \"metrics\": {\"input_tokens\": 5, \"output_tokens\": 6, \"total_tokens\": 12, \"cost\": 0.5}}}]}";
        assertThat(ada.post(session + "/chat-events", said).status()).isEqualTo(201);
        // A repeated post counts nothing again, and neither does the run's document.
        assertThat(ada.post(session + "/chat-events", said).status()).isEqualTo(200);
        run("r", "{\"status\":\"COMPLETED\",\"metrics\":{\"input_tokens\":5,\"output_tokens\":6}}");

        JsonNode metrics = metrics();

        assertThat(metrics.path("messages").asLong()).isEqualTo(2);
        assertThat(used(metrics, "input_tokens")).isEqualTo(5);
        assertThat(used(metrics, "total_tokens")).isEqualTo(12);
        assertThat(metrics.path("costs").toString()).isEqualTo("[{\"currency\":\"USD\",\"cost\":0.5}]");
        assertThat(metrics.path("by_model").path(0).path("model").asString()).isEqualTo("m-1");
        assertThat(ada.get(session + "/messages?statuses=completed").json().size())
                .isEqualTo(2);
        assertThat(ada.get(session + "/messages?statuses=failed").json().size()).isEqualTo(1);
    }

    @Test
    void strangerSeesNoFigures() {
        assertThat(server.api(UUID.randomUUID(), "Sam")
                        .get(session + "/metrics")
                        .problem())
                .hasValue("thread-not-found");
    }
}
