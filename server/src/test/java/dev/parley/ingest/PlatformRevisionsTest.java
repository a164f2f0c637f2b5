package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Revisions of platforms reach their messages in any order of arrival. */
class PlatformRevisionsTest {
    @AutoClose
    private static final RunningServer server = Relay.start("--lanes", "2");

    private final Platform slack = Platform.of(server, "slack");

    private static String fresh() {
        return UUID.randomUUID().toString();
    }

    private long entries(int kind) {
        return server.count(
                "select count(*) from entries where thread_id = '" + slack.thread() + "' and kind = " + kind);
    }

    private static long waiting(String channel) {
        return server.count("select count(*) from inbound_revisions where channel = '" + channel + "'");
    }

    @Test
    void anEditIsByTheSenderAndTheOriginalStays() {
        slack.say("helo 中文", "1");

        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()), "hello 中文 👩‍👩‍👧 é"));

        assertThat(slack.texts()).containsExactly("hello 中文 👩‍👩‍👧 é");
        assertThat(slack.messages().getFirst().path("edited_at").isNull()).isFalse();
        assertThat(server.select("select author || ' ' || content from entries where kind = 1 and thread_id = '"
                        + slack.thread() + "'"))
                .containsExactly("slack:U1 hello 中文 👩‍👩‍👧 é");
        assertThat(server.select("select content from entries where kind = 0 and seq = 1 and thread_id = '"
                        + slack.thread() + "'"))
                .containsExactly("helo 中文");
    }

    @Test
    void aRepeatedEditDoesNotUndoALaterOne() {
        String first = fresh();
        slack.say("a", "1");
        slack.bring(new PlatformEvent.Edited(slack.spot("1", first), "b"));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()), "c"));

        slack.bring(new PlatformEvent.Edited(slack.spot("1", first), "b"));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", null), "c"));

        assertThat(slack.texts()).containsExactly("c");
        assertThat(entries(1)).isEqualTo(2);
    }

    @Test
    void olderRevisionArrivingLaterChangesNothing() {
        Instant then = Instant.parse("2026-11-15T09:00:00Z");
        slack.say("v1", "1");
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()).happened(then.plusSeconds(2)), "v3"));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()).happened(then.plusSeconds(1)), "v2"));
        slack.bring(new PlatformEvent.Reacted(
                slack.spot("1", fresh()).happened(then.plusSeconds(4)), "slack:U2", "Ash", "👍", false));
        slack.bring(new PlatformEvent.Reacted(
                slack.spot("1", fresh()).happened(then.plusSeconds(3)), "slack:U2", "Ash", "👍", true));

        assertThat(slack.texts()).containsExactly("v3");
        assertThat(slack.messages().getFirst().path("reactions")).isEmpty();
        slack.bring(new PlatformEvent.Edited(slack.spot("2", fresh()).happened(then.plusSeconds(2)), "w3"));
        slack.bring(new PlatformEvent.Edited(slack.spot("2", fresh()).happened(then.plusSeconds(1)), "w2"));
        slack.say("w1", "2");
        assertThat(slack.texts()).containsExactly("v3", "w3");
    }

    @Test
    void messageDeletedBeforeItsArrivalIsNotAnswered() {
        slack.bring(new PlatformEvent.Deleted(slack.spot("1", fresh())));
        slack.say("secret", "1");

        assertThat(slack.texts()).containsExactly("");
        assertThat(server.select("select reason from inbound_events where thread_id = '" + slack.thread() + "'"))
                .containsExactly("deleted");
        assertThat(server.count("select count(*) from runs where thread_id = '" + slack.thread() + "'"))
                .isZero();
    }

    @Test
    void deletionIsFinal() {
        slack.say("oops", "1");
        slack.bring(new PlatformEvent.Deleted(slack.spot("1", fresh())));
        slack.bring(new PlatformEvent.Deleted(slack.spot("1", fresh())));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()), "again"));

        assertThat(slack.texts()).containsExactly("");
        assertThat(entries(2)).isEqualTo(1);
        assertThat(entries(1)).isZero();
    }

    @Test
    void oneEventMayReviseSeveralMessages() {
        String event = fresh();
        slack.say("a", "1");
        slack.say("b", "2");

        slack.bring(new PlatformEvent.Deleted(slack.spot("1", event)));
        slack.bring(new PlatformEvent.Deleted(slack.spot("2", event)));

        assertThat(slack.texts()).containsExactly("", "");
    }

    @Test
    void reactionsBelongToTheirSenders() {
        slack.say("nice", "1");
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U2", "Ash", "thumbsup", true));
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U2", "Ash", "thumbsup", true));
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U3", "العربية", "🎉", true));
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U3", "العربية", "🎉", false));

        JsonNode reactions = slack.messages().getFirst().path("reactions");
        assertThat(reactions.toString())
                .contains("thumbsup")
                .contains("slack:U2")
                .doesNotContain("🎉");
        assertThat(entries(3)).isEqualTo(2);
        assertThat(server.select("select display_name from participants where actor = 'slack:U2' and thread_id = '"
                        + slack.thread() + "'"))
                .containsExactly("Ash");
    }

    @Test
    void revisionBeforeItsMessageWaitsForIt() {
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()), "second"));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", fresh()), "third"));
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U2", "Ash", "👍", true));
        slack.bring(new PlatformEvent.Deleted(slack.spot("2", fresh())));
        assertThat(waiting(slack.channel())).isEqualTo(3);

        slack.say("first", "1");
        slack.say("gone", "2");

        assertThat(slack.texts()).containsExactly("third", "");
        assertThat(slack.messages().getFirst().path("reactions").toString()).contains("slack:U2");
        assertThat(waiting(slack.channel())).isZero();
    }

    @Test
    void waitingReactionsHaveALimit() {
        for (int i = 0; i < 30; i++) {
            slack.bring(new PlatformEvent.Reacted(slack.spot("1", fresh()), "slack:U" + i, "Ash", "👍", true));
        }
        assertThat(waiting(slack.channel())).isEqualTo(20);
    }

    @Test
    void waitingRevisionExpiresAfterAWeek() {
        slack.bring(new PlatformEvent.Deleted(slack.spot("1", fresh())));
        server.execute("update inbound_revisions set received_at = now() - interval '8 days' where channel = '"
                + slack.channel() + "'");

        Platform.of(server, "slack").bring(new PlatformEvent.Deleted(slack.spot("2", fresh())));

        assertThat(server.select(
                        "select external_message_id from inbound_revisions where channel = '" + slack.channel() + "'"))
                .containsExactly("2");
    }

    @Test
    void concurrentMessagesAndEditsLoseNothing() throws Exception {
        slack.say("here", "0");
        try (ExecutorService bringing = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 1; i <= 30; i++) {
                String id = Integer.toString(i);
                all.add(bringing.submit(() -> slack.say("said " + id, id)));
                all.add(bringing.submit(
                        () -> slack.bring(new PlatformEvent.Edited(slack.spot(id, fresh()), "edited " + id))));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }

        assertThat(slack.texts().subList(1, 31)).allMatch(text -> text.startsWith("edited "));
        assertThat(waiting(slack.channel())).isZero();
    }

    @Test
    void ownAnswersCanBeReactedToButNotEdited() {
        slack.say("hello", "1");
        String thread = slack.thread();
        server.execute(
                "insert into destinations (destination_id, source, workspace, channel, external_thread, thread_id,"
                        + " created_at, next_at) values (gen_random_uuid(), 'slack', '', '" + slack.channel()
                        + "', 'x', '" + thread + "', now(), now())",
                "insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, part, parts, content,"
                        + " marker, state, external_id, created_at) select gen_random_uuid(), destination_id, thread_id,"
                        + " 1, 'm', 0, 1, 'x', '" + fresh() + "', 'sent', 'ours', now() from destinations"
                        + " where thread_id = '" + thread + "' limit 1",
                "update entries set author = 'agent:" + Relay.DEMO + "' where seq = 1 and thread_id = '" + thread
                        + "'");

        slack.bring(new PlatformEvent.Edited(slack.spot("ours", fresh()), "other words"));
        slack.bring(new PlatformEvent.Deleted(slack.spot("ours", fresh())));
        slack.bring(new PlatformEvent.Reacted(slack.spot("ours", fresh()), "slack:U2", "Ash", "👍", true));

        assertThat(List.of(entries(1), entries(2), entries(3))).containsExactly(0L, 0L, 1L);
    }

    @Test
    void unstorableRevisionDoesNotBlockLaterOnes() {
        slack.bring(slack.said("nul \u0000", slack.metadata("1"), PlatformEvent.Echo.NONE));
        slack.bring(new PlatformEvent.Edited(slack.spot("1", null), "\ud800"));
        slack.bring(new PlatformEvent.Reacted(slack.spot("1", null), "user:" + UUID.randomUUID(), "Eve", "👍", true));
        slack.say("next", "2");

        assertThat(slack.texts()).containsExactly("\ufffd", "next");
        assertThat(waiting(slack.channel())).isZero();
    }

    @Test
    void relaysSubmitRevisionsToo() {
        Relay relay = Relay.of(server, "slack");
        JsonNode said = relay.bring(Relay.body("a", relay.metadata().put("external_message_id", "7")));
        var body = Json.MAPPER
                .createObjectNode()
                .put("source", "slack")
                .put("channel_external_id", relay.channel())
                .put("external_message_id", "7")
                .put("external_event_id", fresh())
                .put("kind", "edited")
                .put("message", "b");

        var reply = relay.api().post("/api/v1/ingest/revisions", body.toString());
        var again = relay.api().post("/api/v1/ingest/revisions", body.toString());
        var early = relay.api()
                .post(
                        "/api/v1/ingest/revisions",
                        body.put("external_message_id", "8").toString());

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(reply.text("result")).isEqualTo("applied");
        assertThat(reply.text("message_id")).isEqualTo(said.path("message_id").asString());
        assertThat(again.text("result")).isEqualTo("unchanged");
        assertThat(early.status()).isEqualTo(202);
        assertThat(early.text("result")).isEqualTo("waiting");
        assertThat(relay.messages(said).get(0).path("content").asString()).isEqualTo("b");
    }

    @Test
    void invalidFieldOfARevisionIsNamed() {
        Relay relay = Relay.of(server, "slack");
        var body = Json.MAPPER.createObjectNode().put("source", "slack").put("kind", "reaction_added");

        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("channel_external_id")
                .contains("external_message_id");
        body.put("channel_external_id", "C").put("external_message_id", "1");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("400")
                .contains("sender_id");
        body.put("sender_id", "discord:1").put("emoji", "👍");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("sender_id");
        body.put("kind", "edited").put("message", "b").put("sender_id", "");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("400")
                .contains("sender_id must not be empty");
        body.put("sender_id", "slack:1").put("emoji", "");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("400")
                .contains("emoji must not be empty");
        body.put("kind", "moved").put("emoji", "👍");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).toString())
                .contains("kind");
        body.put("source", "discord");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).status())
                .isIn(400, 403);
        body.put("kind", "deleted");
        assertThat(relay.api().post("/api/v1/ingest/revisions", body.toString()).status())
                .isEqualTo(403);
    }
}
