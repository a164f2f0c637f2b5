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

/** The dry run gives the outcome of the later call, and changes nothing. */
class ExplainTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private final Relay relay = slack.elsewhere();

    private Api.Reply explain(ObjectNode body) {
        return relay.api().post("/api/v1/ingest/explain", body.toString());
    }

    private static List<Long> state() {
        return Stream.of(
                        "threads",
                        "bindings",
                        "destinations",
                        "inbound_events",
                        // Without the entries of agents, which may answer meanwhile.
                        "entries where author like 'slack:%'",
                        "participants",
                        "runs",
                        "objects")
                .map(table -> server.count("select count(*) from " + table))
                .toList();
    }

    /** Explains a message, then submits it, and compares the outcomes. */
    private void assertSameOutcome(ObjectNode body) {
        List<Long> before = state();
        Api.Reply explained = explain(body);
        assertThat(explained.status()).as(explained.toString()).isEqualTo(200);
        assertThat(state()).isEqualTo(before);
        JsonNode submitted = relay.submit(body).json();
        assertThat(explained.json().path("engagement")).isEqualTo(submitted.path("engagement"));
        assertThat(explained.json().path("duplicate")).isEqualTo(submitted.path("duplicate"));
        assertThat(explained.json().path("would_store").asBoolean())
                .isEqualTo(!submitted.path("duplicate").asBoolean());
    }

    @Test
    void firstMessageIsExplained() {
        assertSameOutcome(relay.body("hello"));
        assertSameOutcome(relay.body("hello again"));
    }

    @Test
    void engagementIsExplained() {
        assertSameOutcome(relay.body("hello").put("passive", true));
        assertSameOutcome(relay.body("hello").put("bot_id", Relay.DEMO));
        assertSameOutcome(Relay.body("beep", relay.metadata().put("sender_type", "bot")));
        ObjectNode bot = relay.metadata().put("sender_type", "bot").put("recipient_id", "bot:" + Relay.DEMO);
        for (int i = 0; i < 5; i++) {
            assertSameOutcome(Relay.body("beep " + i, bot.deepCopy().put("sender_id", "slack:B" + i)));
        }
    }

    @Test
    void duplicateAndItsTwinAreExplained() {
        ObjectNode metadata = relay.metadata()
                .put("external_message_id", UUID.randomUUID().toString())
                .put("external_event_id", UUID.randomUUID().toString());
        assertSameOutcome(Relay.body("hello", metadata).put("passive", true));
        assertSameOutcome(Relay.body("hello", metadata).put("passive", true));
        assertSameOutcome(Relay.body(
                "hello",
                metadata.deepCopy()
                        .put("external_event_id", UUID.randomUUID().toString())
                        .put("recipient_id", "bot:" + Relay.DEMO)));
    }

    @Test
    void refusalsAreTheSame() {
        ObjectNode untyped = relay.body("hello");
        ((ObjectNode) untyped.get("msg_metadata")).remove("sender_type");
        for (ObjectNode body : List.of(
                untyped,
                relay.body(""),
                relay.body("hello").put("bot_id", "nobody-of-this-name"),
                relay.body("hello").put("session_id", UUID.randomUUID().toString()),
                relay.body("hello").put("dispatch_type", "discord"))) {
            Api.Reply explained = explain(body);
            Api.Reply submitted = relay.submit(body);
            assertThat(explained.status()).isEqualTo(submitted.status()).isGreaterThanOrEqualTo(400);
            assertThat(explained.problem()).isEqualTo(submitted.problem());
            assertThat(explained.json().path("errors"))
                    .isEqualTo(submitted.json().path("errors"));
        }
    }

    @Test
    void explanationNamesTheThreadAndTheReasons() {
        assertThat(explain(relay.body("hello")).json().path("session_id").isNull())
                .isTrue();
        String session = relay.bring("hello").path("session_id").asString();

        JsonNode explained = explain(relay.body("hello")).json();

        assertThat(explained.path("session_id").asString()).isEqualTo(session);
        assertThat(explained.path("agent").asString()).isEqualTo("agent:" + Relay.DEMO);
        assertThat(explained
                        .path("checks")
                        .valueStream()
                        .map(check -> check.path("name").asString()))
                .contains("sender", "place", "duplicate", "thread", "agent");
    }
}
