package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The routes that each scope of a token opens; the agent's rights in the thread allow everything. */
class ScopeTest {
    private static final String THREADS = "/api/v1/chat/threads";
    private static final UUID GUEST = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final Api olivia = server.api(UUID.randomUUID(), "Olivia");

    private String agent;
    private String thread;
    private String message;

    @BeforeEach
    void anAgentThatMayDoEverythingInAThread() {
        agent = olivia.post("/api/v1/owner/agents", "{\"display_name\":\"Robin\"}")
                .text("agent_id");
        thread = THREADS + "/"
                + olivia.post(THREADS, "{\"participants\":[\"agent:" + agent + "\",\"user:" + GUEST + "\"]}")
                        .text("thread_id");
        server.execute("update participants set capabilities = 15 where actor = 'agent:" + agent
                + "'; update thread_heads set facts = facts + 1");
        message = olivia.post(thread + "/agent-messages", "{\"agent_id\":\"" + agent + "\",\"content\":\"mine\"}")
                .text("id");
    }

    private Api robin(String... scopes) {
        String list = String.join("\",\"", scopes);
        Api.Reply made = olivia.post(
                "/api/v1/owner/external-agents/tokens",
                "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"" + list + "\"]}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return server.api(made.text("raw_token"));
    }

    /** A call that an agent may make, and the scopes it needs. */
    private record Call(
            String method, String path, @Nullable String body, List<String> needs) {
        Call(String method, String path, @Nullable String body, String needs) {
            this(method, path, body, List.of(needs));
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                        new Call("GET", "{threads}", null, "observe"),
                        new Call("GET", "{thread}", null, "observe"),
                        new Call("GET", "{thread}/messages", null, "observe"),
                        new Call("GET", "{thread}/messages?revisions=raw", null, "observe"),
                        new Call("GET", "{thread}/events", null, "observe"),
                        new Call("PATCH", "{thread}/read", "{}", "observe"),
                        new Call("POST", "{thread}/agent-messages", "{\"content\":\"hello\"}", "speak"),
                        new Call("PATCH", "{thread}/messages/{message}", "{\"content\":\"other\"}", "speak"),
                        new Call("PUT", "{thread}/messages/{message}/reactions/ok", "", "speak"),
                        new Call("DELETE", "{thread}/messages/{message}/reactions/ok", null, "speak"),
                        new Call("DELETE", "{thread}/messages/{message}", null, "speak"),
                        new Call("POST", "{thread}/typing", "{}", "speak"),
                        new Call("POST", "{threads}", "{}", List.of("manage_thread", "observe")),
                        new Call("PATCH", "{thread}", "{\"title\":\"new\"}", List.of("manage_thread", "observe")),
                        new Call("PATCH", "{thread}", "{}", List.of("manage_thread", "observe")),
                        new Call("PATCH", "{thread}/archive", "{}", "manage_thread"),
                        new Call("POST", "{thread}/mode", "{\"participation_mode\":\"open\"}", "manage_thread"),
                        new Call(
                                "POST",
                                "{thread}/mode",
                                "{\"participation_mode\":null,\"agent_id\":\"{agent}\"}",
                                "manage_thread"),
                        new Call("DELETE", "{thread}/participants/{guest}", null, "manage_thread"),
                        new Call("DELETE", "{thread}/participants/agent:{agent}", null, "observe"),
                        new Call(
                                "POST",
                                "{thread}/participants",
                                "{\"sender_ids\":[\"user:" + UUID.randomUUID() + "\"]}",
                                "manage_thread"),
                        new Call("DELETE", "{thread}", null, "manage_thread"))
                .map(call -> arguments(call.toString(), call));
    }

    private Api.Reply send(Api api, Call call) {
        String path = call.path()
                .replace("{threads}", THREADS)
                .replace("{thread}", thread)
                .replace("{message}", message);
        return api.send(call.method(), fill(path), call.body() == null ? null : fill(call.body()));
    }

    private String fill(String text) {
        return text.replace("{agent}", agent).replace("{guest}", "user:" + GUEST);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void aRouteIsClosedWithoutItsScope(String name, Call call) {
        for (String lacking : call.needs()) {
            // An agent has at most two tokens; a third one would be refused.
            server.execute("update agent_tokens set revoked_at = now() where agent_id = '" + agent + "'");
            List<String> others = Stream.of("observe", "speak", "manage_thread", "run")
                    .filter(scope -> !scope.equals(lacking))
                    .toList();
            Api.Reply answer = send(robin(others.toArray(String[]::new)), call);
            assertThat(answer.problem()).as(answer.toString()).contains("forbidden");
            assertThat(answer.text("detail")).contains(lacking);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void aRouteIsOpenWithItsScope(String name, Call call) {
        Api.Reply answer = send(robin(call.needs().toArray(String[]::new)), call);
        assertThat(answer.status()).as(answer.toString()).isIn(200, 201);
    }

    @Test
    void aTokenThatMayOnlySpeakReadsNoMessages() throws IOException {
        Api robin = robin("speak");
        assertThat(robin.post(thread + "/agent-messages", "{\"content\":\"hello\"}")
                        .status())
                .isEqualTo(201);
        for (String stream : List.of(thread + "/events/stream", "/api/v1/chat/inbox/stream")) {
            try (RawHttp connection = robin.open(stream)) {
                assertThat(connection.readAnswer().status()).as(stream).isEqualTo(403);
            }
        }
        Api.Reply stale = robin.post(
                thread + "/agent-messages", "{\"content\":\"hello\",\"base_seq\":0,\"on_stale\":\"reject\"}");
        assertThat(stale.status()).as("own messages make no caller stale").isEqualTo(201);
        olivia.post(thread + "/messages", "{\"content\":\"a secret\"}");
        stale = robin.post(
                thread + "/agent-messages", "{\"content\":\"hello\",\"base_seq\":0,\"on_stale\":\"reject\"}");
        assertThat(stale.problem()).contains("stale-context");
        assertThat(stale.toString()).as("being stale does not open the thread").doesNotContain("a secret");
    }

    /** A write returns a response, but the response must not reveal content. */
    @Test
    void aTokenWithoutObserveGetsNoContentOfOthers() {
        String question = thread + "/messages/"
                + olivia.post(thread + "/messages", "{\"content\":\"a secret\",\"mentions\":[\"user:" + GUEST + "\"]}")
                        .text("id");
        olivia.send("PUT", question + "/reactions/wow", "");
        Api speaker = robin("speak");
        for (String method : List.of("PUT", "DELETE")) {
            Api.Reply bare = speaker.send(method, question + "/reactions/ok", method.equals("PUT") ? "" : null);
            assertThat(bare.status()).as(bare.toString()).isEqualTo(200);
            assertThat(bare.toString()).doesNotContain("a secret", "wow", GUEST.toString());
            assertThat(bare.json().get("reactions")).hasSize(method.equals("PUT") ? 1 : 0);
        }
        Api.Reply own = speaker.patch(thread + "/messages/" + message, "{\"content\":\"mine again\"}");
        assertThat(own.text("content")).isEqualTo("mine again");
        Api.Reply added = robin("manage_thread")
                .post(thread + "/participants", "{\"sender_ids\":[\"user:" + UUID.randomUUID() + "\"]}");
        assertThat(added.json().get("participants")).hasSize(4);
        assertThat(added.toString()).doesNotContain("a secret");
        assertThat(added.json().get("last_message_at").isNull()).isTrue();
    }

    @Test
    void scopesDoNotExceedTheRightsInTheThread() {
        server.execute("update participants set capabilities = 1 where actor = 'agent:" + agent
                + "'; update thread_heads set facts = facts + 1");
        Api robin = robin("observe", "speak", "manage_thread");
        assertThat(robin.get(thread + "/messages").status()).isEqualTo(200);
        assertThat(robin.post(thread + "/agent-messages", "{\"content\":\"hello\"}")
                        .problem())
                .contains("forbidden");
        assertThat(robin.patch(thread, "{\"title\":\"new\"}").problem()).contains("forbidden");
        server.execute("update participants set capabilities = 0 where actor = 'agent:" + agent
                + "'; update thread_heads set facts = facts + 1");
        assertThat(robin.get(thread + "/messages").problem()).contains("thread-not-found");
        assertThat(robin.get(thread).problem()).contains("thread-not-found");
        assertThat(robin.post(thread + "/agent-messages", "{\"content\":\"hello\"}")
                        .problem())
                .contains("thread-not-found");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void aThreadWithoutTheAgentIsNotFound(String name, Call call) {
        if (!call.path().startsWith("{thread}")) {
            return;
        }
        Api robin = robin("observe", "speak", "manage_thread", "run");
        assertThat(olivia.delete(thread + "/participants/agent:" + agent).status())
                .isEqualTo(200);
        Api.Reply answer = send(robin, call);
        assertThat(answer.problem()).as(answer.toString()).contains("thread-not-found");
    }

    /** The rights for the last step of a call, or for its response, are checked before its first step. */
    @Test
    void aRefusedCallChangesNothing() {
        Api mute = robin("observe", "manage_thread");
        assertThat(mute.post(THREADS, "{\"initial_message\":\"hello\"}").text("detail"))
                .contains("speak");
        assertThat(mute.get(THREADS).json().get("threads")).hasSize(1);
        Api blind = robin("speak", "manage_thread");
        assertThat(blind.post(THREADS, "{}").text("detail")).contains("observe");
        assertThat(blind.patch(thread, "{\"title\":\"renamed\"}").text("detail"))
                .contains("observe");
        assertThat(mute.get(THREADS).json().get("threads")).hasSize(1);
        assertThat(olivia.get(thread).toString()).doesNotContain("renamed");
    }

    @Test
    void anAgentListsItsOwnThreadsOnly() {
        olivia.post(THREADS, "{\"title\":\"without Robin\"}");
        assertThat(robin("observe").get(THREADS).json().get("threads")).hasSize(1);
    }

    @Test
    void anAgentDoesNotPostAsAPerson() {
        assertThat(robin("observe", "speak")
                        .post(thread + "/messages", "{\"content\":\"hello\"}")
                        .problem())
                .contains("forbidden");
    }
}
