package dev.parley.erasure;

import static dev.parley.erasure.ErasingServer.json;
import static dev.parley.erasure.ErasingServer.must;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.erasure.ErasingServer.Person;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testkit.chat.SlackPost;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** After an erasure the words are in no row of any table and in no file, though every face had them. */
class NothingLeftTest {
    private static final String CHINESE = "麒麟";
    private static final String ARABIC = "زنجبيل";
    private static final String EMOJI = "🦄🗝";

    private static QuotingSlack slack;
    private static ErasingServer server;

    @BeforeAll
    static void start() {
        slack = new QuotingSlack();
        server = ErasingServer.start(slack.flags());
    }

    @AfterAll
    static void stop() {
        server.close();
        slack.close();
    }

    /** A word that no other test uses, and the same in other scripts. */
    private static String[] marks(String word) {
        return new String[] {word, CHINESE + word, ARABIC + word, EMOJI + word};
    }

    private static String text(String word) {
        return "%1$s %2$s%1$s %3$s%1$s %4$s%1$s e\u0301".formatted(word, CHINESE, ARABIC, EMOJI);
    }

    private static String word() {
        return "zq" + UUID.randomUUID().toString().substring(24);
    }

    /** Every kind of content that chat and runs allow in a thread. */
    private void talk(Person ada, String thread, String word) {
        String messages = "/api/v1/chat/threads/" + thread + "/messages";
        String id = must(ada.api()
                        .post(
                                messages,
                                json(Map.of(
                                        "content",
                                        text(word),
                                        "client_message_id",
                                        "key-1",
                                        "metadata",
                                        Map.of("note", text(word))))))
                .path("id")
                .asString();
        server.awaitQuiet(thread);
        must(ada.api().patch(messages + "/" + id, json(Map.of("content", "edited " + text(word)))));
        must(ada.api().send("PUT", messages + "/" + id + "/reactions/" + "%F0%9F%A6%84", null));
        String deleted =
                ErasingServer.post(ada, thread, "gone " + text(word)).path("id").asString();
        server.awaitQuiet(thread);
        must(ada.api().delete(messages + "/" + deleted));
        server.run(ada, thread, "say", "Repeat " + text(word));
        server.run(ada, thread, "state", "/state {\"note\":\"" + text(word) + "\"}");
        server.run(ada, thread, "ask", "/approve " + text(word));
        server.run(ada, thread, "think", "/think " + text(word));
        server.run(ada, thread, "tool", "/tool look {\"for\":\"" + text(word) + "\"}");
        server.run(ada, thread, "team", "/team " + text(word));
        showPicture(ada, thread, word);
    }

    /** A JPEG image with words between its lines. */
    private static byte[] commented(byte[] jpeg, byte[] comment) {
        return ByteBuffer.allocate(jpeg.length + 4 + comment.length)
                .put(jpeg, 0, 2)
                .put(new byte[] {(byte) 0xFF, (byte) 0xFE})
                .putShort((short) (comment.length + 2))
                .put(comment)
                .put(jpeg, 2, jpeg.length - 2)
                .array();
    }

    private void showPicture(Person ada, String thread, String word) {
        byte[] picture = commented(SampleImages.jpeg(8, 8), text(word).getBytes(StandardCharsets.UTF_8));
        JsonNode uploaded = must(Form.file(word + ".jpg", "image/jpeg", picture).uploadBy(ada.api()));
        must(ada.api()
                .post(
                        "/api/v1/agent/runs",
                        json(Map.of(
                                "threadId",
                                thread,
                                "runId",
                                "picture",
                                "messages",
                                List.of(Map.of(
                                        "id",
                                        "p",
                                        "role",
                                        "user",
                                        "content",
                                        List.of(
                                                Map.of("type", "text", "text", text(word)),
                                                Map.of(
                                                        "type",
                                                        "binary",
                                                        "mimeType",
                                                        "image/jpeg",
                                                        "url",
                                                        uploaded.path("url").asString()))))))));
        server.awaitRun(thread, "picture");
    }

    @Test
    void erasedThreadLeavesNoWord() {
        Person ada = server.person("Ada");
        String word = word();
        String thread = ErasingServer.thread(ada, ErasingServer.DEMO);
        talk(ada, thread, word);
        must(ada.api().patch("/api/v1/chat/threads/" + thread, json(Map.of("title", "About " + text(word)))));
        assertThat(server.holding(marks(word))).isNotEmpty();

        JsonNode erased = server.erase(Map.of("thread_id", thread));

        assertThat(server.holding(marks(word))).isEmpty();
        assertThat(erased.path("threads_done").asInt()).isEqualTo(1);
        assertThat(erased.path("entries_erased").asInt())
                .isEqualTo(ErasingServer.messages(ada, thread).size()
                        + (int) server.running()
                                .count("select count(*) from entries where thread_id = '%s' and kind > 0"
                                        .formatted(thread)));
        server.checkChain(thread);
        assertThat(ErasingServer.messages(ada, thread)).isNotEmpty().allSatisfy(message -> {
            assertThat(message.path("content").asString()).isEmpty();
            assertThat(message.path("erased_at").isNull()).isFalse();
        });
        ErasingServer.post(ada, thread, "We go on.");
        server.awaitQuiet(thread);
        assertThat(ErasingServer.messages(ada, thread)
                        .getLast()
                        .path("erased_at")
                        .isNull())
                .isTrue();
    }

    @Test
    void erasedPersonLeavesNoWord() {
        String word = word();
        Person ada = server.person("Ada " + word);
        Person bob = server.person("Bob");
        String alone = ErasingServer.thread(ada, ErasingServer.DEMO);
        String together = ErasingServer.thread(bob, ada.actor(), ErasingServer.DEMO);
        ErasingServer.post(bob, together, "Bob was here first.");
        server.awaitQuiet(together);
        talk(ada, alone, word);
        talk(ada, together, word);
        must(ada.api()
                .send(
                        "POST",
                        "/storage/v1/object/agent-files/agent-inputs/" + ada.id() + "/kept/" + word + ".txt",
                        "text/plain",
                        text(word).getBytes(StandardCharsets.UTF_8)));
        must(ada.api().post("/api/v1/owner/agents", json(Map.of("display_name", "Of " + word))));
        sessions(ada, word);
        assertThat(server.holding(marks(word))).isNotEmpty();

        server.erase(Map.of("actor", ada.actor(), "reason", "asked for it"));

        assertThat(server.holding(marks(word))).isEmpty();
        server.checkChain(alone);
        server.checkChain(together);
        assertThat(ErasingServer.messages(bob, together))
                .filteredOn(message -> message.path("sender_id").asString().equals(bob.actor()))
                .extracting(message -> message.path("content").asString())
                .contains("Bob was here first.");
    }

    private void sessions(Person ada, String word) {
        String session = "/api/v1/sessions/s-" + UUID.randomUUID();
        String message = """
                {"id":"s1","role":"user","content":"%s"}""".formatted(text(word));
        must(ada.api().post(session + "/chat-events", "{\"message\":" + message + ",\"run_id\":\"r1\"}"));
        must(ada.api().post(session + "/chat-events", """
                {"message":{"id":"s2","role":"assistant","content":"You said %s"},"agent_id":"a","run_id":"r1"}""".formatted(text(word))));
        must(ada.api()
                .send(
                        "PUT",
                        session + "/document",
                        "{\"version\":0,\"document\":{\"summary\":\"" + text(word) + "\"}}"));
        must(ada.api()
                .send("PUT", session + "/runs/r1", "{\"version\":0,\"document\":{\"said\":\"" + text(word) + "\"}}"));
    }

    @Test
    void erasedQuotedSenderLeavesNoWord() {
        String word = word();
        String channel = slack.openChannel();
        String ash = slack.addUser("Ash " + word);
        SlackPost root = slack.say(channel, ash, text(word), null);
        // One thread quotes the root from the log, the other one quotes both messages from Slack.
        String whole = slack.bring(server, root);
        String thread = slack.bring(server, slack.say(channel, QuotingSlack.OLIVIA, "I see", root));
        SlackPost unknown = slack.say(channel, ash, text(word), null);
        slack.say(channel, ash, text(word), unknown);
        String other = slack.bring(server, slack.say(channel, QuotingSlack.OLIVIA, "I see that, too", unknown));
        assertThat(server.holding(marks(word))).isNotEmpty();

        server.erase(Map.of("actor", "slack:" + ash));

        assertThat(server.holding(marks(word))).isEmpty();
        server.checkChain(whole);
        server.checkChain(thread);
        server.checkChain(other);
    }

    @Test
    void erasedPlatformSenderLeavesNoWord() {
        String word = word();
        String sender = "slack:U" + UUID.randomUUID().toString().substring(0, 8);
        Api slack = server.slack();
        Map<String, Object> metadata = Map.of(
                "source",
                "slack",
                "sender_id",
                sender,
                "sender_display_name",
                "Olivia " + word,
                "sender_type",
                "human",
                "channel_external_id",
                "C" + word.hashCode(),
                "external_message_id",
                "m-" + word.hashCode());
        JsonNode first = must(slack.post(
                "/api/v1/ingest/chat",
                json(Map.of(
                        "message",
                        text(word),
                        "msg_metadata",
                        metadata,
                        "dispatch",
                        Map.of("type", "slack", "config", Map.of("note", word))))));
        String thread = first.path("session_id").asString();
        server.awaitQuiet(thread);
        assertThat(server.holding(marks(word))).isNotEmpty();

        server.erase(Map.of("actor", sender));

        assertThat(server.holding(marks(word))).isEmpty();
        JsonNode again = must(
                slack.post("/api/v1/ingest/chat", json(Map.of("message", "another text", "msg_metadata", metadata))));
        assertThat(again.path("duplicate").asBoolean()).isTrue();
        assertThat(again.path("seq").asLong()).isEqualTo(first.path("seq").asLong());
    }
}
