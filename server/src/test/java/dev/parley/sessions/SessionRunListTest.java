package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The documents of a session's runs: each on its own, as it was given, in the order of the runs. */
class SessionRunListTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final Api ada = server.api(UUID.randomUUID(), "Ada");

    private final String session = "/api/v1/sessions/runs-" + UUID.randomUUID();

    private Api.Reply put(String run, String document) {
        return ada.send("PUT", session + "/runs/" + run, "{\"document\": " + document + "}");
    }

    private Api.Reply put(String run, String document, long version) {
        return ada.send(
                "PUT", session + "/runs/" + run, "{\"document\": " + document + ", \"version\": " + version + "}");
    }

    private JsonNode show(String run) {
        return ada.get(session + "/runs/" + run).json();
    }

    @Test
    void runIsNeverItsOwnParent() {
        put("loop", "{\"parent_run_id\":\"loop\"}");
        ada.post(
                session + "/chat-events",
                "{\"run_id\":\"told\",\"parent_run_id\":\"told\",\"message\":{\"id\":\"m\",\"role\":\"assistant\"}}");
        for (String run : List.of("loop", "told")) {
            JsonNode read = ada.get(session + "/runs/" + run).json();
            assertThat(read.path("parent_run_id").isNull()).as(run).isTrue();
            assertThat(read.path("children").isEmpty()).as(run).isTrue();
        }
    }

    @Test
    void documentIsServedAsItWasGiven() {
        String document = "{ \"status\":\"COMPLETED\",\"agent_id\":\"writer\",\"agent_name\":\"作家\", \"model\":\"m-1\","
                + "\"model_provider\":\"Own\",\"tools\":[{\"result\":null}],\"x\":0.0,\"nul\":\"\\u0000\\udc00\" }";

        Api.Reply made = put("r1", document);
        Api.Reply read = ada.get(session + "/runs/r1");

        assertThat(made.status()).isEqualTo(200);
        assertThat(made.json().has("document")).isFalse();
        assertThat(read.answer().text()).contains("\"document\":" + document + ",");
        JsonNode run = read.json();
        assertThat(run.path("run_id").asString()).isEqualTo("r1");
        assertThat(run.path("status").asString()).isEqualTo("completed");
        assertThat(run.path("agent_id").asString()).isEqualTo("writer");
        assertThat(run.path("agent_name").asString()).isEqualTo("作家");
        assertThat(run.path("model").asString()).isEqualTo("m-1");
        assertThat(run.path("model_provider").asString()).isEqualTo("Own");
        assertThat(run.path("version").asLong()).isEqualTo(1);
        assertThat(run.path("messages").asLong()).isZero();
        assertThat(run.path("team_name").isNull()).isTrue();
        assertThat(run.path("input_tokens").isNull()).isTrue();
        assertThat(run.path("children").isEmpty()).isTrue();
    }

    @Test
    void replacementWithoutAVersion_lastWriterWins() {
        put("r", "{\"n\":1, \"agent_name\":\"A\"}");
        put("r", "{\"n\":2}");

        assertThat(show("r").path("document").path("n").asInt()).isEqualTo(2);
        assertThat(show("r").path("version").asInt()).isEqualTo(2);
        // The agent of the run is kept.
        assertThat(show("r").path("agent_name").asString()).isEqualTo("A");
    }

    @Test
    void replacementOfAnOldVersion_isRefused() {
        assertThat(put("r", "{\"n\":0}", 4).problem()).hasValue("thread-not-found");
        assertThat(put("r", "{\"n\":1}", 0).status()).isEqualTo(200);
        assertThat(put("r", "{\"n\":2}", 1).status()).isEqualTo(200);

        Api.Reply late = put("r", "{\"n\":3}", 1);
        Api.Reply first = put("r", "{\"n\":3}", 0);
        Api.Reply unknown = put("other", "{}", 1);

        assertThat(late.problem()).hasValue("document-changed");
        assertThat(late.json().path("current_version").asInt()).isEqualTo(2);
        assertThat(first.problem()).hasValue("document-changed");
        assertThat(unknown.problem()).hasValue("document-changed");
        assertThat(unknown.json().path("current_version").asInt()).isZero();
        assertThat(ada.get(session + "/runs/other").problem()).hasValue("run-not-found");
        assertThat(show("r").path("document").path("n").asInt()).isEqualTo(2);
    }

    @Test
    void concurrentReplacementsOfOneVersion_oneWins() throws Exception {
        put("r", "{}", 0);
        int rounds = 10;
        for (int round = 1; round <= rounds; round++) {
            int version = round;
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Api.Reply>> all = IntStream.range(0, 12)
                        .mapToObj(i -> threads.submit(() -> put("r", "{\"by\":" + i + "}", version)))
                        .toList();
                int won = 0;
                for (Future<Api.Reply> one : all) {
                    won += one.get().status() == 200 ? 1 : 0;
                }
                assertThat(won).isEqualTo(1);
            }
        }
        assertThat(show("r").path("version").asInt()).isEqualTo(rounds + 1);
    }

    @Test
    void concurrentRunsDoNotLoseEachOther() throws Exception {
        int many = 40;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> all = IntStream.range(0, many)
                    .mapToObj(i -> threads.submit(() -> put("r" + i, "{\"n\":" + i + "}")))
                    .toList();
            for (Future<Api.Reply> one : all) {
                assertThat(one.get().status()).isEqualTo(200);
            }
        }
        assertThat(names(ada.get(session + "/runs?limit=200").json()))
                .hasSize(many)
                .doesNotHaveDuplicates();
    }

    @Test
    void runsAreListedInTheOrderInWhichTheyWereMade() {
        List<String> runs = List.of("c", "a", "e", "b", "d");
        runs.forEach(run -> put(run, "{}"));
        // Writing a run again does not move it.
        put("c", "{}");
        List<String> found = new ArrayList<>();
        String cursor = "0";
        while (!cursor.isEmpty()) {
            JsonNode page = ada.get(session + "/runs?limit=2&cursor=" + cursor).json();
            found.addAll(names(page));
            cursor = page.path("next_cursor").asStringOpt().orElse("");
        }
        assertThat(found).containsExactlyElementsOf(runs);
        assertThat(ada.get(session + "/runs?cursor=x").problem()).hasValue("invalid-cursor");
    }

    /** Another transaction has recorded a run, as lanes do, and commits after the first page. */
    @Test
    void pagesMissNoRunThatCommitsLate() throws Exception {
        String thread = UUID.randomUUID().toString();
        String own = "/api/v1/sessions/" + thread;
        ada.send("PUT", own + "/runs/first", "{\"document\": {}}");
        DatabaseAddress address = server.database();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection lane = DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
                Statement statement = lane.createStatement()) {
            lane.setAutoCommit(false);
            statement.execute("select from thread_heads where thread_id = '" + thread + "' for no key update");
            statement.execute("insert into session_runs (thread_id, run_id, created_at, updated_at) values ('" + thread
                    + "', 'late', now(), now())");
            Future<Api.Reply> last = threads.submit(() -> ada.send("PUT", own + "/runs/last", "{\"document\": {}}"));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> last.isDone()
                            || server.count("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                            + " and datname = current_database()")
                                    > 0);

            assertThat(names(ada.get(own + "/runs").json())).containsExactly("first");
            lane.commit();
            assertThat(last.get().status()).isEqualTo(200);
        }
        assertThat(names(ada.get(own + "/runs").json())).containsExactly("first", "late", "last");
    }

    private static List<String> names(JsonNode page) {
        return page.path("runs")
                .valueStream()
                .map(each -> each.path("run_id").asString())
                .toList();
    }

    @Test
    void runsFormATree() {
        put("team", "{\"team_name\":\"Desk\"}");
        put("second", "{\"parent_run_id\":\"team\"}");
        put("first", "{\"parent_run_id\":\"team\"}");
        put("deep", "{\"parent_run_id\":\"first\"}");

        assertThat(children("team")).containsExactly("second", "first");
        assertThat(children("first")).containsExactly("deep");
        assertThat(children("deep")).isEmpty();
        assertThat(show("deep").path("parent_run_id").asString()).isEqualTo("first");
    }

    private List<String> children(String run) {
        return show(run).path("children").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void documentOfAnyShapeIsKept() {
        String document = "{\"status\":7,\"agent_id\":\"" + "x".repeat(129)
                + "\",\"agent_name\":[\"A\"],\"model\":\"a\\u0000\",\"metrics\":\"many\",\"parent_run_id\":null}";

        assertThat(put("odd", document).status()).isEqualTo(200);

        JsonNode run = show("odd");
        for (String noted : List.of("status", "agent_id", "agent_name", "model", "parent_run_id")) {
            assertThat(run.path(noted).isNull()).as(noted).isTrue();
        }
        assertThat(ada.get(session + "/runs/odd").answer().text()).contains(document);
    }

    @Test
    void statusOfAStreamedRunComesFromTheLog() {
        String thread = UUID.randomUUID().toString();
        String own = "/api/v1/sessions/" + thread;
        ada.send("PUT", own + "/runs/r", "{\"document\": {\"status\": \"COMPLETED\"}}");
        String run = "insert into runs (task_id, thread_id, run_id, agent, started_by, driver, origin, strategy, state,"
                + " epoch, attempts, triggers, created_position, created_at) values (gen_random_uuid(), '" + thread
                + "', 'r', 'agent:a', 'user:u', 'outside', 'client', 'queue', '%s', 1, 1, '{}', 1, now())";
        server.execute(run.formatted("waiting"));

        assertThat(ada.get(own + "/runs/r").text("status")).isEqualTo("paused");
        server.execute("update runs set state = 'cancelled' where thread_id = '" + thread + "'");
        assertThat(ada.get(own + "/runs/r").text("status")).isEqualTo("cancelled");
    }

    @Test
    void failedRunIsCalledFailedEverywhere() {
        put("s", "{\"status\": \"ERROR\"}");
        ada.post(
                session + "/chat-events",
                "{\"run_id\": \"s\", \"message\": {\"id\": \"m\", \"role\": \"assistant\", \"content\": \"no\"}}");

        assertThat(show("s").path("status").asString()).isEqualTo("failed");
        assertThat(ada.get(session + "/messages?statuses=failed").json().size()).isEqualTo(1);
        assertThat(ada.get(session + "/messages?statuses=completed").json().size())
                .isZero();
    }

    @Test
    void namesAreLimitedInLength() {
        assertThat(put("r".repeat(128), "{}").status()).isEqualTo(200);
        assertThat(put("r".repeat(129), "{}").problem()).hasValue("invalid-fields");
        assertThat(put("%00", "{}").status()).isEqualTo(400);
        assertThat(ada.get(session + "/runs/none").problem()).hasValue("run-not-found");
    }
}
