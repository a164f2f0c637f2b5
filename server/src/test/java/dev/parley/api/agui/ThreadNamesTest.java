package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.shownIds;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Threads under names that clients choose. */
class ThreadNamesTest {
    private static final UUID OPERATOR = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--operators", OPERATOR.toString());

    private final AguiCaller caller = AguiCaller.somebody(server);

    private String idOf(String name) {
        return server.select("select thread_id::text from thread_aliases where owner = 'user:%s' and alias = '%s'"
                        .formatted(caller.user(), name))
                .getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"main", "é", "e\u0301", "a/b?c#d%20", "🧵 thread", " spaced ", "\"quoted\"", "../..", "<b>"})
    void aNameIsEchoedAsItWasGivenAndMeansTheSameThreadAgain(String name) {
        List<JsonNode> first = caller.run(name, name, user("u1", "hello"));
        for (JsonNode event : List.of(only(first, "RUN_STARTED"), only(first, "RUN_FINISHED"))) {
            assertThat(event.get("threadId").asString()).isEqualTo(name);
            assertThat(event.get("runId").asString()).isEqualTo(name);
        }
        assertThat(only(first, "RUN_STARTED").get("protocolVersion").asString()).isEqualTo("1.0");
        caller.run(name, "r2", user("u1", "hello"), user("u2", "again"));
        List<JsonNode> shown = caller.connect(name);
        assertThat(shownIds(shown)).hasSize(4).contains("u1", "u2");
        assertThat(shown.getFirst().get("threadId").asString()).isEqualTo(name);
        assertThat(shown.getLast().get("threadId").asString()).isEqualTo(name);
        Api.Reply stopped = caller.api()
                .post(
                        "/api/v1/agui/agent/default/stop/"
                                + URLEncoder.encode(name, StandardCharsets.UTF_8)
                                        .replace("+", "%20"),
                        "{}");
        assertThat(stopped.status()).as(stopped.toString()).isEqualTo(200);
        assertThat(stopped.json().get("stopped").asBoolean()).isFalse();
    }

    @Test
    void aUuidIsTheThreadHoweverItIsWritten() {
        String thread = "abcdefab-cdef-4abc-8def-abcdefabcdef";
        String upper = thread.toUpperCase(Locale.ROOT);
        List<JsonNode> first = caller.run(upper, "r1", user("u1", "hello"));
        assertThat(only(first, "RUN_STARTED").get("threadId").asString()).isEqualTo(upper);
        assertThat(only(first, "RUN_FINISHED").get("threadId").asString()).isEqualTo(upper);
        assertThat(caller.said(thread)).containsExactly("hello", "You said: hello");
        assertThat(shownIds(caller.connect(thread))).hasSize(2);
    }

    @Test
    void theSameNameOfTwoPeopleIsTwoThreads() {
        AguiCaller other = AguiCaller.somebody(server);
        caller.run("shared", "r1", user("u1", "mine"));
        other.run("shared", "r1", user("u1", "theirs"));
        assertThat(ClientView.of(caller.connect("shared")).shown())
                .contains("mine")
                .doesNotContain("theirs");
        assertThat(ClientView.of(other.connect("shared")).shown())
                .contains("theirs")
                .doesNotContain("mine");
    }

    @Test
    void namesThatDifferInCaseOrComposureAreDifferent() {
        caller.run("Cafe\u0301", "r1", user("u1", "one"));
        caller.run("Caf\u00e9", "r1", user("u1", "two"));
        caller.run("caf\u00e9", "r1", user("u1", "three"));
        assertThat(server.count("select count(*) from thread_aliases where owner = 'user:" + caller.user() + "'"))
                .isEqualTo(3);
    }

    @Test
    void aNameHasAtMost128Characters() {
        assertThat(types(caller.run("x".repeat(128), "y".repeat(128), user("z".repeat(128), "hello"))))
                .endsWith("RUN_FINISHED");
        Map<String, Map<String, Object>> tooLong = Map.of(
                "threadId", input("x".repeat(129), "r", user("u", "hello")),
                "runId", input("t", "y".repeat(129), user("u", "hello")),
                "messages[0].id", input("t", "r", user("z".repeat(129), "hello")));
        tooLong.forEach((field, body) -> {
            Api.Reply refused = caller.post(body);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo(field);
        });
        for (Map<String, Object> empty : List.of(
                input("", "r", user("u", "hello")),
                input("t", "", user("u", "hello")),
                input("t", "r", user("", "hello")),
                input("a\u0000b", "r", user("u", "hello")))) {
            assertThat(caller.post(empty).status()).isEqualTo(400);
        }
        assertThat(server.count("select count(*) from thread_aliases where owner = 'user:" + caller.user() + "'"))
                .isEqualTo(1);
    }

    @Test
    void aDeletedThreadsNameStaysTaken() {
        caller.run("gone", "r1", user("u1", "hello"));
        assertThat(caller.api().delete("/api/v1/chat/threads/" + idOf("gone")).status())
                .isLessThan(300);
        assertThat(caller.post(input("gone", "r2", user("u2", "hello"))).status())
                .isEqualTo(404);
        assertThat(caller.post(input("gone", "r1", user("u1", "hello"))).status())
                .isEqualTo(404);
        assertThat(caller.post(AguiCaller.CONNECT, input("gone", "c1")).status())
                .isEqualTo(404);
    }

    @Test
    void unknownNameShowsNoThreadAndMakesNone() {
        assertThat(types(caller.connect("nothing yet", user("u1", "kept by the client"))))
                .containsExactly("RUN_STARTED", "RUN_FINISHED");
        assertThat(types(caller.connect(UUID.randomUUID().toString()))).containsExactly("RUN_STARTED", "RUN_FINISHED");
        assertThat(server.count("select count(*) from thread_aliases where owner = 'user:" + caller.user() + "'"))
                .isZero();
        assertThat(caller.api()
                        .post("/api/v1/agui/agent/default/stop/nothing", "{}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void anAgentCallsItsOwnersThreadsAsTheOwnerDoes() {
        caller.run("workshop", "r1", user("u1", "hello"));
        String agent = caller.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
                .text("agent_id");
        AguiCaller guest = new AguiCaller(
                server,
                caller.user(),
                server.api(caller.api()
                        .post(
                                "/api/v1/owner/external-agents/tokens",
                                "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}")
                        .text("raw_token")));
        Map<String, Object> asks = input("workshop", "guest-1", user("g1", "may I?"));
        // The agent is no guest anywhere before it is admitted.
        assertThat(guest.post("/api/v1/agui/agent/default/run", asks).status()).isEqualTo(404);
        caller.api()
                .post(
                        "/api/v1/chat/threads/" + idOf("workshop") + "/participants",
                        "{\"sender_ids\":[\"agent:" + agent + "\"]}");
        assertThat(types(guest.run(asks))).endsWith("RUN_FINISHED");
        assertThat(ClientView.of(caller.connect("workshop")).shown()).contains("may I?");
        // A name of its own makes no thread.
        assertThat(guest.post(input("its own", "guest-2", user("g2", "hello"))).status())
                .isEqualTo(404);
    }

    @Test
    void integrationIsRefused() {
        String key = server.api(OPERATOR, "Operator")
                .post("/api/v1/operator/integration-keys", "{\"source\":\"slack\"}")
                .text("raw_key");
        Api slack = server.api(key);
        assertThat(slack.post("/api/v1/agui", "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}")
                        .status())
                .isEqualTo(403);
        assertThat(slack.get("/api/v1/agui/info").status()).isEqualTo(403);
    }
}
