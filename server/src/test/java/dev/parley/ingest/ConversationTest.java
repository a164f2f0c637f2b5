package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A channel is a thread that its key's owner manages; a key submits messages of its own source only. */
class ConversationTest {
    private static final String CONFIGURED = "a-key-from-the-configuration";

    @AutoClose
    private static final RunningServer server = Relay.start("--integration-keys", "relay=" + CONFIGURED);

    private static final Relay slack = Relay.of(server, "slack");
    private static final Api operator = Relay.operator(server);

    private final Relay relay = slack.elsewhere();

    private static String session(JsonNode answer) {
        return answer.path("session_id").asString();
    }

    private String sessionOf(ObjectNode metadata) {
        return session(relay.bring(Relay.body("hello", metadata)));
    }

    private static ObjectNode without(ObjectNode metadata, String name) {
        metadata.remove(name);
        return metadata;
    }

    @Test
    void ownerManagesTheThreadWithTheSenderAndTheAgent() {
        JsonNode answer = relay.bring("hello");

        JsonNode thread = operator.get(Relay.thread(answer)).json();

        assertThat(thread.path("participants"))
                .extracting(member -> member.path("sender_id").asString() + " "
                        + member.path("participant_kind").asString() + " "
                        + member.path("display_name").asString())
                .containsExactlyInAnyOrder(
                        "user:" + Relay.OPERATOR + " user Root",
                        "agent:" + Relay.DEMO + " agent Demo",
                        "slack:U06STGBF4Q0 external Olivia");
        assertThat(thread.path("participants")
                        .path(0)
                        .path("capabilities")
                        .valueStream()
                        .map(JsonNode::asString))
                .contains("can_manage_participants");
        assertThat(thread.path("title").asString()).isEqualTo("hello");
        assertThat(thread.path("participation_mode").asString()).isEqualTo("open");
        assertThat(relay.api().get(Relay.thread(answer)).status()).isEqualTo(200);
        assertThat(relay.api().get("/api/v1/chat/threads").toString()).contains(session(answer));
        assertThat(operator.get("/api/v1/chat/threads").toString()).contains(session(answer));
    }

    @Test
    void laterSendersJoinAndNewNamesAreShown() {
        JsonNode first = relay.bring(relay.body("hello").put("passive", true));
        relay.bring(Relay.body(
                        "me too", relay.metadata().put("sender_id", "slack:U2").put("sender_display_name", "Ash"))
                .put("passive", true));
        relay.bring(Relay.body("new name", relay.metadata().put("sender_display_name", "Liv"))
                .put("passive", true));
        relay.bring(Relay.body("no name", relay.metadata().put("sender_display_name", " "))
                .put("passive", true));

        assertThat(operator.get(Relay.thread(first)).json().path("participants"))
                .extracting(member -> member.path("display_name").asString())
                .containsExactlyInAnyOrder("Root", "Demo", "Liv", "Ash");
        assertThat(operator.get(Relay.thread(first) + "/events").toString()).contains("participants_added");
    }

    @Test
    void senderBeyondTheLimitOfParticipantsIsStored() {
        try (RunningServer small = Relay.start("--limit-participants", "3")) {
            Relay crowded = Relay.of(small, "slack");
            JsonNode first = crowded.bring("one");
            JsonNode second = crowded.bring(Relay.body("two", crowded.metadata().put("sender_id", "slack:U2")));

            assertThat(second.path("session_id")).isEqualTo(first.path("session_id"));
            assertThat(crowded.messages(second))
                    .extracting(message -> message.path("sender_id").asString())
                    .contains("slack:U2");
            assertThat(Relay.operator(small).get(Relay.thread(first)).json().path("participants"))
                    .hasSize(3);
        }
    }

    @Test
    void channelsWorkspacesAndThreadsInThemAreThreadsOfTheirOwn() {
        String channel = sessionOf(relay.metadata());

        assertThat(sessionOf(relay.metadata())).isEqualTo(channel);
        assertThat(sessionOf(relay.metadata().put("sender_id", "slack:U2"))).isEqualTo(channel);
        String inThread = sessionOf(relay.metadata().put("external_thread_id", "17.1"));
        assertThat(inThread).isNotEqualTo(channel);
        assertThat(sessionOf(relay.metadata().put("external_thread_id", "17.1")))
                .isEqualTo(inThread);
        assertThat(List.of(channel, inThread))
                .doesNotContain(sessionOf(relay.metadata().put("workspace_id", "T2")));
        assertThat(List.of(channel, inThread))
                .doesNotContain(sessionOf(relay.metadata().put("channel_external_id", relay.channel() + "x")));
    }

    @Test
    void clientIdStandsForAMissingChannel() {
        ObjectNode unnamed = without(relay.metadata(), "channel_external_id");
        String first = session(relay.bring(Relay.body("hello", unnamed).put("client_id", relay.channel())));

        assertThat(sessionOf(relay.metadata())).isEqualTo(first);
        assertThat(session(relay.bring(relay.body("hello").put("client_id", "another"))))
                .as("client_id counts only without a channel")
                .isEqualTo(first);
    }

    @Test
    void messageWithoutAChannelBelongsToTheSendersOwnConversation() {
        String own = "slack:" + UUID.randomUUID();
        ObjectNode direct = without(relay.metadata(), "channel_external_id").put("sender_id", own);
        String first = sessionOf(direct);

        assertThat(sessionOf(direct)).isEqualTo(first);
        assertThat(sessionOf(direct.deepCopy().put("sender_id", own + "x"))).isNotEqualTo(first);
        assertThat(sessionOf(direct.deepCopy().put("channel_external_id", own)))
                .as("a channel of that name has another thread")
                .isNotEqualTo(first);
    }

    @Test
    void sessionNamesAThreadOfItsSource() {
        JsonNode first = relay.bring("hello");
        ObjectNode metadata = without(relay.metadata(), "channel_external_id").put("external_message_id", "1");
        ObjectNode body = Relay.body("by its id", metadata).put("session_id", session(first));

        JsonNode second = relay.bring(body);

        assertThat(session(second)).isEqualTo(session(first));
        assertThat(second.at("/engagement/run").asBoolean()).isTrue();
        assertThat(relay.bringAgain(body).path("message_id")).isEqualTo(second.path("message_id"));
    }

    @Test
    void sessionOfAnotherSourceIsNotFound() {
        Relay discord = Relay.of(server, "discord");
        JsonNode theirs = discord.bring("hello");
        String own = operator.post("/api/v1/chat/threads", "{}").text("thread_id");
        JsonNode deleted = relay.elsewhere().bring("hello");
        operator.delete(Relay.thread(deleted));
        for (String session : List.of(
                session(theirs), own, session(deleted), UUID.randomUUID().toString(), "nonsense")) {
            Api.Reply reply = relay.submit(relay.body("hello").put("session_id", session));
            assertThat(reply.problem()).as(session).contains("thread-not-found");
        }
    }

    @Test
    void channelOfADeletedThreadGetsAFreshOne() {
        JsonNode first = relay.bring("hello");
        assertThat(operator.delete(Relay.thread(first)).status()).isEqualTo(200);

        JsonNode second = relay.bring("hello");

        assertThat(session(second)).isNotEqualTo(session(first));
        assertThat(second.path("seq").asInt()).isEqualTo(1);
        assertThat(session(relay.bring("hello"))).isEqualTo(session(second));
    }

    @Test
    void answeredMessageIsNamedByTheServersId() {
        JsonNode first = relay.bring(Relay.body("hello", relay.metadata().put("external_message_id", "1"))
                .put("passive", true));
        JsonNode second = relay.bring(Relay.body("re", relay.metadata().put("reply_to_external_id", "1"))
                .put("passive", true));
        JsonNode third = relay.bring(Relay.body("re", relay.metadata().put("reply_to_external_id", "nowhere"))
                .put("passive", true));

        List<String> replies = server.select(
                "select coalesce(reply_to, '-') from entries where thread_id = '" + session(third) + "' order by seq");
        assertThat(replies).containsExactly("-", first.path("message_id").asString(), "-");
        assertThat(session(second)).isEqualTo(session(first));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user:0198c0de-0000-7000-8000-000000000001",
                "agent:00000000-0000-7000-8000-0000000000de",
                "system:parley",
                "integration:slack",
                "discord:U1",
                "bb:U1",
                "U1",
                "slack:",
                "slack: ",
                "slackx:U1",
                "Slack:U1",
                ":U1"
            })
    void senderOfAnotherPrefixIsRefused(String sender) {
        Api.Reply reply = relay.submit(Relay.body("hello", relay.metadata().put("sender_id", sender)));

        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("msg_metadata.sender_id");
    }

    @Test
    void keyOfAnotherSourceIsRefused() {
        Relay discord = Relay.of(server, "discord");
        Api.Reply reply = relay.submit(discord.body("hello"));
        assertThat(reply.problem()).contains("forbidden");
        assertThat(relay.submit(Relay.body("hello", relay.metadata().put("source", "user")))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void usersWithoutAKeyAreRefused() {
        Api user = server.api(UUID.randomUUID(), "User");
        assertThat(user.post(Relay.CHAT, relay.body("hello").toString()).problem())
                .contains("forbidden");
        assertThat(user.post(Relay.CHAT, "nonsense").problem())
                .as("refused for any body")
                .contains("forbidden");
        Api.Reply byOperator = operator.post(Relay.CHAT, relay.body("hello").toString());
        assertThat(byOperator.status()).isEqualTo(202);
        assertThat(session(byOperator.json())).isEqualTo(session(relay.bring("hello")));
    }

    @Test
    void configuredKeyBelongsToTheFirstOperator() {
        Relay configured = new Relay(server, server.api(CONFIGURED), "relay", "C1");
        JsonNode answer = configured.bring("hello");
        assertThat(operator.get(Relay.thread(answer))
                        .json()
                        .at("/participants/0/sender_id")
                        .asString())
                .isEqualTo("user:" + Relay.OPERATOR);
    }

    @Test
    void configuredKeyWithoutAnOperatorIsRefused() {
        try (RunningServer nobodys = RunningServer.start("--integration-keys", "relay=" + CONFIGURED)) {
            Relay configured = new Relay(nobodys, nobodys.api(CONFIGURED), "relay", "C1");
            Api.Reply reply = configured.submit(configured.body("hello"));
            assertThat(reply.problem()).contains("forbidden");
            assertThat(reply.text("detail")).contains("operators");
        }
    }

    @Test
    void revokedKeyIsRefused() {
        Api.Reply key = operator.post("/api/v1/operator/integration-keys", "{\"source\":\"slack\"}");
        Relay revoked = new Relay(server, server.api(key.text("raw_key")), "slack", relay.channel());
        revoked.bring("hello");
        operator.delete("/api/v1/operator/integration-keys/" + key.text("key_id"));
        assertThat(revoked.submit(revoked.body("hello")).status()).isEqualTo(401);
    }

    @Test
    void messagesPerMinuteHaveALimit() {
        try (RunningServer slow =
                RunningServer.start("--operators", Relay.OPERATOR.toString(), "--limit-ingest-per-minute", "3")) {
            Relay busy = Relay.of(slow, "slack");
            Relay other = Relay.of(slow, "slack");
            for (int i = 0; i < 3; i++) {
                busy.bring("hello " + i);
            }
            Api.Reply refused = busy.submit(busy.body("too much"));
            assertThat(refused.problem()).contains("rate-limited");
            assertThat(refused.header("Retry-After")).isPresent();
            other.bring("another key");
        }
    }

    @Test
    void aDeletedThreadLeavesNoDeliveries() {
        JsonNode answer = relay.bring(relay.body("hello").put("passive", true));
        assertThat(relay.countOf("inbound_events", answer)).isEqualTo(1);
        operator.delete(Relay.thread(answer));
        await().atMost(Duration.ofSeconds(20)).until(() -> relay.countOf("inbound_events", answer) == 0);
    }
}
