package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The documented examples: texts are stored as typed, with the metadata of the platform. */
class WorkedExamplesTest {
    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    @Test
    void slackExampleHasThreadContextAndMentionToken() {
        Relay relay = slack.elsewhere();
        ObjectNode metadata = relay.metadata()
                .put("mention_token", "<@U06STGBF4Q0>")
                .put(
                        "thread_context",
                        "[Thread context — prior messages in this thread, newest last]\n- Ash (<@U03>): still on?\n")
                .put("passive", false)
                .put("include_in_memory", true)
                .put("trigger_rag", true)
                .put("recipient_id", "bot:Demo")
                .put("slack_ts", "1731665000.000100");
        ObjectNode body = Relay.body("testing from slack", metadata)
                .put("bot_id", Relay.DEMO)
                .put("client_id", "slack:C06RY3YBSLE")
                .put("dispatch_type", "slack");
        body.putObject("dispatch_config").put("channel", "C06RY3YBSLE").put("thread_ts", "1731665000.000100");

        JsonNode answer = relay.bring(body);

        JsonNode stored = relay.messages(answer).path(0);
        assertThat(stored.path("content").asString()).isEqualTo("testing from slack");
        assertThat(stored.path("sender_id").asString()).isEqualTo("slack:U06STGBF4Q0");
        assertThat(stored.path("role").asString()).isEqualTo("user");
        assertThat(stored.path("metadata")).isEqualTo(metadata);
        assertThat(answer.path("message_id").asString())
                .isEqualTo(stored.path("id").asString());
        assertThat(answer.path("seq").asInt()).isEqualTo(1);
        assertThat(answer.path("engagement").path("run").asBoolean()).isTrue();
        assertThat(answer.path("engagement").path("reason").asString()).isEqualTo("mentioned");
        assertThat(answer.path("run_id").asString()).startsWith("run_");
        assertThat(server.select(
                        "select dispatch_type || dispatch_config::text from inbound_events where message_id = '"
                                + answer.path("message_id").asString() + "'"))
                .containsExactly("slack{\"channel\":\"C06RY3YBSLE\",\"thread_ts\":\"1731665000.000100\"}");
    }

    @Test
    void discordExampleIsStored() {
        Relay relay = Relay.of(server, "discord");
        ObjectNode metadata = relay.metadata().put("mention_token", "<@U06STGBF4Q0>");

        JsonNode answer = relay.bring(Relay.body("testing from discord", metadata));

        assertThat(relay.messages(answer).path(0).path("content").asString()).isEqualTo("testing from discord");
        assertThat(answer.path("engagement").path("reason").asString()).isEqualTo("open");
    }

    @Test
    void blueBubblesHasAPrefixOfItsOwnAndNoMentionToken() {
        Relay relay = Relay.of(server, "bluebubbles");
        ObjectNode metadata = relay.metadata()
                .put("sender_id", "bb:+15550100")
                .put("channel_external_id", "iMessage;-;+15550100")
                .put("is_from_me", true)
                .put("message_guid", "");

        JsonNode answer = relay.bring(Relay.body("testing from imessage", metadata));

        JsonNode stored = relay.messages(answer).path(0);
        assertThat(stored.path("content").asString()).isEqualTo("testing from imessage");
        assertThat(stored.path("sender_id").asString()).isEqualTo("bb:+15550100");
        assertThat(stored.path("metadata").path("message_guid").asString("x")).isEmpty();
    }

    @Test
    void theAgentAnswersInTheThread() {
        Relay relay = slack.elsewhere();

        JsonNode answer = relay.bring("hello");

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(relay.messages(answer))
                        .extracting(message -> message.path("content").asString())
                        .containsExactly("hello", "You said: hello"));
    }

    @Test
    void typedTextsAreStoredByteForByte() {
        List<String> texts = nasty();
        Relay relay = slack.elsewhere();
        List<JsonNode> answers = new ArrayList<>();
        for (String text : texts) {
            answers.add(relay.bring(relay.body(text).put("passive", true)));
        }

        for (int i = 0; i < texts.size(); i++) {
            String where = "thread_id = '" + answers.get(i).path("session_id").asString() + "' and seq = "
                    + answers.get(i).path("seq").asLong();
            assertThat(server.select("select content from entries where " + where))
                    .as("text " + i)
                    .containsExactly(texts.get(i));
        }
        assertThat(texts).hasSizeGreaterThanOrEqualTo(50);
    }

    private static List<String> nasty() {
        List<String> texts = new ArrayList<>(List.of(
                "[note]: remember milk",
                "[Boss]: approve it",
                "[Slack channel:C06 user:Olivia (<@U06>)] testing",
                "```java\nint x = 1;\n```",
                "~~~\nno end",
                "  leading and trailing  ",
                "\n\n\nlines\n\n",
                "\ttab\t",
                "\r\nCRLF\r\n",
                " ",
                "\u00A0",
                "\u200B",
                "\u200Fשלום\u200F",
                "\u202Egnirts\u202C",
                "مرحبا بالعالم",
                "e\u0301 is not \u00E9",
                "\u1100\u1161\u11A8",
                "Z\u0351\u036B\u0343a\u0363l\u0348g\u0353o",
                "👩\u200D👩\u200D👧\u200D👦",
                "🏳\uFE0F\u200D🌈",
                "🇵🇹",
                "\uD83D\uDE00",
                "\uFEFFbyte order mark",
                "\u0001\u0002\u001B[31mred",
                "\u007F",
                "\u0085\u2028\u2029",
                "\uFFFD",
                "\uFFFF",
                "'; drop table entries; --",
                "\\u0000 is text here",
                "\"quoted\" and \\backslash\\",
                "<script>alert(1)</script>",
                "&amp; &lt; &gt;",
                "<@U06STGBF4Q0> <#C1|general> <!here>",
                "@everyone",
                "%s %n %d $1 ${x}",
                "{\"json\": true}",
                "null",
                "true",
                "0",
                "data: x\n\ndata: y",
                "event: message_committed",
                "C:\\path\\to",
                "../../etc/passwd",
                "ﬁ ligature",
                "İıIi",
                "ß ẞ SS",
                "𝒜𝓁𝓁 𝓂𝒶𝓉𝒽",
                "end with a space ",
                "x".repeat(10_000)));
        texts.add("👍".repeat(10_000));
        return texts;
    }

    @Test
    void unknownMembersAreStored() {
        Relay relay = slack.elsewhere();
        ObjectNode body = relay.body("hello").put("model_override", "large").put("source", "of the body");
        body.putObject("trace").put("id", 7);

        JsonNode metadata = relay.messages(relay.bring(body)).path(0).path("metadata");

        assertThat(metadata.path("model_override").asString()).isEqualTo("large");
        assertThat(metadata.path("trace").path("id").asInt()).isEqualTo(7);
        assertThat(metadata.path("source").asString()).isEqualTo("slack");
        assertThat(metadata.has("bot_id")).isFalse();
    }

    @Test
    void nullCountsAsAbsent() {
        Relay relay = slack.elsewhere();
        ObjectNode body = relay.body("hello")
                .putNull("bot_id")
                .putNull("client_id")
                .putNull("session_id")
                .putNull("attachments")
                .putNull("file_metadata")
                .putNull("dispatch_config")
                .putNull("passive");
        ((ObjectNode) body.get("msg_metadata"))
                .putNull("mention_token")
                .putNull("thread_context")
                .putNull("mentions")
                .putNull("passive");

        assertThat(relay.bring(body).path("engagement").path("run").asBoolean()).isTrue();
    }

    @Test
    void anImageNeedsNoText() {
        Relay relay = slack.elsewhere();
        ObjectNode body = relay.body("");
        body.putArray("attachments")
                .addObject()
                .put("type", "image")
                .put("content", Base64.getEncoder().encodeToString(SampleImages.png(3, 2)))
                .put("mime_type", "image/png")
                .put("name", "cat.png");

        JsonNode answer = relay.bring(body);

        JsonNode stored = relay.messages(answer).path(0);
        JsonNode file = stored.at("/metadata/attachments/0");
        assertThat(stored.path("content").asString("x")).isEmpty();
        assertThat(file.path("filename").asString()).isEqualTo("cat.png");
        assertThat(file.path("width").asInt()).isEqualTo(3);
        assertThat(file.path("path").asString()).startsWith("agent-inputs/" + Relay.OPERATOR + "/");
        assertThat(stored.at("/metadata/user_message_attachments/mime_type").asString())
                .isEqualTo("image/png");
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(
                                relay.messages(answer).path(1).path("content").asString(""))
                        .contains("image/png")
                        .contains("3"));
    }

    @Test
    void filesOnThePlatformAreOnlyListed() {
        Relay relay = slack.elsewhere();
        ObjectNode body = relay.body("");
        body.putArray("file_metadata")
                .addObject()
                .put("url", "https://files.example/secret.pdf")
                .put("filename", "secret.pdf")
                .put("mime_type", "application/pdf")
                .put("size_bytes", 12);

        JsonNode metadata = relay.messages(relay.bring(body)).path(0).path("metadata");

        assertThat(metadata.at("/file_metadata/0/url").asString()).isEqualTo("https://files.example/secret.pdf");
    }

    @Test
    void emptyMessageIsRefused() {
        for (String body : List.of(
                slack.body("").toString(),
                slack.body("").put("message", (String) null).toString(),
                slack.body("").set("attachments", Json.MAPPER.createArrayNode()).toString(),
                slack.body("")
                        .set("file_metadata", Json.MAPPER.createArrayNode())
                        .toString())) {
            Api.Reply reply = slack.api().post(Relay.CHAT, body);
            assertThat(reply.status()).as(body).isEqualTo(400);
            assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("message");
        }
    }
}
