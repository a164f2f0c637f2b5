package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Traces of inbound messages, with the reasons for their answers. */
class TraceTest {
    private static final String MESSAGES = "/api/v1/integrations/messages";

    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private Relay relay;
    private final String id = UUID.randomUUID().toString();

    @BeforeEach
    void goElsewhere() {
        relay = slack.elsewhere();
    }

    private JsonNode traces(Api by, String more) {
        Api.Reply reply = by.get(MESSAGES + "?source=slack&external_message_id=" + id + more);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.json().path("traces");
    }

    private JsonNode bring() {
        return relay.bring(Relay.body("hello", relay.metadata().put("external_message_id", id)));
    }

    @Test
    void traceHasTheWholeStory() {
        JsonNode answer = bring();
        String run = answer.path("run_id").asString();
        String thread = answer.path("session_id").asString();
        server.execute("insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, run_id, part,"
                + " parts, content, marker, state, attempts, problem, created_at) select gen_random_uuid(),"
                + " destination_id, thread_id, 2, 'm', '" + run + "', 0, 1, 'x', '" + UUID.randomUUID()
                + "', 'dead', 3, 'channel_not_found', now() from destinations where thread_id = '" + thread + "'");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> traces(slack.api(), "")
                        .get(0)
                        .path("run")
                        .path("state")
                        .asString()
                        .equals("completed"));

        JsonNode trace = traces(slack.api(), "").get(0);

        assertThat(trace.path("session_id").asString()).isEqualTo(thread);
        assertThat(trace.path("message_id")).isEqualTo(answer.path("message_id"));
        assertThat(trace.path("engagement")).isEqualTo(answer.path("engagement"));
        assertThat(trace.path("run").path("run_id").asString()).isEqualTo(run);
        assertThat(trace.path("channel_external_id").asString()).isEqualTo(relay.channel());
        JsonNode delivery = trace.path("deliveries")
                .valueStream()
                .filter(each -> each.path("state").asString().equals("dead"))
                .findFirst()
                .orElseThrow();
        assertThat(delivery.path("attempts").asInt()).isEqualTo(3);
        assertThat(delivery.path("problem").asString()).isEqualTo("channel_not_found");
        assertThat(delivery.path("channel_external_id").asString()).isEqualTo(relay.channel());
    }

    @Test
    void tracesDependOnTheCaller() {
        bring();

        assertThat(traces(slack.api(), "")).hasSize(1);
        assertThat(traces(Relay.operator(server), "")).hasSize(1);
        assertThat(traces(server.api(UUID.randomUUID(), "Stranger"), "")).isEmpty();
        assertThat(traces(Relay.of(server, "relay").api(), "")).isEmpty();
        server.execute("update threads set created_by = 'user:" + new UUID(7, 7) + "' where thread_id = '"
                + traces(slack.api(), "").get(0).path("session_id").asString() + "'");
        assertThat(traces(server.api(new UUID(7, 7), "Keeper"), "")).hasSize(1);
    }

    @Test
    void idOfTwoChannelsHasTwoTraces() {
        bring();
        String first = relay.channel();
        relay = relay.elsewhere();
        bring();

        assertThat(traces(slack.api(), "")).hasSize(2);
        assertThat(traces(slack.api(), "&channel_external_id=" + first)).hasSize(1);
        assertThat(traces(slack.api(), "&workspace_id=T9")).isEmpty();
    }

    @Test
    void missingParameterIsNamed() {
        assertThat(slack.api().get(MESSAGES + "?source=slack").toString())
                .startsWith("400")
                .contains("external_message_id");
        assertThat(slack.api().get(MESSAGES + "?external_message_id=1").toString())
                .startsWith("400")
                .contains("source");
    }
}
