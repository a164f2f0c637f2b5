package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The refusal of an invalid message names the member, and nothing is stored. */
class MessageShapeTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private static String refused(ObjectNode body, String field) {
        long before = stored();
        Api.Reply reply = slack.submit(body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.json()
                        .path("errors")
                        .valueStream()
                        .map(each -> each.path("field").asString()))
                .as(reply.toString())
                .contains(field);
        assertThat(stored()).isEqualTo(before);
        return reply.text("detail");
    }

    /** The number of stored messages, without the answers of agents. */
    private static long stored() {
        return server.count("""
                select (select count(*) from threads) + (select count(*) from bindings) + (select count(*) from objects)
                    + (select count(*) from entries where author not like 'agent:%')""");
    }

    private static ObjectNode with(String name, String value) {
        return Relay.body("hello", slack.metadata().put(name, value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"source", "sender_id", "sender_display_name", "sender_type"})
    void requiredMembersAreRequired(String name) {
        ObjectNode without = slack.metadata();
        without.remove(name);
        assertThat(refused(Relay.body("hello", without), "msg_metadata." + name))
                .contains("is required");
        refused(Relay.body("hello", slack.metadata().putNull(name)), "msg_metadata." + name);
        assertThat(refused(Relay.body("hello", slack.metadata().put(name, 7)), "msg_metadata." + name))
                .contains("must be a string");
    }

    @Test
    void allMissingMembersAreNamedAtOnce() {
        Api.Reply reply = slack.submit(Relay.body("hello", Json.MAPPER.createObjectNode()));

        assertThat(reply.json()
                        .path("errors")
                        .valueStream()
                        .map(each -> each.path("field").asString()))
                .containsExactly(
                        "msg_metadata.source",
                        "msg_metadata.sender_id",
                        "msg_metadata.sender_display_name",
                        "msg_metadata.sender_type");
    }

    @ParameterizedTest
    @CsvSource({
        "sender_dispaly_name, sender_display_name",
        "senderDisplayName, sender_display_name",
        "sender_ID, sender_id",
        "sendertype, sender_type",
        "sorce, source"
    })
    void mistypedMemberIsNamedWithItsCorrection(String typed, String right) {
        ObjectNode metadata = slack.metadata();
        metadata.set(typed, metadata.remove(right));
        assertThat(refused(Relay.body("hello", metadata), "msg_metadata." + right))
                .contains(typed + " is not known here, did you mean " + right + "?");
    }

    @Test
    void theMetadataItselfIsRequired() {
        ObjectNode body = Json.MAPPER.createObjectNode().put("message", "hello");
        body.set("msg_metdata", slack.metadata());
        assertThat(refused(body, "msg_metadata")).contains("did you mean msg_metadata?");
        refused(slack.body("hello").put("msg_metadata", "slack"), "msg_metadata");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "channel_external_id",
                "mention_token",
                "thread_context",
                "recipient_id",
                "external_message_id",
                "external_thread_id",
                "reply_to_external_id",
                "external_event_id",
                "workspace_id",
                "conversation_kind",
                "sent_at"
            })
    void optionalTextsAreTexts(String name) {
        refused(Relay.body("hello", slack.metadata().put(name, 7)), "msg_metadata." + name);
        refused(Relay.body("hello", slack.metadata().put(name, true)), "msg_metadata." + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"is_from_me", "passive", "trigger_rag", "include_in_memory"})
    void optionalTruthsAreTrueOrFalse(String name) {
        refused(with(name, "true"), "msg_metadata." + name);
        refused(Relay.body("hello", slack.metadata().put(name, 1)), "msg_metadata." + name);
    }

    @Test
    void mentionsAreAListOfObjects() {
        refused(with("mentions", "U1"), "msg_metadata.mentions");
        ObjectNode names = slack.metadata();
        names.putArray("mentions").add("U1");
        refused(Relay.body("hello", names), "msg_metadata.mentions");
        ObjectNode vague = slack.metadata();
        vague.putArray("mentions").addObject();
        vague.withArray("mentions").addObject().put("is_self", "yes");
        refused(Relay.body("hello", vague), "msg_metadata.mentions[1].is_self");
    }

    @ParameterizedTest
    @ValueSource(strings = {"message", "bot_id", "client_id", "session_id", "dispatch_type"})
    void textsOfTheBodyAreTexts(String name) {
        refused(slack.body("hello").put(name, 7), name);
    }

    @Test
    void otherMembersOfTheBodyHaveTheirKindsToo() {
        refused(slack.body("hello").put("passive", "yes"), "passive");
        refused(slack.body("hello").put("attachments", "cat.png"), "attachments");
        refused(slack.body("hello").put("file_metadata", "cat.png"), "file_metadata");
        refused(slack.body("hello").put("dispatch_config", "C1"), "dispatch_config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Human", "user", "", "robot"})
    void aSenderIsHumanOrBot(String type) {
        refused(with("sender_type", type), "msg_metadata.sender_type");
    }

    @Test
    void invalidAttachmentIsNamedByItsIndex() {
        String png = Base64.getEncoder().encodeToString(SampleImages.png(1, 1));
        ObjectNode broken = slack.body("hello");
        broken.putArray("attachments").addObject().put("content", png);
        broken.withArray("attachments").addObject().put("content", "%%%");
        assertThat(refused(broken, "attachments[1].content")).contains("base64");
        ObjectNode empty = slack.body("hello");
        empty.putArray("attachments").addObject().put("content", "");
        refused(empty, "attachments[0].content");
        ObjectNode absent = slack.body("hello");
        absent.putArray("attachments").addObject().put("contents", png);
        assertThat(refused(absent, "attachments[0].content")).contains("did you mean content?");
    }

    @Test
    void claimedImageMustBeAnImage() {
        ObjectNode body = slack.body("hello");
        body.putArray("attachments").addObject().put("content", "aGVsbG8=").put("mime_type", "image/png");
        ((ObjectNode) body.get("msg_metadata")).put("channel_external_id", "a channel that is new");
        long before = stored();
        assertThat(slack.submit(body).problem()).contains("unsupported-media-type");
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void charactersThatCannotBeStoredAreRefused() {
        refused(slack.body("a\u0000b"), "message");
        refused(with("note", "a\u0000b"), "msg_metadata");
    }

    /** Checks that a value at its limit is accepted, and one beyond it refused. */
    private static void limit(String name, String atLimit, String beyond) {
        Api.Reply taken = slack.submit(with(name, atLimit));
        assertThat(taken.status()).as(name + " " + taken).isEqualTo(202);
        assertThat(refused(with(name, beyond), "msg_metadata." + name)).contains("limit");
    }

    @Test
    void everyTextHasItsLimit() {
        limit("sender_display_name", "😀".repeat(200), "😀".repeat(201));
        limit("mention_token", "x".repeat(100), "x".repeat(101));
        limit("thread_context", "é".repeat(4096), "é".repeat(4096) + "x");
        limit("sender_id", "slack:" + "x".repeat(250), "slack:" + "x".repeat(251));
        for (String id : List.of(
                "channel_external_id",
                "external_message_id",
                "external_thread_id",
                "reply_to_external_id",
                "external_event_id",
                "workspace_id",
                "conversation_kind",
                "sent_at")) {
            limit(id, "😀".repeat(64), "😀".repeat(64) + "x");
        }
    }

    @Test
    void theLongestIdsTogetherAreNotTooLong() {
        ObjectNode metadata = slack.metadata();
        for (String id : List.of(
                "channel_external_id",
                "external_message_id",
                "external_thread_id",
                "external_event_id",
                "workspace_id")) {
            metadata.put(
                    id,
                    (id + "🦕🪐")
                            .repeat(20)
                            .codePoints()
                            .limit(60)
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString());
        }
        assertThat(slack.submit(Relay.body("hello", metadata)).status()).isEqualTo(202);
    }

    @Test
    void theTextHasItsLimit() {
        assertThat(slack.submit(slack.body("😀".repeat(40_000))).status()).isEqualTo(202);
        refused(slack.body("😀".repeat(40_000) + "x"), "message");
    }

    @Test
    void theMetadataHasItsLimit() {
        int room = 16 * 1024 - slack.metadata().put("note", "").toString().length();
        assertThat(slack.submit(with("note", "x".repeat(room))).status()).isEqualTo(202);
        refused(with("note", "x".repeat(room + 1)), "msg_metadata");
        ObjectNode extra = with("note", "x".repeat(room)).put("more", "y");
        refused(extra, "more");
    }

    @Test
    void theBodyHasItsLimit() {
        int limit = 16 * 1024 * 1024;
        String body = slack.body("hello").toString();
        Api.Reply fits = slack.api().post(Relay.CHAT, body + " ".repeat(limit - body.length()));
        Api.Reply over = slack.api().post(Relay.CHAT, body + " ".repeat(limit - body.length() + 1));
        assertThat(fits.status()).isEqualTo(202);
        assertThat(over.problem()).contains("payload-too-large");
    }

    @Test
    void filesHaveTheirLimit() {
        ObjectNode body = slack.body("hello");
        for (int i = 0; i < 20; i++) {
            body.withArray("attachments").addObject().put("content", "aGVsbG8=").put("name", i + ".txt");
        }
        assertThat(slack.submit(body).status()).isEqualTo(202);
        body.withArray("attachments").addObject().put("content", "aGVsbG8=");
        refused(body, "attachments");
    }

    @Test
    void blankNameIsStored() {
        Relay relay = slack.elsewhere();
        JsonNode answer = relay.bring(Relay.body("hello", relay.metadata().put("sender_display_name", "   ")));
        assertThat(slack.messages(answer)
                        .path(0)
                        .at("/metadata/sender_display_name")
                        .asString())
                .isEqualTo("   ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token",
                "bot_token",
                "botToken",
                "secret",
                "signing-secret",
                "password",
                "api_key",
                "APIKEY",
                "x-api-key",
                "Authorization",
                "credentials",
                "private_key",
                "cookie"
            })
    void secretsInTheRoutingAreRefused(String name) {
        ObjectNode flat = slack.body("hello");
        flat.putObject("dispatch_config").put(name, "xoxb-1");
        assertThat(refused(flat, "dispatch_config." + name)).doesNotContain("xoxb");
        ObjectNode deep = slack.body("hello");
        deep.putObject("dispatch_config")
                .putArray("targets")
                .addObject()
                .putObject("auth")
                .put(name, "x");
        refused(deep, "dispatch_config.targets[0].auth." + name);
    }

    @Test
    void routingHasItsLimit() {
        ObjectNode fits = slack.body("hello");
        fits.putObject("dispatch_config").put("channel", "x".repeat(16 * 1024 - "{\"channel\":\"\"}".length()));
        assertThat(slack.submit(fits).status()).isEqualTo(202);
        ObjectNode over = slack.body("hello");
        over.putObject("dispatch_config").put("channel", "x".repeat(16 * 1024 - "{\"channel\":\"\"}".length() + 1));
        refused(over, "dispatch_config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run_id", "withdrawn", "superseded", "partial", "tool_calls", "user_message_attachments"})
    void membersOfTheServerCannotBeSent(String key) {
        ObjectNode metadata = slack.metadata().put(key, "x");

        Api.Reply inside = slack.submit(Relay.body("hi", metadata));
        assertThat(inside.status()).isEqualTo(400);
        assertThat(inside.json().at("/errors/0/field").asString()).isEqualTo("msg_metadata." + key);
        Api.Reply beside = slack.submit(slack.body("hi").put(key, "x"));
        assertThat(beside.status()).isEqualTo(400);
        assertThat(beside.json().at("/errors/0/field").asString()).isEqualTo(key);
    }
}
