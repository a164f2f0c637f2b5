package dev.parley.sdk;

import static dev.parley.sdk.Samples.QUICK;
import static dev.parley.sdk.Samples.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.NewAgent;
import dev.parley.protocol.chat.NewAgentToken;
import dev.parley.protocol.chat.ThreadView;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The request that each method sends. */
class FrontDoorsTest {
    private static final String ROOT = "/api/v1/chat/threads/" + THREAD;
    private static final Actor AGENT = Actor.agent(new UUID(3, 4));
    private static final String OK = "{\"status\": \"ok\"}";

    @Test
    void threadsAreChangedAtTheirOwnAddress() throws IOException {
        expect(
                "PATCH " + ROOT + " {\"title\":\"Tea\"}",
                Samples.thread("Tea"),
                client ->
                        assertThat(client.thread(THREAD).rename("Tea").title()).isEqualTo("Tea"));
        expect(
                "PATCH " + ROOT + "/archive {\"archived\":false}",
                OK,
                client -> client.thread(THREAD).archive(false));
        expect(
                "PATCH " + ROOT + "/read {\"seq\":7}",
                "{\"status\": \"ok\", \"last_read_seq\": 9}",
                client -> assertThat(client.thread(THREAD).markRead(7)).isEqualTo(9));
        expect(
                "PATCH " + ROOT + "/read {\"seq\":null}",
                "{\"status\": \"ok\", \"last_read_seq\": 12}",
                client -> client.thread(THREAD).markRead());
        expect("DELETE " + ROOT + " ", OK, client -> client.thread(THREAD).delete());
        expect(
                "POST " + ROOT + "/typing {\"status\":\"stopped\"}",
                OK,
                client -> client.thread(THREAD).typing(false));
    }

    @Test
    void participantsComeAndGo() throws IOException {
        expect(
                "POST " + ROOT + "/participants {\"sender_ids\":[\"" + AGENT + "\"],\"capabilities\":null}",
                Samples.thread("T"),
                client -> client.thread(THREAD).participants().add(List.of(AGENT)));
        expect(
                "PATCH " + ROOT + "/participants/user%3A7 {\"capabilities\":[\"can_read\"]}",
                Samples.thread("T"),
                client -> client.thread(THREAD).participants().allow(new Actor("user:7"), List.of("can_read")));
        expect(
                "DELETE " + ROOT + "/participants/slack%3AU%201%2F2 ",
                OK,
                client -> client.thread(THREAD).participants().remove(new Actor("slack:U 1/2")));
        expect(
                "POST " + ROOT + "/mode {\"participation_mode\":\"invocation_only\",\"agent_id\":null}",
                OK,
                client -> client.thread(THREAD).participants().setMode("invocation_only"));
        expect(
                "POST " + ROOT + "/mode {\"participation_mode\":null,\"agent_id\":\"" + AGENT + "\"}",
                OK,
                client -> client.thread(THREAD).participants().setMode(AGENT, null));
    }

    @Test
    void messagesAreRevisedByTheirIds() throws IOException {
        String message = Samples.message("m 1", 1);
        expect(
                "PATCH " + ROOT + "/messages/m%201 {\"content\":\"better\"}",
                message,
                client -> client.thread(THREAD).message("m 1").edit("better"));
        expect(
                "DELETE " + ROOT + "/messages/m1 ",
                message,
                client -> client.thread(THREAD).message("m1").delete());
        expect(
                "PUT " + ROOT + "/messages/m1/reactions/%F0%9F%91%8D ",
                message,
                client -> client.thread(THREAD).message("m1").react("👍"));
        expect(
                "DELETE " + ROOT + "/messages/m1/reactions/%2Fx ",
                message,
                client -> client.thread(THREAD).message("m1").unreact("/x"));
        expect(
                "GET " + ROOT + "/messages?after_seq=3&limit=5&revisions=raw ",
                "{\"entries\": [], \"has_more\": false, \"next_after_seq\": 3}",
                client -> client.thread(THREAD).entriesAfter(3, 5));
    }

    @Test
    void ownersAndOperatorsHaveTheirOwnDoors() throws IOException {
        String agents = "/api/v1/owner/agents";
        String tokens = "/api/v1/owner/external-agents/tokens";
        String agent = """
                {"agent_id": "a", "sender_id": "%s", "display_name": "Bo", "kind": "external", "config": {},
                 "visibility": "private", "is_active": true, "created_at": "2026-01-01T00:00:00Z"}""".formatted(AGENT);
        expect(
                "POST " + agents + " {\"display_name\":\"Bo\",\"kind\":\"external\",\"config\":null,"
                        + "\"visibility\":null,\"is_active\":null}",
                agent,
                client -> client.owner().createAgent(NewAgent.external("Bo")));
        expect(
                "GET " + agents + " ",
                "{\"agents\": [" + agent + "]}",
                client -> assertThat(client.owner().agents()).hasSize(1));
        expect("GET " + agents + "/a ", agent, client -> client.owner().agent("a"));
        expect("DELETE " + agents + "/a ", OK, client -> client.owner().deleteAgent("a"));
        String token = """
                {"token_id": "t", "agent_actor_id": "%s", "raw_token": "ama_eat_1", "token_prefix": "ama_eat_",
                 "agent_display_name": "Bo", "scopes": ["observe"], "expires_at": null,
                 "created_at": "2026-01-01T00:00:00Z", "last_used_at": null}""".formatted(AGENT);
        expect(
                "POST " + tokens + " {\"agent_actor_id\":\"" + AGENT
                        + "\",\"agent_display_name\":null,\"scopes\":null,\"expires_at\":null}",
                token,
                client -> assertThat(client.owner()
                                .createToken(NewAgentToken.of(AGENT))
                                .rawToken())
                        .isEqualTo("ama_eat_1"));
        expect("DELETE " + tokens + "/t ", OK, client -> client.owner().revokeToken("t"));
        expect(
                "GET /api/v1/operator/audit?before=7 ",
                "{\"acts\": [], \"has_more\": false}",
                client -> client.operator().auditBefore(7));
        expect(
                "DELETE /api/v1/operator/integration-keys/k ",
                OK,
                client -> client.operator().revokeKey("k"));
        expect(
                "POST /api/v1/auth/stream-tickets {\"path\":\"/api/v1/chat/inbox/stream\"}",
                "{\"ticket\": \"secret\"}",
                client -> assertThat(client.streamTicket(Parley.INBOX_PATH)).isEqualTo("secret"));
    }

    @Test
    void leavingIsRemovingOneself() throws IOException {
        String me = "{\"sender_id\": \"" + AGENT
                + "\", \"kind\": \"agent\", \"display_name\": \"Bo\", \"is_operator\": false, \"scopes\": []}";
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, me), (request, wire) -> wire.json(200, OK));
                Parley client = quick(server)) {
            client.thread(THREAD).participants().leave();
            assertThat(server.requests())
                    .extracting(FrontDoorsTest::line)
                    .containsExactly(
                            "GET /api/v1/auth/me ",
                            "DELETE " + ROOT + "/participants/" + AGENT.value().replace(":", "%3A") + " ");
        }
    }

    @Test
    void allThreadsAreReadPageByPageAsTheyAreTaken() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        (request, wire) -> wire.json(200, page("\"a+b\"", "1", "2")),
                        (request, wire) -> wire.json(200, page("\"c\"", "3")),
                        (request, wire) -> wire.json(200, page("null", "4")));
                Parley client = quick(server)) {
            ThreadQuery query = new ThreadQuery(true, "tea & rum", 2);
            assertThat(client.threads().all(query).map(ThreadView::title)).containsExactly("1", "2", "3", "4");
            String list = "GET /api/v1/chat/threads?limit=2&archived=true&q=tea%20%26%20rum";
            assertThat(server.requests())
                    .extracting(FrontDoorsTest::line)
                    .containsExactly(list + " ", list + "&cursor=a%2Bb ", list + "&cursor=c ");
        }
    }

    private static String page(String cursor, String... titles) {
        String threads =
                String.join(",", List.of(titles).stream().map(Samples::thread).toList());
        return "{\"threads\": [" + threads + "], \"next_cursor\": " + cursor + "}";
    }

    /** @param line method, address and body */
    private static void expect(String line, String answer, Consumer<Parley> call) throws IOException {
        try (ScriptedServer server = new ScriptedServer((request, wire) -> wire.json(200, answer));
                Parley client = quick(server)) {
            call.accept(client);
            assertThat(server.requests()).extracting(FrontDoorsTest::line).containsExactly(line);
        }
    }

    private static String line(ScriptedServer.Request request) {
        return request.method() + " " + request.path() + " " + request.body();
    }

    private static Parley quick(ScriptedServer server) {
        return Parley.at(server.uri()).retryCalls(QUICK).connect();
    }
}
