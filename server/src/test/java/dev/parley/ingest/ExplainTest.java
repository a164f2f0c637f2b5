package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The dry run says what the call itself says afterwards, and leaves nothing behind. */
class ExplainTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private final Relay relay = slack.elsewhere();

    private Api.Reply ask(ObjectNode body) {
        return relay.api().post("/api/v1/ingest/explain", body.toString());
    }

    private static List<Long> state() {
        return Stream.of(
                        "threads",
                        "bindings",
                        "destinations",
                        "inbound_events",
                        // What agents say meanwhile is theirs.
                        "entries where author like 'slack:%'",
                        "participants",
                        "runs",
                        "objects")
                .map(table -> server.count("select count(*) from " + table))
                .toList();
    }

    /** Asks, then does it. */
    private void agrees(ObjectNode body) {
        List<Long> before = state();
        Api.Reply told = ask(body);
        assertThat(told.status()).as(told.toString()).isEqualTo(200);
        assertThat(state()).isEqualTo(before);
        JsonNode done = relay.submit(body).json();
        assertThat(told.json().path("engagement")).isEqualTo(done.path("engagement"));
        assertThat(told.json().path("duplicate")).isEqualTo(done.path("duplicate"));
        assertThat(told.json().path("would_store").asBoolean())
                .isEqualTo(!done.path("duplicate").asBoolean());
    }

    @Test
    void aFirstMessage() {
        agrees(relay.body("hello"));
        agrees(relay.body("hello again"));
    }

    @Test
    void whoAnswersAndWhoDoesNot() {
        agrees(relay.body("hello").put("passive", true));
        agrees(relay.body("hello").put("bot_id", Relay.DEMO));
        agrees(Relay.body("beep", relay.metadata().put("sender_type", "bot")));
        ObjectNode bot = relay.metadata().put("sender_type", "bot").put("recipient_id", "bot:" + Relay.DEMO);
        for (int i = 0; i < 5; i++) {
            agrees(Relay.body("beep " + i, bot.deepCopy().put("sender_id", "slack:B" + i)));
        }
    }

    @Test
    void aDuplicateAndItsTwin() {
        ObjectNode metadata = relay.metadata()
                .put("external_message_id", UUID.randomUUID().toString())
                .put("external_event_id", UUID.randomUUID().toString());
        agrees(Relay.body("hello", metadata).put("passive", true));
        agrees(Relay.body("hello", metadata).put("passive", true));
        agrees(Relay.body(
                "hello",
                metadata.deepCopy()
                        .put("external_event_id", UUID.randomUUID().toString())
                        .put("recipient_id", "bot:" + Relay.DEMO)));
    }

    @Test
    void whatIsRefusedIsRefusedHereToo() {
        ObjectNode untyped = relay.body("hello");
        ((ObjectNode) untyped.get("msg_metadata")).remove("sender_type");
        for (ObjectNode body : List.of(
                untyped,
                relay.body(""),
                relay.body("hello").put("bot_id", "nobody-of-this-name"),
                relay.body("hello").put("session_id", UUID.randomUUID().toString()),
                relay.body("hello").put("dispatch_type", "discord"))) {
            Api.Reply told = ask(body);
            Api.Reply done = relay.submit(body);
            assertThat(told.status()).isEqualTo(done.status()).isGreaterThanOrEqualTo(400);
            assertThat(told.problem()).isEqualTo(done.problem());
            assertThat(told.json().path("errors")).isEqualTo(done.json().path("errors"));
        }
    }

    @Test
    void itSaysWhichThreadAndWhy() {
        assertThat(ask(relay.body("hello")).json().path("session_id").isNull()).isTrue();
        String session = relay.bring("hello").path("session_id").asString();

        JsonNode told = ask(relay.body("hello")).json();

        assertThat(told.path("session_id").asString()).isEqualTo(session);
        assertThat(told.path("agent").asString()).isEqualTo("agent:" + Relay.DEMO);
        assertThat(told.path("checks")
                        .valueStream()
                        .map(check -> check.path("name").asString()))
                .contains("sender", "place", "duplicate", "thread", "agent");
    }
}
