package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A repeated message is stored once and answered once. */
class RepeatedInboundTest {
    @AutoClose
    private static final RunningServer server = Relay.start("--lanes", "2");

    private static final Relay slack = Relay.of(server, "slack");

    private Relay relay;

    @BeforeEach
    void goElsewhere() {
        relay = slack.elsewhere();
    }

    private ObjectNode message(String text, String message, String event) {
        ObjectNode metadata = relay.metadata();
        if (!message.isEmpty()) {
            metadata.put("external_message_id", message);
        }
        if (!event.isEmpty()) {
            metadata.put("external_event_id", event);
        }
        return Relay.body(text, metadata);
    }

    private static String fresh() {
        return UUID.randomUUID().toString();
    }

    /** Makes all calls concurrently. */
    private static List<Api.Reply> atOnce(List<Callable<Api.Reply>> calls) throws Exception {
        CountDownLatch ready = new CountDownLatch(calls.size());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> replies = new ArrayList<>();
            for (Callable<Api.Reply> call : calls) {
                replies.add(callers.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return call.call();
                }));
            }
            List<Api.Reply> done = new ArrayList<>();
            for (Future<Api.Reply> reply : replies) {
                done.add(reply.get());
            }
            return done;
        }
    }

    @Test
    void repeatedMessageGetsTheFirstOutcomeForAnyText() {
        String id = fresh();
        JsonNode first = relay.bring(message("hello", id, fresh()));

        JsonNode second = relay.bringAgain(message("another text", id, fresh()));

        assertThat(second.path("message_id")).isEqualTo(first.path("message_id"));
        assertThat(second.path("session_id")).isEqualTo(first.path("session_id"));
        assertThat(second.path("seq")).isEqualTo(first.path("seq"));
        assertThat(second.path("run_id")).isEqualTo(first.path("run_id"));
        assertThat(second.path("engagement")).isEqualTo(first.path("engagement"));
        assertThat(relay.countOf("runs", first)).isEqualTo(1);
    }

    @Test
    void repeatedEventIsOneAcrossChannels() {
        String event = fresh();
        JsonNode first = relay.bring(message("hello", "", event));
        relay = relay.elsewhere();

        JsonNode second = relay.bringAgain(message("hello", fresh(), event));

        assertThat(second.path("session_id")).isEqualTo(first.path("session_id"));
    }

    @Test
    void idsAreKnownWithinTheirChannelWorkspaceAndSourceOnly() {
        String id = fresh();
        JsonNode first = relay.bring(message("hello", id, ""));
        JsonNode elsewhere = relay.elsewhere()
                .bring(Relay.body("hello", relay.elsewhere().metadata().put("external_message_id", id)));
        ObjectNode otherWorkspace = message("hello", id, "");
        ((ObjectNode) otherWorkspace.get("msg_metadata")).put("workspace_id", "T2");
        JsonNode inAnotherWorkspace = relay.bring(otherWorkspace);

        assertThat(List.of(first, elsewhere, inAnotherWorkspace))
                .extracting(answer -> answer.path("session_id").asString())
                .doesNotHaveDuplicates();
    }

    @Test
    void messageWithoutIdsIsAlwaysNew() {
        JsonNode first = relay.bring("again");
        JsonNode second = relay.bring("again");

        assertThat(second.path("seq").asInt()).isGreaterThan(first.path("seq").asInt());
    }

    @Test
    void fiveDeliveriesAtOnceAreOneMessageAndOneRun() throws Exception {
        ObjectNode body = message("hello", fresh(), fresh());
        List<Callable<Api.Reply>> calls = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            calls.add(() -> relay.submit(body));
        }

        List<Api.Reply> replies = atOnce(calls);

        assertThat(replies).extracting(Api.Reply::status).containsExactlyInAnyOrder(202, 200, 200, 200, 200);
        JsonNode one = replies.getFirst().json();
        assertThat(replies)
                .extracting(reply -> reply.text("message_id"))
                .containsOnly(one.path("message_id").asString());
        assertThat(relay.countOf("runs", one)).isEqualTo(1);
        assertThat(relay.countOf("inbound_events", one)).isEqualTo(1);
        assertThat(server.count("select count(*) from entries where author like 'slack:%' and thread_id = '"
                        + one.path("session_id").asString() + "'"))
                .isEqualTo(1);
    }

    /** The threads have different lanes, so no lock of a thread serialises the requests. */
    @Test
    void oneEventIntoManyThreadsAtOnceIsStoredOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            String event = fresh();
            List<Callable<Api.Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Relay other = relay.elsewhere();
                other.bring("make the thread");
                calls.add(
                        () -> other.submit(Relay.body("hello", other.metadata().put("external_event_id", event))));
            }

            List<Api.Reply> replies = atOnce(calls);

            assertThat(replies).extracting(Api.Reply::status).containsOnly(200, 202);
            assertThat(replies).filteredOn(reply -> reply.status() == 202).hasSize(1);
            assertThat(replies)
                    .extracting(reply -> reply.text("message_id"))
                    .containsOnly(replies.getFirst().text("message_id"));
            assertThat(server.count("select count(*) from inbound_events where external_event_id = '" + event + "'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void twoFirstMessagesAtOnceMakeOneThread() throws Exception {
        List<Callable<Api.Reply>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ObjectNode body = message("hello " + i, fresh(), "");
            ((ObjectNode) body.get("msg_metadata")).put("sender_id", "slack:U" + i);
            calls.add(() -> relay.submit(body));
        }

        List<Api.Reply> replies = atOnce(calls);

        assertThat(replies).extracting(Api.Reply::status).containsOnly(202);
        assertThat(replies)
                .extracting(reply -> reply.text("session_id"))
                .containsOnly(replies.getFirst().text("session_id"));
        assertThat(server.count("select count(*) from participants where actor like 'slack:%' and thread_id = '"
                        + replies.getFirst().text("session_id") + "'"))
                .isEqualTo(4);
    }

    @Test
    void twinThatAddressesTheAgentCausesAnAnswer() {
        String id = fresh();
        JsonNode first = relay.bring(message("status?", id, fresh()).put("passive", true));
        assertThat(first.path("engagement").path("reason").asString()).isEqualTo("passive");
        assertThat(first.path("run_id").isNull()).isTrue();

        ObjectNode twin = message("status?", id, fresh());
        ((ObjectNode) twin.get("msg_metadata")).put("recipient_id", "bot:" + Relay.DEMO);
        JsonNode raised = relay.bringAgain(twin);

        assertThat(raised.path("engagement").path("run").asBoolean()).isTrue();
        assertThat(raised.path("engagement").path("reason").asString()).isEqualTo("mentioned");
        assertThat(raised.path("seq")).isEqualTo(first.path("seq"));
        assertThat(server.select("select triggers::text from runs where run_id = '"
                        + raised.path("run_id").asString() + "'"))
                .containsExactly("{1}");
        assertThat(relay.bringAgain(twin)).as("once").isEqualTo(raised);
        assertThat(relay.countOf("runs", first)).isEqualTo(1);
    }

    @Test
    void theSameTwinsTheOtherWayRoundAreAnsweredOnce() {
        String id = fresh();
        ObjectNode twin = message("status?", id, fresh());
        ((ObjectNode) twin.get("msg_metadata")).put("recipient_id", "bot:" + Relay.DEMO);
        JsonNode first = relay.bring(twin);

        JsonNode second = relay.bringAgain(message("status?", id, fresh()).put("passive", true));

        assertThat(first.path("engagement").path("run").asBoolean()).isTrue();
        assertThat(second.path("engagement")).isEqualTo(first.path("engagement"));
        assertThat(relay.countOf("runs", first)).isEqualTo(1);
    }

    @Test
    void twinsAtOnceAreAnsweredOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            relay = relay.elsewhere();
            String id = fresh();
            ObjectNode quiet = message("status?", id, fresh()).put("passive", true);
            List<Callable<Api.Reply>> calls = new ArrayList<>();
            calls.add(() -> relay.submit(quiet));
            for (int i = 0; i < 3; i++) {
                ObjectNode twin = message("status?", id, fresh());
                ((ObjectNode) twin.get("msg_metadata")).put("recipient_id", "bot:" + Relay.DEMO);
                calls.add(() -> relay.submit(twin));
            }

            List<Api.Reply> replies = atOnce(calls);

            assertThat(replies).filteredOn(reply -> reply.status() == 202).hasSize(1);
            assertThat(relay.countOf("runs", replies.getFirst().json())).isEqualTo(1);
            assertThat(relay.bringAgain(quiet).path("engagement").path("run").asBoolean())
                    .isTrue();
        }
    }

    @Test
    void otherTwinsCauseNoAnswer() {
        String id = fresh();
        JsonNode first = relay.bring(message("status?", id, "").put("passive", true));
        ObjectNode bot = message("status?", id, "");
        ((ObjectNode) bot.get("msg_metadata")).put("sender_type", "bot").put("recipient_id", "bot:Demo");
        ObjectNode other = message("status?", id, "");
        ((ObjectNode) other.get("msg_metadata"))
                .put("sender_id", "slack:UOTHER")
                .put("recipient_id", "bot:Demo");

        for (ObjectNode twin : List.of(
                message("status?", id, ""),
                message("status?", id, "").put("bot_id", Relay.DEMO).put("passive", true),
                bot,
                other)) {
            assertThat(relay.bringAgain(twin).path("engagement")).isEqualTo(first.path("engagement"));
        }
        assertThat(relay.countOf("runs", first)).isZero();
    }

    @Test
    void messageOfABotIsNotRaisedByATwinOfAPerson() {
        Relay relay = slack.elsewhere();
        ObjectNode first = relay.metadata()
                .put("sender_type", "bot")
                .put("passive", true)
                .put("external_message_id", "9")
                .put("external_event_id", "E1");
        relay.bring(Relay.body("beep", first));
        ObjectNode twin = relay.metadata()
                .put("recipient_id", "bot:Demo")
                .put("external_message_id", "9")
                .put("external_event_id", "E2");

        JsonNode again = relay.bringAgain(Relay.body("beep", twin));

        assertThat(again.path("engagement").path("run").asBoolean()).isFalse();
        assertThat(relay.countOf("runs", again)).isZero();
    }

    @Test
    void repeatedEventIsNoTwinOfItself() {
        String id = fresh();
        String event = fresh();
        JsonNode first = relay.bring(message("status?", id, event).put("passive", true));

        JsonNode second = relay.bringAgain(message("status?", id, event).put("bot_id", Relay.DEMO));

        assertThat(second.path("engagement")).isEqualTo(first.path("engagement"));
    }

    @Test
    void twinOfAMessageInADeletedThreadMakesNoThread() {
        String id = fresh();
        JsonNode first = relay.bring(message("status?", id, fresh()).put("passive", true));
        server.execute("update threads set deleted_at = now(), purged_at = now() where thread_id = '"
                + first.path("session_id").asString() + "'");
        long before = server.count("select count(*) from threads");

        relay.bringAgain(message("status?", id, fresh()).put("bot_id", Relay.DEMO));

        assertThat(server.count("select count(*) from threads")).isEqualTo(before);
    }

    @Test
    void refusedMessageLeavesNoFiles() {
        JsonNode first = relay.bring(message("hello", fresh(), "").put("passive", true));
        Relay.operator(server).patch(Relay.thread(first) + "/archive", "{}");
        long before = server.count("select count(*) from objects");
        ObjectNode body = message("another", fresh(), "");
        body.putArray("attachments").addObject().put("content", "aGVsbG8=").put("name", "a.txt");

        assertThat(relay.submit(body).status()).isEqualTo(409);

        assertThat(server.count("select count(*) from objects")).isEqualTo(before);
    }

    @Test
    void aRepeatInAnArchivedThreadIsStillAnswered() {
        String id = fresh();
        ObjectNode body = message("hello", id, "").put("passive", true);
        JsonNode first = relay.bring(body);
        assertThat(Relay.operator(server)
                        .patch(Relay.thread(first) + "/archive", "{}")
                        .status())
                .isEqualTo(200);

        assertThat(relay.bringAgain(body).path("message_id")).isEqualTo(first.path("message_id"));
        assertThat(relay.bringAgain(message("hello", id, "").put("bot_id", Relay.DEMO))
                        .path("engagement"))
                .isEqualTo(first.path("engagement"));
        Api.Reply fresh = relay.submit(relay.body("another"));
        assertThat(fresh.status()).isEqualTo(409);
        assertThat(fresh.problem()).contains("thread-archived");
    }
}
