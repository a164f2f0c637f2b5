package dev.parley.platforms.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.ingest.PlatformEvent;
import dev.parley.ingest.RemoteFile;
import dev.parley.testkit.chat.BlueBubblesMessages;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Mapping of BlueBubbles' webhooks; typed texts stay unchanged. */
class BlueBubblesEventsTest {
    private final Mac mac = new Mac();

    @AfterEach
    void close() {
        mac.close();
    }

    private PlatformEvent read(String name) {
        JsonNode event = Mac.example(name);
        List<PlatformEvent> read = mac.events.read(event.path("type").asString(), event.path("data"));
        assertThat(read).hasSize(1);
        return read.getFirst();
    }

    private PlatformEvent.Posted posted(String name) {
        return (PlatformEvent.Posted) read(name);
    }

    private static ObjectNode metadata(PlatformEvent.Posted posted) {
        return posted.message().metadata();
    }

    @Test
    void directMessageAddressesTheAgent() {
        PlatformEvent.Posted posted = posted("direct");

        assertThat(posted.message().message()).isEqualTo("早上好 👋 e\u0301  ");
        assertThat(posted.message().passive()).isFalse();
        assertThat(posted.files()).isEmpty();
        assertThat(posted.echo()).isEqualTo(new PlatformEvent.Echo(null, false, false));
        assertThat(metadata(posted).toString())
                .isEqualTo("{\"source\":\"bluebubbles\",\"sender_id\":\"bb:+15550100\","
                        + "\"sender_display_name\":\"Ash 🌲\",\"sender_type\":\"human\","
                        + "\"channel_external_id\":\"iMessage;-;+15550100\",\"external_message_id\":\"0A1B-1\","
                        + "\"message_guid\":\"0A1B-1\",\"conversation_kind\":\"dm\",\"is_from_me\":false,"
                        + "\"sent_at\":\"" + Mac.NOW + "\",\"mentions\":[{\"is_self\":true}]}");
    }

    @Test
    void groupMessageHasNoMentionAndASenderOfItsOwn() {
        PlatformEvent.Posted posted = posted("group");

        assertThat(posted.message().message()).isEqualTo("مرحبا");
        assertThat(metadata(posted).path("sender_id").asString()).isEqualTo("bb:olivia@example.test");
        assertThat(metadata(posted).path("sender_display_name").asString()).isEqualTo("olivia@example.test");
        assertThat(metadata(posted).path("conversation_kind").asString()).isEqualTo("group");
        assertThat(metadata(posted).has("mentions")).isFalse();
        assertThat(posted.message().passive()).isFalse();
    }

    @Test
    void ownersMessageToOthersIsPassive() {
        PlatformEvent.Posted posted = posted("from-me");

        assertThat(posted.message().passive()).isTrue();
        assertThat(metadata(posted).path("sender_id").asString()).isEqualTo("bb:me@example.test");
        assertThat(metadata(posted).path("sender_display_name").asString()).isEqualTo("Me");
        assertThat(metadata(posted).path("sender_type").asString()).isEqualTo("human");
        assertThat(metadata(posted).path("is_from_me").asBoolean()).isTrue();
        assertThat(metadata(posted).has("mentions")).isFalse();
        assertThat(posted.echo()).isEqualTo(new PlatformEvent.Echo(null, true, false));
    }

    @Test
    void ownersNoteToSelfAddressesTheAgent() {
        PlatformEvent.Posted posted = posted("with-oneself");
        PlatformEvent.Posted mirrored = posted("with-oneself-mirrored");

        assertThat(posted.message().passive()).isFalse();
        assertThat(metadata(posted).has("mentions")).isTrue();
        assertThat(posted.echo()).isEqualTo(new PlatformEvent.Echo(null, true, true));
        assertThat(mirrored.echo()).isEqualTo(new PlatformEvent.Echo(null, false, true));
        assertThat(metadata(mirrored).path("sender_id"))
                .isEqualTo(metadata(posted).path("sender_id"));
        assertThat(metadata(mirrored).path("sender_display_name").asString()).isEqualTo("Me");
    }

    @Test
    void sentPartsShowTheirMarker() {
        assertThat(posted("echo").echo()).isEqualTo(new PlatformEvent.Echo("AZrZmVd7fXyYx_0-abcdEF", true, false));
        assertThat(posted("other-program").echo()).isEqualTo(new PlatformEvent.Echo(null, true, false));
    }

    @Test
    void noteToSelfIsReportedTwice() {
        assertThat(posted("with-oneself").echo()).isEqualTo(new PlatformEvent.Echo(null, true, true));
        assertThat(posted("with-oneself-mirrored").echo()).isEqualTo(new PlatformEvent.Echo(null, false, true));
    }

    @Test
    void placeholdersOfAttachmentsAreRemoved() {
        PlatformEvent.Posted posted = posted("picture");

        assertThat(posted.message().message()).isEqualTo("Look!");
        assertThat(posted.files())
                .extracting(RemoteFile::name, RemoteFile::mimeType, RemoteFile::sizeBytes)
                .containsExactly(tuple("IMG_1.HEIC", "image/heic", 12345L), tuple("IMG_2.jpeg", "image/jpeg", 99L));
        assertThat(posted("picture-only").message().message()).isEmpty();
        assertThat(posted("picture-only").files()).hasSize(1);
        assertThat(posted("typed-placeholder").message().message()).isEqualTo("a \uFFFC b");
    }

    @Test
    void filesAreFetchedWithThePasswordAndNamedWithoutIt() throws Exception {
        mac.server.addAttachment("at_0_0A1B-8", new byte[] {1, 2, 3});
        List<RemoteFile> files = posted("picture").files();

        assertThat(files.getFirst().fetch().fetch()).containsExactly(1, 2, 3);
        assertThat(files.getFirst().url())
                .isEqualTo(mac.server.url() + "/api/v1/attachment/at_0_0A1B-8/download")
                .doesNotContain("pass");
        assertThatThrownBy(() -> files.getLast().fetch().fetch())
                .isInstanceOf(RemoteFile.Failed.class)
                .hasMessage("The platform answered 404.");
    }

    @Test
    void aLinksPreviewIsNoFile() {
        assertThat(posted("link").files()).isEmpty();
        assertThat(posted("link").message().message()).isEqualTo("https://example.test/a");
    }

    @Test
    void replyAndSubjectAreMetadata() {
        assertThat(metadata(posted("reply")).path("reply_to_external_id").asString())
                .isEqualTo("0A1B-2");
        assertThat(metadata(posted("reply")).has("external_thread_id")).isFalse();
        assertThat(posted("subject").message().message()).isEqualTo("At noon?");
        assertThat(metadata(posted("subject")).path("subject").asString()).isEqualTo("Lunch");
    }

    @ParameterizedTest
    @CsvSource({
        "tapback, 0A1B-2, ❤️, true, bb:olivia@example.test",
        "tapback-removed, 0A1B-2, ❤️, false, bb:olivia@example.test",
        "tapback-number, 0A1B-8, 😂, true, bb:+15550100",
        "tapback-emoji, 0A1B-1, 🦊, true, bb:+15550100"
    })
    void tapbacksAreReactionsAndNoMessages(String name, String target, String emoji, boolean added, String sender) {
        PlatformEvent.Reacted reacted = (PlatformEvent.Reacted) read(name);

        assertThat(reacted.message().externalMessageId()).isEqualTo(target);
        assertThat(reacted.message().eventId()).startsWith("0A1B-1");
        assertThat(reacted.emoji()).isEqualTo(emoji);
        assertThat(reacted.added()).isEqualTo(added);
        assertThat(reacted.senderId()).isEqualTo(sender);
    }

    @Test
    void everyTapbackHasItsEmoji() {
        ObjectNode message = BlueBubblesMessages.said(Mac.DIRECT, Mac.FRIEND, "x", Mac.NOW);
        message.put("associatedMessageGuid", "p:12/AB");
        String[] emoji = {"❤️", "👍", "👎", "😂", "‼️", "❓"};
        String[] names = {"love", "like", "dislike", "laugh", "emphasize", "question"};
        for (int i = 0; i < emoji.length; i++) {
            message.put("associatedMessageType", 2000 + i);
            assertThat(Tapback.read(message)).contains(new Tapback("AB", emoji[i], true));
            message.put("associatedMessageType", "-" + names[i]);
            assertThat(Tapback.read(message)).contains(new Tapback("AB", emoji[i], false));
            message.put("associatedMessageType", 3000 + i);
            assertThat(Tapback.read(message)).contains(new Tapback("AB", emoji[i], false));
        }
        message.put("associatedMessageType", 2);
        assertThat(Tapback.read(message)).isEmpty();
    }

    @Test
    void stickerOnAMessageIsAMessage() {
        assertThat(posted("sticker").files()).hasSize(1);
    }

    @Test
    void changesAreKeyedByTheirTime() {
        assertThat(read("edited"))
                .isEqualTo(new PlatformEvent.Edited(
                        new PlatformEvent.MessageRef("", Mac.DIRECT, "0A1B-1", "0A1B-1/edited/1794816060000")
                                .happened(Instant.ofEpochMilli(1_794_816_060_000L)),
                        "早上好！"));
        assertThat(read("unsent"))
                .isEqualTo(new PlatformEvent.Deleted(
                        new PlatformEvent.MessageRef("", Mac.DIRECT, "0A1B-1", "0A1B-1/unsent/1794816060000")))
                .isEqualTo(read("unsent-on-newer-macs"));
    }

    @Test
    void historyGivesAMessageAndItsChange() {
        List<PlatformEvent> edited =
                mac.events.readHistory(Mac.example("edited").path("data"));
        List<PlatformEvent> unsent =
                mac.events.readHistory(Mac.example("unsent").path("data"));

        assertThat(edited).hasSize(2);
        assertThat(((PlatformEvent.Posted) edited.getFirst()).message().message())
                .isEqualTo("早上好！");
        assertThat(edited.getLast()).isEqualTo(read("edited"));
        assertThat(unsent).containsExactly(read("unsent"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "read",
                "renamed-group",
                "joined",
                "left",
                "nothing-said",
                "without-chat",
                "typing",
                "hello",
                "send-error"
            })
    void otherEventsAreIgnored(String name) {
        assertThat(read(name)).isInstanceOf(PlatformEvent.Ignored.class);
    }

    @Test
    void textMessageHasItsNumber() {
        assertThat(metadata(posted("text-message")).path("sender_id").asString())
                .isEqualTo("bb:55512");
        assertThat(metadata(posted("text-message")).path("channel_external_id").asString())
                .isEqualTo("SMS;-;55512");
    }

    @Test
    void messageWithoutASenderIsStored() {
        assertThat(metadata(posted("group-without-handle")).path("sender_id").asString())
                .isEqualTo("bb:unknown");
    }

    @Test
    void oldMessagesAreStoredAndNotAnswered() {
        mac.clock.advance(BlueBubblesEvents.MAX_ANSWER_AGE);
        assertThat(posted("direct").message().passive()).isFalse();

        mac.clock.advance(Duration.ofMillis(1));
        assertThat(posted("direct").message().passive()).isTrue();
        assertThat(metadata(posted("direct")).path("sent_at").asString()).isEqualTo(Mac.NOW.toString());
    }

    @Test
    void namesAreCachedForALimitedTime() {
        posted("direct");
        posted("direct");
        assertThat(mac.server.api().requests("contact/query")).hasSize(1);

        mac.server.addContact(Mac.FRIEND, "Ash Oak");
        mac.clock.advance(Contacts.LIFETIME.plusSeconds(1));
        assertThat(metadata(posted("direct")).path("sender_display_name").asString())
                .isEqualTo("Ash Oak");
    }

    @Test
    void silentMacCostsOnlyTheName() {
        LocalApi.Answer broken = new LocalApi.Answer(502, Map.of(), new byte[0]);
        mac.server.api().fail("contact/query", new LocalApi.Fault.LoseAnswer());
        mac.server.api().fail("server/info", new LocalApi.Fault.Instead(broken));

        assertThat(metadata(posted("direct")).path("sender_display_name").asString())
                .isEqualTo(Mac.FRIEND);
        assertThat(metadata(posted("from-me")).path("sender_id").asString()).isEqualTo("bb:me");

        mac.clock.advance(Contacts.RETRY_INTERVAL.plusSeconds(1));
        assertThat(metadata(posted("direct")).path("sender_display_name").asString())
                .isEqualTo("Ash 🌲");
        assertThat(metadata(posted("from-me")).path("sender_id").asString()).isEqualTo("bb:me@example.test");
    }

    @Test
    void ownerStaysTheSameWhileTheMacSleeps() {
        posted("from-me");
        mac.clock.advance(Contacts.LIFETIME.plusSeconds(1));
        mac.server.api().fail("server/info", new LocalApi.Fault.LoseAnswer());

        assertThat(metadata(posted("from-me")).path("sender_id").asString()).isEqualTo("bb:me@example.test");
    }

    @Test
    void passwordIsSentAndNotShown() {
        posted("direct");

        assertThat(mac.server.api().requests().getFirst().parameters())
                .containsEntry("password", ScriptedBlueBubbles.PASSWORD);
        assertThat(mac.access().toString()).doesNotContain(ScriptedBlueBubbles.PASSWORD);
    }
}
