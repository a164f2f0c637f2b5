package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Each message of an Agno client is in the log once, in order, under its author's name. */
class ChatEventTest {
    @AutoClose
    private static final RunningServer server =
            Session.start("--limit-session-events", "3", "--limit-session-agents", "2");

    @Test
    void firstMessageMakesTheSession() {
        Session session = Session.fresh(server);
        assertThat(session.api().get(session.path("/messages")).problem()).contains("thread-not-found");

        Api.Reply reply = session.say(Session.user("m1", "中文 العربية 👩‍👩‍👧‍👦"));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        JsonNode row = reply.json().path("chat_events").get(0);
        assertThat(row.path("seq").asInt()).isEqualTo(1);
        assertThat(row.path("session_id").asString()).isEqualTo(session.id());
        assertThat(UUID.fromString(row.path("id").asString()).version()).isEqualTo(7);
        assertThat(session.messages("")).isEqualTo("[" + Session.user("m1", "中文 العربية 👩‍👩‍👧‍👦") + "]");
        assertThat(session.chat().get(0).path("content").asString()).isEqualTo("中文 العربية 👩‍👩‍👧‍👦");
    }

    @Test
    void bareMessageIsKeptByteForByte() {
        Session session = Session.fresh(server);
        String bare = "{\"id\":\"m1\", \"content\":\"你好 🌍 مرحبا\", \"role\":\"user\", \"created_at\":1765280936}";

        Api.Reply reply = session.append("  " + bare + "\n");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        assertThat(session.messages("")).isEqualTo("[" + bare + "]");
        assertThat(session.say(bare).status())
                .as("the same message in a wrapper")
                .isEqualTo(200);
    }

    @Test
    void messageDataIsTakenAsMessage() {
        Session session = Session.fresh(server);
        String answer = "{\"id\":\"m2\",\"content\":\"嗨\",\"role\":\"assistant\"}";

        Api.Reply reply = session.append(
                "{\"chat_events\":[%s, {\"message_data\": %s, \"agent_name\":\"Ada\"}, {\"message\":%s}]}"
                        .formatted(Session.user("m1", "hello"), answer, Session.user("m3", "bye")));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        assertThat(session.messages(""))
                .isEqualTo("[" + Session.user("m1", "hello") + "," + answer + "," + Session.user("m3", "bye") + "]");
        assertThat(session.rows().get(1).path("agent_name").asString()).isEqualTo("Ada");
    }

    @Test
    void readRowsCanBePostedUnchanged() {
        Session one = Session.fresh(server);
        one.append("{\"message\":{\"id\":\"m1\",\"content\":\"a\",\"role\":\"assistant\"},\"agent_name\":\"Ada\"}");
        Session other = new Session(one.api(), one.id() + "-copy");

        Api.Reply reply = other.append("{\"chat_events\":" + one.rows() + "}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        assertThat(other.messages("")).isEqualTo(one.messages(""));
        assertThat(other.rows().get(0).path("agent_name").asString()).isEqualTo("Ada");
    }

    @Test
    void bodyWithoutAReadableMessageNamesTheField() {
        Session session = Session.fresh(server);
        assertThat(session.append("{\"content\":\"hi\"}").toString())
                .contains("\"field\":\"message\"", "as Message.to_dict() returns it");
        assertThat(session.append("{\"role\":\"user\",\"content\":\"hi\"}").toString())
                .contains("\"field\":\"id\"");
        assertThat(session.append("{\"message_data\":{\"id\":\"m1\"}}").toString())
                .contains("\"field\":\"message_data.role\"");
        assertThat(session.append("{\"message_data\":\"hi\"}").toString()).contains("\"field\":\"message_data\"");
        assertThat(session.append("{\"chat_events\":[{\"message\":{\"id\":\"a\",\"role\":\"user\"},"
                                + "\"message_data\":{\"id\":\"a\",\"role\":\"user\"}}]}")
                        .toString())
                .contains("\"field\":\"chat_events[0].message_data\"", "must be left out where message is given");
        assertThat(session.append("{\"chat_events\":[{\"id\":\"a\",\"role\":\"user\"}],"
                                + "\"message\":{\"id\":\"b\",\"role\":\"user\"}}")
                        .toString())
                .contains("\"field\":\"message\"", "must be left out where chat_events is given");
        assertThat(session.append("[]").toString()).contains("\"field\":\"message\"");
    }

    @Test
    void personsMessageCarriesNoAgentsName() {
        Session session = Session.fresh(server);
        session.append("""
                {"chat_events":[
                  {"message":{"id":"1","role":"user","content":"问"},
                   "agent_id":"a-1","agent_name":"Counter","team_name":"Council","run_id":"r-1"},
                  {"message":{"id":"2","role":"assistant","content":"答"},
                   "agent_id":"a-1","agent_name":"Counter","team_name":"Council","run_id":"r-1"}]}""");
        JsonNode asked = session.chat().get(0);
        assertThat(asked.path("sender_id").asString()).startsWith("user:");
        assertThat(asked.path("metadata").has("agent_name"))
                .as(asked.toString())
                .isFalse();
        assertThat(asked.path("metadata").has("team_name")).isFalse();
        assertThat(asked.path("metadata").path("run_id").asString()).isEqualTo("r-1");
        assertThat(session.chat().get(1).path("metadata").path("agent_name").asString())
                .isEqualTo("Counter");
    }

    @Test
    void knownMessageIsLeftUnchanged() {
        Session session = Session.fresh(server);
        session.say(Session.user("m1", "hello"));

        Api.Reply again =
                session.say("{\"role\":\"user\", \"from_history\":true, \"content\":\"hello\", \"id\":\"m1\"}");

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().path("chat_events").get(0).path("message_data").has("from_history"))
                .as("the first message is stored")
                .isFalse();
        assertThat(session.chat().size()).isEqualTo(1);
    }

    @Test
    void knownIdWithAnotherBodyRefusesTheWholePost() {
        Session session = Session.fresh(server);
        session.say(Session.user("m1", "hello"));

        Api.Reply reply = session.say(List.of(Session.user("m2", "new"), Session.user("m1", "other")));

        assertThat(reply.problem()).contains("key-reused");
        assertThat(reply.text("message_id")).isEqualTo("m1");
        assertThat(session.chat().size()).isEqualTo(1);
    }

    @Test
    void equalMessagesOfOnePostAreStoredOnce() {
        Session session = Session.fresh(server);
        assertThat(session.say(List.of(Session.user("m1", "a"), Session.user("m1", "a")))
                        .status())
                .isEqualTo(201);
        assertThat(session.say(List.of(Session.user("m2", "a"), Session.user("m2", "b")))
                        .problem())
                .contains("key-reused");
        assertThat(session.rows().size()).isEqualTo(1);
    }

    @Test
    void postWithKnownAndNewMessagesAddsTheNewOnes() {
        Session session = Session.fresh(server);
        session.say(Session.user("m1", "a"));
        Api.Reply reply = session.say(List.of(Session.user("m1", "a"), Session.user("m2", "b")));
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.json().path("chat_events").size()).isEqualTo(2);
        assertThat(session.rows().size()).isEqualTo(2);
    }

    @Test
    void authorsKeepTheirOwnNames() {
        UUID olivia = UUID.randomUUID();
        Session session = new Session(server.api(olivia, "Olivia"), "authors-" + olivia);
        session.append("""
                {"chat_events":[
                  {"message":{"id":"1","role":"user","content":"mine"},"user_id":"%s"},
                  {"message":{"id":"2","role":"user","content":"of another person"},"user_id":"bob@example.org"},
                  {"message":{"id":"3","role":"user","content":"as a user of this server"},"user_id":"%s"}]}""".formatted(olivia, UUID.fromString("00000000-0000-4000-8000-000000000001")));
        session.append("""
                {"chat_events":[
                  {"message":{"id":"4","role":"assistant","content":"by name"},"agent_name":"Weather"},
                  {"message":{"id":"5","role":"tool","content":"21","tool_call_id":"c"},"agent_name":"Weather"},
                  {"message":{"id":"6","role":"system","content":"be kind"},"agent_id":"a-1","agent_name":"Other"}]}""");
        List<String> senders = session.rows()
                .valueStream()
                .map(row -> row.path("sender_id").asString())
                .toList();
        assertThat(senders.subList(0, 3))
                .containsExactly(
                        "user:" + olivia,
                        "agno:bob@example.org",
                        // A client cannot name a user of the server as the author; the id stays in the client's
                        // namespace.
                        "agno:00000000-0000-4000-8000-000000000001");
        assertThat(senders.get(3))
                .startsWith("agent:")
                .isEqualTo(senders.get(4))
                .isNotEqualTo(senders.get(5));
        JsonNode thread =
                session.api().get("/api/v1/chat/threads/" + session.thread()).json();
        assertThat(thread.path("participants")
                        .valueStream()
                        .map(each -> each.path("display_name").asString()))
                .contains("Olivia", "bob@example.org", "Weather", "Other");
    }

    @Test
    void systemMessage_onTheChatFace_hasTheSystemAsSender() {
        Session session = Session.fresh(server);
        session.append(
                "{\"message\":{\"id\":\"1\",\"role\":\"system\",\"content\":\"be kind\"},\"agent_name\":\"Kind\"}");
        session.append(
                "{\"message\":{\"id\":\"2\",\"role\":\"assistant\",\"content\":\"hi\"},\"agent_name\":\"Kind\"}");
        String chat = "/api/v1/chat/threads/" + session.thread();
        JsonNode messages = session.api().get(chat + "/messages").json().path("messages");
        JsonNode events = session.api().get(chat + "/events").json().path("events");

        assertThat(session.rows().get(0).path("sender_id").asString())
                .as("the session keeps the author of the prompt")
                .startsWith("agent:")
                .isEqualTo(messages.get(1).path("sender_id").asString());
        for (JsonNode shown : List.of(
                messages.get(0),
                events.valueStream()
                        .filter(event -> event.path("role").asString("").equals("system"))
                        .findFirst()
                        .orElseThrow())) {
            assertThat(shown.path("role").asString()).isEqualTo("system");
            assertThat(shown.path("sender_id").asString()).isEqualTo("system:parley");
        }
    }

    @Test
    void agentsOfAnOwnersSessionsAreLimited() {
        Session session = Session.fresh(server);
        String event = "{\"message\":{\"id\":\"%s\",\"role\":\"assistant\",\"content\":\"x\"},\"agent_name\":\"%s\"}";
        assertThat(session.append(event.formatted("1", "one")).status()).isEqualTo(201);
        assertThat(session.append(event.formatted("2", "two")).status()).isEqualTo(201);
        assertThat(session.append(event.formatted("3", "three")).problem()).contains("too-many-agents");
        assertThat(session.append(event.formatted("4", "one")).status()).isEqualTo(201);
    }

    @Test
    void sameNameIsAnotherSessionForEachOwner() {
        Session one = Session.fresh(server);
        Session other = one.as(server.api(UUID.randomUUID(), "Paul"));
        one.say(Session.user("m", "one"));
        assertThat(other.api().get(other.path("/messages")).problem()).contains("thread-not-found");
        other.say(Session.user("m", "two"));
        assertThat(one.messages("")).contains("one").doesNotContain("two");
    }

    @Test
    void uuidAddressesTheThread() {
        Session named = Session.fresh(server);
        named.say(Session.user("m", "hello"));
        Session byId = new Session(named.api(), named.thread());
        assertThat(byId.messages("")).isEqualTo(named.messages(""));
        Session stranger = byId.as(server.api(UUID.randomUUID(), "Paul"));
        assertThat(stranger.api().get(stranger.path("/messages")).problem()).contains("thread-not-found");
        assertThat(stranger.say(Session.user("n", "let me in")).problem()).contains("thread-not-found");
        Session fresh = new Session(named.api(), UUID.randomUUID().toString());
        assertThat(fresh.say(Session.user("m", "hello")).status()).isEqualTo(201);
    }

    @Test
    void agentTokenNeedsTheScopeOfRuns() {
        ChatCaller owner = ChatCaller.user(server, "Olivia");
        ChatCaller.Agent speaker = owner.newAgent("Speaker", "observe", "speak", "manage_thread");
        ChatCaller.Agent runner = owner.newAgent("Runner", "observe", "speak", "manage_thread", "run");
        String id = "agents-" + UUID.randomUUID();
        Session refused = new Session(server.api(speaker.token().rawToken()), id);
        assertThat(refused.say(Session.user("m", "hello")).problem()).contains("forbidden");
        Session session = new Session(server.api(runner.token().rawToken()), id);
        assertThat(session.say("{\"id\":\"a\",\"role\":\"assistant\",\"content\":\"I am\"}")
                        .status())
                .isEqualTo(201);
        assertThat(session.rows().get(0).path("sender_id").asString())
                .isEqualTo(runner.actor().value());
        assertThat(owner.get("/sessions/" + id + "/messages").status())
                .as("its owner calls the session by the same name")
                .isEqualTo(200);
    }

    @Test
    void postedMessagesStartNoRun() {
        UUID olivia = UUID.randomUUID();
        Api api = server.api(olivia, "Olivia");
        Session session = new Session(api, "silent-" + olivia);
        session.say(Session.user("m1", "hello"));
        api.post(
                "/api/v1/chat/threads/" + session.thread() + "/participants",
                "{\"sender_ids\":[\"agent:00000000-0000-7000-8000-0000000000de\"]}");
        session.say(Session.user("m2", "is the agent there?"));
        assertThat(server.count("select count(*) from runs where thread_id = '" + session.thread() + "'"))
                .isZero();
    }

    @Test
    void excessIsRefusedWithTheNameOfTheField() {
        Session session = Session.fresh(server);
        List<String> four = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            four.add(Session.user("m" + i, "x"));
        }
        assertThat(session.say(four.subList(0, 3)).status()).isEqualTo(201);
        assertThat(session.say(four).problem()).contains("invalid-fields");
        assertThat(session.append("{\"chat_events\":[]}").problem()).contains("invalid-fields");
        assertThat(session.say(Session.user("i".repeat(128), "x")).status()).isEqualTo(201);
        assertThat(session.say(Session.user("i".repeat(129), "x"))
                        .json()
                        .path("errors")
                        .get(0)
                        .path("field")
                        .asString())
                .isEqualTo("message.id");
        assertThat(session.append(
                                "{\"message\":{\"id\":\"r\",\"role\":\"user\"},\"run_id\":\"" + "r".repeat(129) + "\"}")
                        .problem())
                .contains("invalid-fields");
        assertThat(session.say("{\"role\":\"user\"}").problem()).contains("invalid-fields");
        assertThat(session.say("{\"id\":\"x\"}").problem()).contains("invalid-fields");
        assertThat(session.say("{\"id\":\"\\u0000\",\"role\":\"user\"}").problem())
                .contains("invalid-fields");
        assertThat(session.say("{\"id\":\"x\",\"role\":\"user\",\"tool_args\":{\"a\":NaN}}")
                        .problem())
                .contains("invalid-json");
        assertThat(session.append("[]").problem()).contains("invalid-fields");
        Session tooLong = new Session(session.api(), "s".repeat(129));
        assertThat(tooLong.say(Session.user("m", "x")).problem()).contains("invalid-fields");
        assertThat(new Session(session.api(), "s".repeat(128))
                        .say(Session.user("m", "x"))
                        .status())
                .isEqualTo(201);
    }

    /** Twenty clients post at once, partly the same messages: each message is stored once. */
    @Test
    void concurrentPostsNeitherLoseNorDoubleMessages() throws Exception {
        Session session = Session.fresh(server);
        List<Future<Api.Reply>> posts = new ArrayList<>();
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20; i++) {
                int number = i;
                posts.add(many.submit(() -> session.say(
                        List.of(Session.user("own-" + number, "mine"), Session.user("shared-" + number % 5, "ours")))));
            }
        }
        for (Future<Api.Reply> post : posts) {
            assertThat(post.get().status()).as(post.get().toString()).isIn(200, 201);
            assertThat(post.get().json().path("chat_events").size()).isEqualTo(2);
        }
        Set<String> ids = new HashSet<>();
        session.rows()
                .forEach(row ->
                        assertThat(ids.add(row.path("message_id").asString())).isTrue());
        assertThat(ids).hasSize(25);
        assertThat(session.chat().size()).isEqualTo(25);
    }
}
