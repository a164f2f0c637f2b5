package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where integrations say that answers should go. */
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

    private static List<String> places(JsonNode answer) {
        return server.select("select workspace || '/' || channel || '/' || external_thread from destinations"
                + " where thread_id = '" + answer.path("session_id").asString() + "' order by created_at, channel");
    }

    @Test
    void aMessageIsAnsweredWhereItWasSaid() {
        assertThat(places(relay.bring("hello"))).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void anotherPlaceHearsItAsWell() {
        JsonNode answer = relay.bring(to("channel_id", other, "thread_ts", "1.5", "team_id", "T1"));

        assertThat(places(answer)).containsExactly("/" + relay.channel() + "/", "T1/" + other + "/1.5");
    }

    @Test
    void onlyTheLastPlaceThatWasAskedForHearsIt() {
        relay.bring(to("channel", other, "thread_ts", "1"));
        JsonNode answer = relay.bring(to("channel", other, "thread_ts", "2"));
        relay.bring("without any");

        assertThat(places(answer)).containsExactly("/" + relay.channel() + "/", "/" + other + "/2");
    }

    @Test
    void theChannelItselfIsNotToldTwice() {
        JsonNode answer = relay.bring(to("channel", relay.channel(), "thread_ts", "1"));

        assertThat(places(answer)).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void noOtherThreadsPlaceIsTakenAway() {
        Relay neighbour = slack.elsewhere();
        JsonNode there = neighbour.bring("hello");

        JsonNode here = relay.bring(to("channel_external_id", neighbour.channel()));

        assertThat(places(there)).containsExactly("/" + neighbour.channel() + "/");
        assertThat(places(here)).containsExactly("/" + relay.channel() + "/");
    }

    @Test
    void aSendersOwnConversationIsAnsweredWhereItSays() {
        ObjectNode body = to("channel_id", other);
        ((ObjectNode) body.get("msg_metadata")).put("sender_id", "slack:" + UUID.randomUUID());
        ((ObjectNode) body.get("msg_metadata")).remove("channel_external_id");

        assertThat(places(relay.bring(body))).containsExactly("/" + other + "/");
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
    void withoutATypeItIsOnlyKept() {
        ObjectNode body = to("channel", other);
        body.remove("dispatch_type");

        assertThat(places(relay.bring(body))).containsExactly("/" + relay.channel() + "/");
    }
}
