package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Recognition of repeated reports: the server's own answers, and messages to oneself. */
class PlatformMessagesTest {
    @AutoClose
    private static final RunningServer server = Relay.start("--lanes", "2");

    private final Platform platform = Platform.of(server, "bluebubbles");

    private static PlatformEvent.Echo echo(@Nullable String marker, boolean fromSelf) {
        return new PlatformEvent.Echo(marker, fromSelf, false);
    }

    /** Stores a delivery of the thread's first message to the channel. */
    private void delivered(String state, String marker, String externalId, String text) {
        server.execute(
                "insert into deliveries (delivery_id, destination_id, thread_id, seq, message_id, part, parts, content,"
                        + " marker, state, external_id, created_at) select gen_random_uuid(), destination_id, thread_id,"
                        + " 1, 'm1', 0, 1, '" + text + "', '" + marker + "', '" + state + "', " + externalId
                        + ", now() from destinations where channel = '" + platform.channel() + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"marker", "id", "text"})
    void ownAnswerIsNoSecondMessage(String by) {
        platform.say("hello", "1");
        String marker = UUID.randomUUID().toString();
        delivered(by.equals("text") ? "sending" : "sent", marker, by.equals("id") ? "'2'" : "null", "an answer");

        PlatformEvent.Posted shown = platform.said(
                by.equals("text") ? "an answer" : "an answer, as the platform shows it",
                platform.metadata("2"),
                echo(by.equals("marker") ? marker : null, by.equals("text")));
        platform.bring(shown);
        platform.bring(shown);

        assertThat(platform.texts()).containsExactly("hello");
        assertThat(platform.events()).containsExactly("open 1 true", "echo 1 false");
    }

    @Test
    void equalTextOfAnotherSenderIsAMessage() {
        platform.say("hello", "1");
        delivered("sending", UUID.randomUUID().toString(), "null", "an answer");

        platform.bring(platform.said("an answer", platform.metadata("2"), PlatformEvent.Echo.NONE));

        assertThat(platform.texts()).containsExactly("hello", "an answer");
    }

    @Test
    void unrecognisedMessageOfTheAccountIsABotsAndNotAnswered() {
        platform.say("hello", "1");

        platform.bring(platform.said("from elsewhere", platform.metadata("2"), echo(null, true)));

        assertThat(platform.texts()).containsExactly("hello", "from elsewhere");
        assertThat(platform.events()).last().asString().startsWith("passive ").endsWith(" false");
        assertThat(server.select("select bot from inbound_events where external_message_id = '2' and channel = '"
                        + platform.channel() + "'"))
                .containsExactly("t");
    }

    @Test
    void messageTypedByTheAccountsOwnerIsAPersons() {
        platform.bring(platform.said("my own words", platform.metadata("1").put("is_from_me", true), echo(null, true)));

        assertThat(platform.events()).containsExactly("open 1 true");
    }

    private PlatformEvent.Posted mirrored(String text, String id, boolean fromMe) {
        return platform.said(
                text, platform.metadata(id).put("is_from_me", fromMe), new PlatformEvent.Echo(null, fromMe, true));
    }

    @Test
    void aMessageToOneselfIsOneMessage() {
        platform.bring(mirrored("note ي", "1", true));
        platform.bring(mirrored("note ي", "2", false));
        platform.bring(mirrored("note ي", "3", true));
        platform.bring(mirrored("other", "4", false));

        assertThat(platform.texts()).containsExactly("note ي", "note ي", "other");
        assertThat(platform.events().get(1)).isEqualTo("mirror 1 false");
    }

    @Test
    void equalTextLaterIsANewMessage() {
        platform.bring(mirrored("yes", "1", true));
        server.execute("update inbound_events set received_at = received_at - interval '31 seconds' where channel = '"
                + platform.channel() + "'");

        platform.bring(mirrored("yes", "2", false));

        assertThat(platform.texts()).containsExactly("yes", "yes");
    }

    @Test
    void bothHalvesAtOnceAreOneMessage() throws Exception {
        try (ExecutorService bringing = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<?> each : List.of(
                    bringing.submit(() -> platform.bring(mirrored("note", "1", true))),
                    bringing.submit(() -> platform.bring(mirrored("note", "2", false))))) {
                each.get();
            }
        }
        assertThat(platform.texts()).containsExactly("note");
        assertThat(platform.events()).hasSize(2);
    }

    @Test
    void aPlatformsMessageMayBeEmpty() {
        platform.say("", "1");

        assertThat(platform.texts()).containsExactly("");
    }

    @Test
    void legacyFlagIsStored() {
        Relay relay = Relay.of(server, "slack");
        String text = "[Slack channel:C1 user:Olivia] testing";

        JsonNode plain = relay.bring(text);
        JsonNode flagged = relay.elsewhere().bring(relay.elsewhere().body(text).put("legacy_prefix", true));

        assertThat(relay.messages(plain).get(0).path("metadata").has("legacy_prefix"))
                .isFalse();
        assertThat(relay.messages(flagged)
                        .get(0)
                        .path("metadata")
                        .path("legacy_prefix")
                        .asBoolean())
                .isTrue();
        assertThat(relay.messages(flagged).get(0).path("content").asString()).isEqualTo(text);
        assertThat(relay.submit(relay.body(text).put("legacy_prefix", "yes")).toString())
                .startsWith("400")
                .contains("legacy_prefix");
        assertThat(relay.submit(Relay.body(text, relay.metadata().put("legacy_prefix", 1)))
                        .toString())
                .startsWith("400")
                .contains("legacy_prefix");
    }

    /** A refused platform stops sending in the end, so its messages are repaired instead. */
    @Test
    void invalidMessagesOfPlatformsAreRepairedAndStored() {
        platform.say("first", "1");
        Api operator = Relay.operator(server);
        String thread = "/api/v1/chat/threads/" + platform.thread();
        assertThat(operator.patch(thread + "/archive", "{\"archived\":true}").status())
                .isEqualTo(200);
        platform.say("into the archive", "2");
        assertThat(server.select("select reason from inbound_events where external_message_id = '2' and thread_id = '"
                        + platform.thread() + "'"))
                .containsExactly("archived");
        assertThat(operator.patch(thread + "/archive", "{\"archived\":false}").status())
                .isEqualTo(200);
        String longText = "長".repeat(60_000);
        platform.say(longText, "3");
        platform.say("half \ud83d and nul \u0000", "4");
        ObjectNode crowded = platform.metadata("5");
        ArrayNode mentions = crowded.putArray("mentions");
        for (int i = 0; i < 200; i++) {
            mentions.addObject()
                    .put("external_id", "U" + i)
                    .put("display", "名".repeat(32))
                    .put("is_self", i == 150);
        }
        platform.bring(platform.said("hello all", crowded, PlatformEvent.Echo.NONE));
        assertThat(platform.texts())
                .contains("first", "into the archive", longText, "half \ufffd and nul \ufffd", "hello all");
        assertThat(server.select("select reason from inbound_events where external_message_id = '5' and thread_id = '"
                        + platform.thread() + "'"))
                .containsExactly("mentioned");
    }
}
