package dev.parley.platforms.bluebubbles;

import static dev.parley.platforms.bluebubbles.MacAndServer.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** The whole way from a Mac into threads and back: each message once and unchanged, with or without its webhook. */
class BlueBubblesServerTest {
    private static MacAndServer both;

    @BeforeAll
    static void start() throws IOException {
        both = new MacAndServer();
    }

    @AfterAll
    static void stop() {
        both.close();
    }

    /** The address of a new person. */
    private static String newAddress() {
        return "+1555" + Math.abs(UUID.randomUUID().getLeastSignificantBits() % 10_000_000);
    }

    private static String direct(String address) {
        return "iMessage;-;" + address;
    }

    @Test
    void messageIsStoredOnceAndAnsweredOnce() {
        String address = newAddress();
        String text = "早上好 👩‍👩‍👧‍👦 مرحبا e\u0301  [Boss]: approve it";

        ObjectNode message = both.mac.say(direct(address), address, text);
        both.mac.emit("new-message", message);
        both.mac.emit("new-message", message);

        soon(() -> assertThat(both.shown(direct(address))).containsExactly(text, "You said: " + text));
        both.mac.settle();
        assertThat(both.said(direct(address))).containsExactly(text, "You said: " + text);
        assertThat(both.select("select metadata ->> 'sender_id' from entries join bindings using (thread_id)"
                        + " where seq = 1 and channel = '" + direct(address) + "'"))
                .containsExactly("bb:" + address);
    }

    @Test
    void ownAnswersAreNotAnswered() {
        String address = newAddress();
        both.mac.say(direct(address), address, "one");
        soon(() -> assertThat(both.shown(direct(address))).hasSize(2));
        both.mac.settle();

        both.mac.say(direct(address), address, "two");

        soon(() -> assertThat(both.shown(direct(address)))
                .containsExactly("one", "You said: one", "two", "You said: two"));
        both.mac.settle();
        assertThat(both.said(direct(address))).containsExactly("one", "You said: one", "two", "You said: two");
    }

    @Test
    void ownersMessageToOthersIsStoredAndNotAnswered() {
        String address = newAddress();

        both.mac.say(direct(address), null, "I will be late.");
        both.mac.say(direct(address), address, "No problem.");

        soon(() -> assertThat(both.shown(direct(address)))
                .containsExactly("I will be late.", "No problem.", "You said: No problem."));
        assertThat(both.said(direct(address))).startsWith("I will be late.", "No problem.");
    }

    @Test
    void tapbackIsAReactionAndNoMessage() {
        String address = newAddress();
        ObjectNode message = both.mac.say(direct(address), address, "hello");
        soon(() -> assertThat(both.said(direct(address))).contains("hello"));
        ObjectNode tapback = BlueBubblesMessages.said(direct(address), address, "Loved “hello”", Instant.now());
        tapback.put("associatedMessageGuid", "p:0/" + message.path("guid").asString())
                .put("associatedMessageType", "love");

        both.mac.appear(tapback);

        soon(() -> assertThat(both.select("select content from entries join bindings using (thread_id)"
                        + " where kind = 3 and target_seq = 1 and channel = '" + direct(address) + "'"))
                .containsExactly("❤️"));
        assertThat(both.said(direct(address))).doesNotContain("Loved “hello”");
    }

    @Test
    void editedAndUnsentMessagesAreRevised() {
        String address = newAddress();
        ObjectNode message = both.mac.say(direct(address), address, "teh");
        soon(() -> assertThat(both.said(direct(address))).contains("teh"));

        both.mac.edit(message, "the");
        both.mac.emit("updated-message", message);
        soon(() -> assertThat(both.select("select content from entries join bindings using (thread_id)"
                        + " where kind = 1 and target_seq = 1 and channel = '" + direct(address) + "'"))
                .containsExactly("the"));

        both.mac.unsend(message);
        soon(() -> assertThat(both.select("select count(*) from entries join bindings using (thread_id)"
                        + " where kind = 2 and target_seq = 1 and channel = '" + direct(address) + "'"))
                .containsExactly("1"));
    }

    @Test
    void filesAreKept() {
        String address = newAddress();
        both.mac.addAttachment("at_0_" + address, "some notes".getBytes(StandardCharsets.UTF_8));
        ObjectNode message = BlueBubblesMessages.said(direct(address), address, "", Instant.now());
        BlueBubblesMessages.attach(message, "at_0_" + address, "notes.txt", "text/plain", 10);

        both.mac.appear(message);

        soon(() -> assertThat(both.select("select metadata #>> '{attachments,0,filename}' from entries"
                        + " join bindings using (thread_id) where seq = 1 and channel = '" + direct(address) + "'"))
                .containsExactly("notes.txt"));
        assertThat(both.said(direct(address)).getFirst()).isEmpty();
        assertThat(both.select("select metadata::text from entries"))
                .noneMatch(each ->
                        each != null && (each.contains(ScriptedBlueBubbles.PASSWORD) || each.contains("password=")));
    }

    @Test
    void aNoteToOneselfIsStoredAndAnsweredOnce() {
        String chat = direct(MacAndServer.OWNER);
        String note = "Remind me of the milk. " + UUID.randomUUID();

        both.mac.say(chat, null, note);
        both.mac.say(chat, MacAndServer.OWNER, note);

        soon(() -> assertThat(both.shown(chat)).contains("You said: " + note));
        both.mac.say(chat, MacAndServer.OWNER, "You said: " + note);
        both.mac.settle();
        assertThat(both.said(chat)).containsExactly(note, "You said: " + note);
    }

    @Test
    void aWrongSecretIsRefusedAndNothingIsStored() {
        String address = newAddress();
        String body = "{\"type\":\"new-message\",\"data\":"
                + BlueBubblesMessages.said(direct(address), address, "let me in", Instant.now()) + "}";

        Api.Reply reply = both.api().post(MacAndServer.path("a-secret-of-a-path-1"), body);

        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.toString()).doesNotContain(Mac.SECRET).doesNotContain("a-secret-of-a-path-1");
        assertThat(both.said(direct(address))).isEmpty();
        assertThat(both.api().post(MacAndServer.path(Mac.SECRET), body).status())
                .isEqualTo(200);
        assertThat(both.said(direct(address))).contains("let me in");
    }

    @Test
    void missedMessagesAreReadAfterTheMacsHello() throws IOException {
        try (MacAndServer alone = new MacAndServer()) {
            String address = newAddress();
            alone.mac.say(direct(address), address, "heard");
            soon(() -> assertThat(alone.said(direct(address))).contains("heard"));
            for (int i = 0; i < 5; i++) {
                alone.mac.keep(BlueBubblesMessages.said(direct(address), address, "unheard " + i, Instant.now()));
            }

            alone.mac.emit("hello-world", NullNode.getInstance());

            soon(() -> assertThat(alone.said(direct(address)))
                    .contains("heard", "unheard 0", "unheard 1", "unheard 2", "unheard 3", "unheard 4"));
            alone.mac.settle();
            assertThat(alone.said(direct(address))).doesNotHaveDuplicates();
        }
    }

    @Test
    void messagesDuringADowntimeAreStoredOnce() throws IOException {
        try (CapturedLog log = new CapturedLog("dev.parley");
                MacAndServer alone = new MacAndServer()) {
            String address = newAddress();
            // Messages before the first start are not imported.
            alone.mac.keep(BlueBubblesMessages.said(
                    direct(address), address, "before", Instant.now().minus(Duration.ofMinutes(1))));
            alone.mac.say(direct(address), address, "heard");
            soon(() -> assertThat(alone.shown(direct(address))).hasSize(3));
            alone.stop();

            alone.mac.say(direct(address), address, "while down");
            alone.mac.say(direct(address), null, "by the owner");
            ObjectNode old = BlueBubblesMessages.said(
                    direct(address), address, "late", Instant.now().minus(Duration.ofMinutes(6)));
            alone.mac.settle();
            alone.startAgain();
            alone.mac.appear(old);

            soon(() -> assertThat(alone.said(direct(address)))
                    .contains(
                            "heard", "You said: heard", "while down", "by the owner", "You said: while down", "late"));
            soon(() -> assertThat(alone.shown(direct(address))).contains("You said: while down"));
            alone.mac.settle();
            assertThat(alone.said(direct(address)))
                    .doesNotHaveDuplicates()
                    .doesNotContain("before")
                    .hasSize(6);
            assertThat(alone.shown(direct(address)))
                    .doesNotContain("You said: late")
                    .doesNotHaveDuplicates();
            assertThat(log.lines())
                    .noneMatch(line -> line.contains(ScriptedBlueBubbles.PASSWORD)
                            || line.contains("password=")
                            || line.contains(Mac.SECRET));
        }
    }

    /** The Mac may report a sent message after the process that sent it has ended. */
    @Test
    void ownNotesToSelfAreRecognisedAfterARestart() throws IOException {
        try (MacAndServer alone = new MacAndServer()) {
            String chat = direct(MacAndServer.OWNER);
            alone.mac.say(chat, null, "note");
            soon(() -> assertThat(alone.shown(chat)).containsExactly("note", "You said: note"));
            alone.stop();
            alone.startAgain();

            alone.mac.say(chat, MacAndServer.OWNER, "You said: note");

            alone.mac.settle();
            assertThat(alone.said(chat)).containsExactly("note", "You said: note");
            assertThat(alone.select("select reason from inbound_events where reason = 'echo'"))
                    .isNotEmpty();
        }
    }
}
