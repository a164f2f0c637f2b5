package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every message is stored, with the decision about its answer and the reason. */
class InboundEngagementTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");
    private static final Api operator = Relay.operator(server);

    private final Relay relay = slack.elsewhere();

    private static String reason(JsonNode answer) {
        JsonNode engagement = answer.path("engagement");
        assertThat(answer.path("run_id").isNull())
                .isEqualTo(!engagement.path("run").asBoolean());
        return engagement.path("reason").asString();
    }

    private ObjectNode from(String sender, String type) {
        return Relay.body(
                "hello", relay.metadata().put("sender_id", "slack:" + sender).put("sender_type", type));
    }

    private ObjectNode addressed(ObjectNode body) {
        ((ObjectNode) body.get("msg_metadata")).put("recipient_id", "bot:demo");
        return body;
    }

    private static String newAgent(Api owner, String name, String kind, String visibility) {
        return owner.post(
                        "/api/v1/owner/agents",
                        Json.MAPPER.writeValueAsString(
                                Map.of("display_name", name, "kind", kind, "visibility", visibility)))
                .text("agent_id");
    }

    @Test
    void passiveMessageIsStoredAndNotAnswered() {
        assertThat(reason(relay.bring(relay.body("hello").put("passive", true))))
                .isEqualTo("passive");
        ObjectNode inMetadata = Relay.body("hello", relay.metadata().put("passive", true));
        JsonNode answer = relay.bring(addressed(inMetadata));
        assertThat(reason(answer)).as("even if the message addresses an agent").isEqualTo("passive");
        assertThat(relay.messages(answer))
                .extracting(message -> message.at("/metadata/passive").asBoolean())
                .containsExactly(true, true);
        assertThat(relay.messages(answer).path(0).at("/engagement/0/reason").asString())
                .isEqualTo("passive");
    }

    @Test
    void peopleAreAnsweredInAnOpenThread() {
        assertThat(reason(relay.bring("hello"))).isEqualTo("open");
        assertThat(reason(relay.bring(addressed(relay.body("hello"))))).isEqualTo("mentioned");
    }

    @Test
    void botsAreAnsweredOnlyIfTheyMentionAnAgent() {
        assertThat(reason(relay.bring(from("B1", "bot")))).isEqualTo("agent_not_mentioned");
        assertThat(reason(relay.bring(from("B1", "bot").put("bot_id", Relay.DEMO))))
                .as("bot_id, sent with every message, does not address the agent for a bot")
                .isEqualTo("agent_not_mentioned");
        assertThat(reason(relay.bring(addressed(from("B1", "bot"))))).isEqualTo("mentioned");
    }

    @Test
    void messageFromTheOwnersDeviceIsAPersons() {
        ObjectNode body = from("B1", "bot");
        ((ObjectNode) body.get("msg_metadata")).put("is_from_me", true);
        assertThat(reason(relay.bring(body))).isEqualTo("open");
    }

    @Test
    void botsReachTheLimitOfHops() {
        relay.bring(relay.body("go").put("passive", true));
        assertThat(reason(relay.bring(addressed(from("B1", "bot"))))).isEqualTo("mentioned");
        assertThat(reason(relay.bring(addressed(from("B2", "bot"))))).isIn("mentioned", "hop_limit");
        assertThat(reason(relay.bring(addressed(from("B3", "bot"))))).isEqualTo("hop_limit");
        assertThat(reason(relay.bring("a person"))).isEqualTo("open");
        assertThat(reason(relay.bring(addressed(from("B1", "bot"))))).isIn("mentioned", "hop_limit");
    }

    @Test
    void mentioningBotUsesUpItsBudget() {
        JsonNode last = relay.bring(relay.body("go").put("passive", true));
        for (int i = 0; i < 10; i++) {
            relay.bring(relay.body("a person listens").put("passive", true));
            last = relay.bring(addressed(from("B1", "bot")));
            assertThat(reason(last)).isIn("mentioned");
        }
        relay.bring(relay.body("a person listens").put("passive", true));
        assertThat(reason(relay.bring(addressed(from("B1", "bot"))))).isEqualTo("agent_budget");
    }

    @Test
    void invocationOnlyThreadNeedsAnAddress() {
        JsonNode first = relay.bring(relay.body("hello").put("passive", true));
        assertThat(operator.post(Relay.thread(first) + "/mode", "{\"participation_mode\":\"invocation_only\"}")
                        .status())
                .isEqualTo(200);
        ObjectNode self = relay.metadata();
        self.putArray("mentions").addObject().put("external_id", "UBOT").put("is_self", true);
        ObjectNode others = relay.metadata();
        others.putArray("mentions").addObject().put("external_id", "U2").put("is_self", false);

        assertThat(reason(relay.bring("hello"))).isEqualTo("not_mentioned");
        assertThat(reason(relay.bring(Relay.body("hello", others)))).isEqualTo("not_mentioned");
        assertThat(reason(relay.bring(Relay.body("hello", relay.metadata().put("recipient_id", "slack:U2")))))
                .isEqualTo("not_mentioned");
        assertThat(reason(relay.bring(addressed(relay.body("hello"))))).isEqualTo("mentioned");
        assertThat(reason(relay.bring(relay.body("hello").put("bot_id", Relay.DEMO))))
                .isEqualTo("mentioned");
        assertThat(reason(relay.bring(Relay.body("hello", self)))).isEqualTo("mentioned");
    }

    @ParameterizedTest
    @ValueSource(strings = {Relay.DEMO, "agent:" + Relay.DEMO, "Demo", "DEMO"})
    void anAgentIsNamedByItsIdOrItsName(String name) {
        assertThat(reason(relay.bring(relay.body("hello").put("bot_id", name)))).isEqualTo("mentioned");
        ObjectNode recipient = Relay.body("hello", relay.metadata().put("recipient_id", "bot:" + name));
        assertThat(reason(relay.bring(recipient))).isEqualTo("mentioned");
    }

    @Test
    void unknownAgentIsRefusedWithItsField() {
        Api somebody = server.api(UUID.randomUUID(), "Somebody");
        String foreign = newAgent(somebody, "Theirs", "demo", "private");
        newAgent(operator, "Twin", "demo", "private");
        newAgent(operator, "twin", "demo", "private");
        for (String unknown : List.of(foreign, UUID.randomUUID().toString(), "Theirs", "nobody", "twin", "user:x")) {
            Api.Reply reply = relay.submit(relay.body("hello").put("bot_id", unknown));
            assertThat(reply.status()).as(unknown + reply).isEqualTo(400);
            assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("bot_id");
            Api.Reply recipient =
                    relay.submit(Relay.body("hello", relay.metadata().put("recipient_id", "bot:" + unknown)));
            assertThat(recipient.json().at("/errors/0/field").asString()).isEqualTo("msg_metadata.recipient_id");
        }
        assertThat(server.count("select count(*) from bindings where channel = '" + relay.channel() + "'"))
                .isZero();
    }

    @Test
    void nameMeansTheOwnersAgentOrElseTheServers() {
        Api stranger = server.api(UUID.randomUUID(), "Stranger");
        String name = "Guide " + UUID.randomUUID();
        String theirs = newAgent(stranger, name, "demo", "shared");
        newAgent(stranger, "Demo", "demo", "shared");

        assertThat(relay.submit(relay.body("hello").put("bot_id", name)).status())
                .as("another owner's agent")
                .isEqualTo(400);
        assertThat(answering(theirs)).as("usable by its id").isEqualTo("agent:" + theirs);
        assertThat(answering("demo")).as("the server's agent").isEqualTo("agent:" + Relay.DEMO);
        String own = newAgent(operator, name.toUpperCase(Locale.ROOT), "demo", "private");
        assertThat(answering("bot:" + name)).as("the owner's agent").isEqualTo("agent:" + own);
    }

    @Test
    void anAgentOfTheFileIsNamedAsTheFileDoes() {
        String file = "guide-" + UUID.randomUUID();
        String shown = "Shown " + UUID.randomUUID();
        UUID id = UUID.randomUUID();
        server.execute("insert into agents values ('" + id + "', 'system:parley', '" + shown
                + "', 'demo', '{}', 'shared', true, now(), '" + file + "')");
        UUID hidden = UUID.randomUUID();
        server.execute("insert into agents values ('" + hidden + "', 'system:parley', 'x', 'demo', '{}', 'private',"
                + " true, now(), 'hidden-" + file + "')");

        assertThat(answering(file)).isEqualTo("agent:" + id);
        assertThat(answering(shown)).isEqualTo("agent:" + id);
        assertThat(relay.submit(relay.body("hello").put("bot_id", "hidden-" + file))
                        .status())
                .isEqualTo(400);
        String own = newAgent(operator, file, "demo", "private");
        assertThat(answering(file)).as("the owner's own agent comes first").isEqualTo("agent:" + own);
    }

    /** The agent that answers a message with this {@code bot_id}. */
    private String answering(String name) {
        JsonNode answer = relay.bring(relay.body("hello").put("bot_id", name));
        assertThat(reason(answer)).isEqualTo("mentioned");
        return server.select("select agent from runs where run_id = '"
                        + answer.path("run_id").asString() + "'")
                .getFirst();
    }

    @Test
    void aChannelKeepsTheAgentOfItsFirstMessage() {
        String own = newAgent(operator, "Builder " + UUID.randomUUID(), "demo", "private");

        JsonNode first = relay.bring(relay.body("hello").put("bot_id", own));
        JsonNode second = relay.bring("hello again");

        assertThat(second.path("session_id")).isEqualTo(first.path("session_id"));
        assertThat(server.select("select distinct agent from runs where thread_id = '"
                        + first.path("session_id").asString() + "'"))
                .containsExactly("agent:" + own);
    }

    @Test
    void anAgentThatIsNamedLaterJoins() {
        JsonNode first = relay.bring("hello");
        String own = newAgent(operator, "Helper " + UUID.randomUUID(), "demo", "private");

        JsonNode second = relay.bring(relay.body("and you?").put("bot_id", own));

        assertThat(reason(second)).isEqualTo("mentioned");
        assertThat(operator.get(Relay.thread(first)).json().path("participants"))
                .extracting(member -> member.path("sender_id").asString())
                .contains("agent:" + own, "agent:" + Relay.DEMO);
        assertThat(server.select("select agent from runs where run_id = '"
                        + second.path("run_id").asString() + "'"))
                .containsExactly("agent:" + own);
    }

    @Test
    void removedAgentIsNotMentionedByTheChannel() {
        JsonNode first = relay.bring(relay.body("hello").put("passive", true));
        assertThat(operator.delete(Relay.thread(first) + "/participants/agent:" + Relay.DEMO)
                        .status())
                .isEqualTo(200);
        ObjectNode self = relay.metadata();
        self.putArray("mentions").addObject().put("is_self", true);

        JsonNode answer = relay.bring(Relay.body("hello", self));

        assertThat(answer.path("engagement").path("reason").asString()).isEqualTo("no_agent");
    }

    @Test
    void externalAgentShouldAnswerButHasNoRun() {
        String own = newAgent(operator, "Outside " + UUID.randomUUID(), "external", "private");

        JsonNode answer = relay.bring(relay.body("hello").put("bot_id", own));

        assertThat(answer.at("/engagement/run").asBoolean()).isTrue();
        assertThat(answer.path("run_id").isNull()).isTrue();
    }
}
