package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Titles and previews show the text of a flagged message without its legacy prefix; the message itself is unchanged. */
class LegacyTitlesTest {
    private static final String THREADS = "/api/v1/chat/threads";
    private static final String PREFIXED = "[Slack channel:C1 user:Ann [QA] (<@U1>)] 你好，明天见 👋 [1]";
    private static final String TYPED = "你好，明天见 👋 [1]";

    @AutoClose
    private static final RunningServer server = Relay.start();

    private static JsonNode bring(Relay relay, String text, boolean flagged) {
        return relay.bring(relay.body(text).put("passive", true).put("legacy_prefix", flagged));
    }

    private static JsonNode listed(JsonNode brought) {
        return Relay.operator(server)
                .get(THREADS)
                .json()
                .path("threads")
                .valueStream()
                .filter(each -> each.path("thread_id").equals(brought.path("session_id")))
                .findFirst()
                .orElseThrow();
    }

    private static void previewBecomes(JsonNode brought, String preview) {
        // Lists follow the log within about a second.
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(
                                listed(brought).path("last_message_preview").asString(""))
                        .isEqualTo(preview));
    }

    @Test
    void flaggedMessage_titleAndPreview_haveNoPrefix() {
        Relay relay = Relay.of(server, "slack");
        JsonNode brought = bring(relay, PREFIXED, true);

        Api.Reply thread = Relay.operator(server).get(Relay.thread(brought));

        assertThat(thread.text("title")).isEqualTo(TYPED);
        assertThat(thread.text("last_message_preview")).isEqualTo(TYPED);
        previewBecomes(brought, TYPED);
        assertThat(listed(brought).path("title").asString()).isEqualTo(TYPED);
        assertThat(relay.messages(brought).get(0).path("content").asString()).isEqualTo(PREFIXED);
        assertThat(Relay.operator(server)
                        .get(Relay.thread(brought) + "/events")
                        .json()
                        .toString())
                .contains("\"title\":\"" + TYPED + "\"");
    }

    @Test
    void unflaggedMessage_titleAndPreview_areAsTyped() {
        JsonNode brought = bring(Relay.of(server, "slack"), PREFIXED, false);

        Api.Reply thread = Relay.operator(server).get(Relay.thread(brought));

        assertThat(thread.text("title")).isEqualTo(PREFIXED);
        assertThat(thread.text("last_message_preview")).isEqualTo(PREFIXED);
        previewBecomes(brought, PREFIXED);
    }

    @Test
    void flaggedMessageWithoutText_givesNoTitle() {
        Relay relay = Relay.of(server, "bluebubbles");
        JsonNode first = bring(relay, "[نور]: ", true);

        assertThat(Relay.operator(server)
                        .get(Relay.thread(first))
                        .json()
                        .path("title")
                        .isNull())
                .isTrue();
        bring(relay, "[نور]: \nمرحبا", true);

        assertThat(Relay.operator(server).get(Relay.thread(first)).text("title"))
                .isEqualTo("مرحبا");
        previewBecomes(first, "مرحبا");
    }
}
