package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The targets of answers that integrations request. */
class DispatchTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private final Relay relay = slack.elsewhere();
    private final String other = "D" + UUID.randomUUID();

    private ObjectNode to(String... members) {
        ObjectNode body = relay.body("hello").put("dispatch_type", "slack");
        ObjectNode config = body.putObject("dispatch_config");
        for (int i = 0; i < members.length; i += 2) {
            config.put(members[i], members[i + 1]);
        }
        return body;
    }

    private static List<String> targets(JsonNode answer) {
        return server.select("select workspace || '/' || channel || '/' || external_thread from destinations"
                + " where thread_id = '" + answer.path("session_id").asString() + "' order by created_at, channel");
    }

    @Test
    void answerGoesToTheMessagesChannel() {
        assertThat(targets(relay.bring("hello"))).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void answerAlsoGoesToTheRequestedTarget() {
        JsonNode answer = relay.bring(to("channel_id", other, "thread_ts", "1.5", "team_id", "T1"));

        assertThat(targets(answer)).containsExactly("/" + relay.channel() + "/", "T1/" + other + "/1.5");
    }

    @Test
    void lastRequestedTargetReplacesEarlierOnes() {
        relay.bring(to("channel", other, "thread_ts", "1"));
        JsonNode answer = relay.bring(to("channel", other, "thread_ts", "2"));
        relay.bring("without any");

        assertThat(targets(answer)).containsExactly("/" + relay.channel() + "/", "/" + other + "/2");
    }

    @Test
    void ownChannelAsTargetGetsTheAnswerOnce() {
        JsonNode answer = relay.bring(to("channel", relay.channel(), "thread_ts", "1"));

        assertThat(targets(answer)).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void targetOfAnotherThreadIsNotTaken() {
        Relay neighbour = slack.elsewhere();
        JsonNode there = neighbour.bring("hello");

        JsonNode here = relay.bring(to("channel_external_id", neighbour.channel()));

        assertThat(targets(there)).containsExactly("/" + neighbour.channel() + "/");
        assertThat(targets(here)).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void ownConversationIsAnsweredAtTheRequestedTarget() {
        ObjectNode body = to("channel_id", other);
        ((ObjectNode) body.get("msg_metadata")).put("sender_id", "slack:" + UUID.randomUUID());
        ((ObjectNode) body.get("msg_metadata")).remove("channel_external_id");

        assertThat(targets(relay.bring(body))).containsExactly("/" + other + "/");
    }

    @Test
    void anotherSourceIsRefused() {
        assertThat(relay.submit(to("channel", other).put("dispatch_type", "discord"))
                        .toString())
                .startsWith("400")
                .contains("dispatch_type");
        assertThat(relay.submit(to("channel", "x".repeat(300))).toString())
                .startsWith("400")
                .contains("dispatch_config.channel");
    }

    @Test
    void configWithoutATypeIsOnlyStored() {
        ObjectNode body = to("channel", other);
        body.remove("dispatch_type");

        assertThat(targets(relay.bring(body))).containsExactly("/" + relay.channel() + "/");
    }
}
