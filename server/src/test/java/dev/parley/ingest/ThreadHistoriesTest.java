package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The reading of earlier messages, whatever the platform's adapter makes of it. */
class ThreadHistoriesTest {
    private static final EarlierMessage ROOT = message("root", "the root", true);

    private static EarlierMessage message(String id, String text, boolean first) {
        return new EarlierMessage(
                id, null, null, new EarlierMessage.Author("slack:U03ASH", "Ash", null), text, null, first);
    }

    private static RunningServer server;
    private final AtomicInteger reads = new AtomicInteger();
    private Platform platform;

    @BeforeAll
    static void start() {
        server = Relay.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void goElsewhere() {
        platform = Platform.of(server, "slack");
    }

    private void bring(String id, String text, PlatformHistory.Reader reader) {
        ObjectNode metadata = platform.metadata(id).put("external_thread_id", "root");
        Inbound.Said said = platform.said(text, metadata, Inbound.Echo.NONE);
        platform.bring(new Inbound.Said(
                said.submission(),
                said.files(),
                said.echo(),
                List.of(new MissingHistory.InThread("root", false, (most, limit) -> {
                    reads.incrementAndGet();
                    return reader.read(most, limit);
                }))));
    }

    private JsonNode metadataOf(int index) {
        return platform.messages().get(index).path("metadata");
    }

    @Test
    void brokenReader_doesNotKeepTheMessageOut() {
        bring("1", "早上好", (most, limit) -> {
            throw new IllegalStateException("nobody foresaw this");
        });

        assertThat(platform.texts()).containsExactly("早上好");
        assertThat(metadataOf(0).at("/thread_history/problem").asString())
                .isEqualTo("The platform's answer could not be read.");
        assertThat(metadataOf(0).has("thread_context")).isFalse();
    }

    @Test
    void finalAnswer_isNotAskedForAgain() {
        bring("1", "one", (most, limit) -> new PlatformHistory.Unread("Gone.", null));
        bring("2", "two", (most, limit) -> new PlatformHistory.Unread("Gone.", null));

        assertThat(reads).hasValue(1);
        assertThat(metadataOf(1).has("thread_history")).isFalse();
    }

    @Test
    void pause_endsWhenItIsOver() {
        bring("1", "one", (most, limit) -> new PlatformHistory.Unread("Later.", Duration.ofHours(1)));
        bring("2", "two", (most, limit) -> new PlatformHistory.Unread("Later.", Duration.ofHours(1)));
        assertThat(reads).hasValue(1);

        server.execute("update bindings set history_next_at = now() where channel = '" + platform.channel() + "'");
        bring("3", "three", (most, limit) -> PlatformHistory.Read.all(List.of(ROOT)));

        assertThat(reads).hasValue(2);
        assertThat(metadataOf(2).path("thread_context").asString()).endsWith("\n- Ash: the root");
    }

    @Test
    void deletedThread_isReadAnewForItsSuccessor() {
        PlatformHistory.Reader reader = (most, limit) -> PlatformHistory.Read.all(List.of(ROOT));
        bring("1", "one", reader);
        assertThat(Relay.operator(server)
                        .delete("/api/v1/chat/threads/" + platform.thread())
                        .status())
                .isLessThan(300);

        bring("2", "two", reader);

        assertThat(reads).hasValue(2);
        assertThat(metadataOf(0).path("thread_context").asString()).endsWith("\n- Ash: the root");
    }

    @Test
    void integration_cannotSetTheOutcomeItself() {
        Relay relay = Relay.of(server, "slack");
        ObjectNode metadata = relay.metadata();
        metadata.putObject("thread_history").put("from", "slack");

        assertThat(relay.api()
                        .post("/api/v1/ingest/chat", Relay.body("hi", metadata).toString())
                        .toString())
                .startsWith("400")
                .contains("thread_history");
    }
}
