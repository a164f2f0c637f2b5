package dev.parley.platforms.discord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.ingest.PlatformEvent;
import dev.parley.ingest.RemoteFile;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.ChatPlatformContract;
import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedDiscord;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Mapping of the gateway events that a relay forwards. */
class DiscordEventsTest implements ChatPlatformContract {
    private final DiscordScene scene = new DiscordScene();

    @AfterEach
    void end() {
        scene.close();
    }

    @Override
    public ChatPlatform platform() {
        return scene.platform;
    }

    @Override
    public InboundRequest saying(String text) {
        return genuine(event("mention", "content", text));
    }

    @Override
    public InboundRequest genuine(byte[] body) {
        return DiscordScene.relayed(body);
    }

    @Override
    public InboundRequest forged(InboundRequest genuine) {
        return DiscordScene.request(genuine.path(), Map.of("Authorization", "Bearer another"), genuine.readBody());
    }

    private static ObjectNode tree(String fixture) {
        return (ObjectNode) Json.MAPPER.readTree(DiscordScene.fixture(fixture));
    }

    /** A fixture with one member of its message changed. */
    private static byte[] event(String fixture, String name, Object value) {
        ObjectNode event = tree(fixture);
        ((ObjectNode) event.get("d")).set(name, Json.MAPPER.valueToTree(value));
        return event.toString().getBytes(UTF_8);
    }

    private List<PlatformEvent> map(String fixture) {
        return scene.platform
                .receive(DiscordScene.relayed(DiscordScene.fixture(fixture)))
                .inbound();
    }

    private PlatformEvent.Posted posted(String fixture) {
        return posted(DiscordScene.relayed(DiscordScene.fixture(fixture)));
    }

    private static String text(PlatformEvent.Posted posted, String name) {
        return posted.message().metadata().path(name).asString("");
    }

    @Test
    void messageHasItsSenderTextChannelAndMentions() {
        PlatformEvent.Posted posted = posted("mention");

        assertThat(posted.message().message())
                .isEqualTo("<@1100000000000000001> 早上好, what is <#901000000000000202> for?  ");
        assertThat(posted.message().metadata().toString()).isEqualTo("""
            {"source":"discord","sender_id":"discord:302050872383242240","sender_display_name":"Olivia ✨",\
            "sender_type":"human","mention_token":"<@302050872383242240>",\
            "channel_external_id":"901000000000000201","external_message_id":"1404017772345678901",\
            "conversation_kind":"channel","workspace_id":"901000000000000100",\
            "sent_at":"2026-08-12T09:15:03.417000+00:00",\
            "mentions":[{"external_id":"1100000000000000001","display":"The Clerk",\
            "token":"<@1100000000000000001>","is_self":true}]}\
            """);
        assertThat(posted.echo()).isEqualTo(PlatformEvent.Echo.NONE);
        assertThat(posted.files()).isEmpty();
        assertThat(posted.message().passive()).isFalse();
    }

    @Test
    void replyNamesItsMessage() {
        PlatformEvent.Posted posted = posted("reply");

        assertThat(text(posted, "reply_to_external_id")).isEqualTo("1404017772345678901");
        assertThat(text(posted, "sender_display_name")).isEqualTo("Ash");
        assertThat(posted.message().message()).isEqualTo("مرحبا e\u0301 👩‍👩‍👧‍👦");
        assertThat(posted.message().metadata().has("mentions")).isFalse();
    }

    @Test
    void forwardedMessageIsNoReply() {
        assertThat(posted("forward").message().message()).isEqualTo("from elsewhere");

        PlatformEvent.Posted posted = posted(DiscordScene.relayed(event("forward", "content", "look")));

        assertThat(posted.message().metadata().has("reply_to_external_id")).isFalse();
    }

    private PlatformEvent withParts(String parts) {
        ObjectNode event = tree("forward");
        ObjectNode message = (ObjectNode) event.get("d");
        message.remove("message_snapshots");
        message.setAll((ObjectNode) Json.MAPPER.readTree(parts));
        return scene.platform
                .receive(DiscordScene.relayed(event.toString().getBytes(UTF_8)))
                .inbound()
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'embeds':[{'title':'Build','description':'早上好','fields':[{'name':'Took','value':'3 s'}]}]}"
                        + "|Build,早上好,Took,3 s|discord_embeds",
                "{'sticker_items':[{'id':'1','name':'Wave'}]}|Wave|discord_sticker_items",
                "{'poll':{'question':{'text':'When?'},'answers':[{'poll_media':{'text':'Now'}}]}}|When?,Now|discord_poll",
                "{'components':[{'type':17,'components':[{'type':10,'content':'Hi'}]}]}|Hi|discord_components"
            })
    void partsOfAMessageWithoutTextGiveItsText(String parts, String words, String kept) {
        PlatformEvent.Posted posted = (PlatformEvent.Posted) withParts(parts.replace('\'', '"'));

        assertThat(posted.message().message()).isEqualTo(words.replace(",", "\n"));
        assertThat(posted.message().metadata().has(kept)).isTrue();
        assertThat(posted.message().passive()).isFalse();
    }

    @Test
    void messageWithoutAnyWordsIsStoredAndNotAnswered() {
        PlatformEvent.Posted posted = (PlatformEvent.Posted) withParts("{\"embeds\":[{\"image\":{\"width\":3}}]}");

        assertThat(posted.message().message()).isEmpty();
        assertThat(posted.message().passive()).isTrue();
        assertThat(withParts("{\"embeds\":[]}")).isEqualTo(new PlatformEvent.Ignored("no_text"));
    }

    @Test
    void directMessageAddressesTheAgent() {
        PlatformEvent.Posted posted = posted("direct");

        assertThat(text(posted, "conversation_kind")).isEqualTo("dm");
        assertThat(posted.message().metadata().has("workspace_id")).isFalse();
        assertThat(text(posted, "sender_display_name")).isEqualTo("olivia.w");
        assertThat(posted.message().metadata().path("mentions").toString())
                .isEqualTo("[{\"external_id\":\"1100000000000000001\",\"is_self\":true,\"implied_by\":\"dm\"}]");
    }

    @Test
    void webhookIsABotWithItsVisibleName() {
        PlatformEvent.Posted posted = posted("webhook");

        assertThat(text(posted, "sender_type")).isEqualTo("bot");
        assertThat(text(posted, "sender_display_name")).isEqualTo("CI [main]");
        assertThat(text(posted, "sender_id")).isEqualTo("discord:701000000000000007");
        assertThat(posted.message().metadata().has("mention_token")).isFalse();
        assertThat(posted.echo()).isEqualTo(PlatformEvent.Echo.NONE);
    }

    @Test
    void ownMessageHasItsMarker() {
        assertThat(posted("own").echo()).isEqualTo(new PlatformEvent.Echo("abcdefghij_-0123456789", true, false));
    }

    /** Every client may choose any nonce. */
    @Test
    void peoplesNoncesAreNoMarkers() {
        PlatformEvent.Posted posted = posted(DiscordScene.relayed(event("mention", "nonce", "abcdefghij_-0123456789")));

        assertThat(posted.echo()).isEqualTo(PlatformEvent.Echo.NONE);
    }

    @Test
    void botsOwnIdIsLookedUpIfTheRelayOmitsIt() {
        ObjectNode event = tree("own");
        event.remove("bot_user_id");

        for (int i = 0; i < 3; i++) {
            PlatformEvent.Posted posted =
                    posted(DiscordScene.relayed(event.toString().getBytes(UTF_8)));
            assertThat(posted.echo().fromSelf()).isTrue();
        }

        assertThat(scene.discord.api().requests("/users/@me")).hasSize(1);
    }

    @Test
    void messageIsAcceptedWithoutTheBotsId() {
        scene.discord.api().fail("/users/@me", new LocalApi.Fault.Instead(LocalApi.Answer.json(500, "oh no")));
        ObjectNode event = tree("own");
        event.remove("bot_user_id");
        InboundRequest request = DiscordScene.relayed(event.toString().getBytes(UTF_8));

        assertThat(posted(request).echo()).isEqualTo(new PlatformEvent.Echo(null, false, false));
        assertThat(scene.discord.api().requests("/users/@me")).hasSize(1);
        scene.clock.advance(Duration.ofMinutes(1));
        assertThat(posted(request).echo().fromSelf()).isTrue();
    }

    @Test
    void filesAreListedAndNotFetched() {
        PlatformEvent.Posted posted = posted("attachments");

        assertThat(posted.message().message()).isEmpty();
        assertThat(posted.files())
                .extracting(RemoteFile::name, RemoteFile::mimeType, RemoteFile::sizeBytes)
                .containsExactly(tuple("Überblick.pdf", "application/pdf", 20_481L), tuple("cat.png", null, 7L));
        assertThat(scene.discord.api().requests()).isEmpty();
    }

    @Test
    void filesAreFetchedFromTheirHostsOnlyAndWithoutTheToken() throws Exception {
        byte[] bytes = {1, 2, 3};
        URI kept = scene.discord.keep("cat.png", bytes);
        RemoteFile good = file(kept.toString());
        RemoteFile foreign = file("http://127.0.0.1:1/cat.png");
        RemoteFile odd = file("file:///etc/passwd");

        assertThat(good.fetch().fetch()).isEqualTo(bytes);
        assertThat(scene.discord.api().requests().getLast().headers()).doesNotContainKey("Authorization");
        for (RemoteFile refused : List.of(foreign, odd)) {
            assertThatThrownBy(() -> refused.fetch().fetch()).isInstanceOf(RemoteFile.Failed.class);
        }
    }

    private RemoteFile file(String url) {
        byte[] event = event("attachments", "attachments", List.of(Map.of("url", url, "filename", "cat.png")));
        return posted(DiscordScene.relayed(event)).files().getFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"joined", "unfurled"})
    void noticesAndPreviewsAreIgnored(String fixture) {
        assertThat(map(fixture)).singleElement().isInstanceOf(PlatformEvent.Ignored.class);
    }

    @Test
    void otherEventsAreIgnored() {
        byte[] event = "{\"t\":\"TYPING_START\",\"d\":{}}".getBytes(UTF_8);

        assertThat(scene.platform.receive(DiscordScene.relayed(event)).inbound())
                .containsExactly(new PlatformEvent.Ignored("event"));
    }

    private static PlatformEvent.MessageRef messageRef(String message, @Nullable String event) {
        return new PlatformEvent.MessageRef("901000000000000100", "901000000000000201", message, event);
    }

    @Test
    void repeatedEditIsOneEdit() {
        String edit = "1404017772345678901@2026-08-12T09:30:00.123000+00:00";

        assertThat(map("edited"))
                .containsExactly(new PlatformEvent.Edited(
                        messageRef("1404017772345678901", edit).happened(Instant.parse("2026-08-12T09:30:00.123Z")),
                        "早上好 everybody"));
        byte[] pinned = event("edited", "pinned", true);
        assertThat(scene.platform.receive(DiscordScene.relayed(pinned)).inbound())
                .isEqualTo(map("edited"));
    }

    @Test
    void editWithoutTextOrOfTheBotIsIgnored() {
        ObjectNode partial = tree("edited");
        ((ObjectNode) partial.get("d")).remove("content");
        byte[] own = event("edited", "author", Map.of("id", ScriptedDiscord.BOT.id()));

        assertThat(scene.platform
                        .receive(DiscordScene.relayed(partial.toString().getBytes(UTF_8)))
                        .inbound())
                .containsExactly(new PlatformEvent.Ignored("not_edited"));
        assertThat(scene.platform.receive(DiscordScene.relayed(own)).inbound())
                .containsExactly(new PlatformEvent.Ignored("own_edit"));
    }

    @Test
    void deletionsNameEachMessage() {
        assertThat(map("deleted")).containsExactly(new PlatformEvent.Deleted(messageRef("1404017772345678901", null)));
        assertThat(map("deleted-bulk"))
                .containsExactly(
                        new PlatformEvent.Deleted(messageRef("1404017772345678901", null)),
                        new PlatformEvent.Deleted(messageRef("1404018192345678902", null)));
    }

    @Test
    void reactionsComeAndGo() {
        PlatformEvent.MessageRef message = messageRef("1404018192345678902", null);

        assertThat(map("reaction"))
                .containsExactly(
                        new PlatformEvent.Reacted(message, "discord:302050872383242240", "Olivia ✨", "👍🏽", true));
        assertThat(map("reaction-removed"))
                .containsExactly(new PlatformEvent.Reacted(
                        message,
                        "discord:302050872383242240",
                        "302050872383242240",
                        "partyparrot:801000000000000555",
                        false));
        byte[] own = event("reaction", "user_id", ScriptedDiscord.BOT.id());
        assertThat(scene.platform.receive(DiscordScene.relayed(own)).inbound())
                .containsExactly(new PlatformEvent.Ignored("own_reaction"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "channel_id", "guild_id"})
    void invalidIdsAreRefusedWithTheirField(String name) {
        assertRefused(DiscordScene.relayed(event("mention", name, "../../users/@me")), 400);
        assertRefused(DiscordScene.relayed(event("mention", name, 7)), 400);
    }

    @Test
    void keyIsAcceptedInAnyCaseOfTheScheme() {
        InboundRequest request = DiscordScene.request(
                "discord/relay",
                Map.of("authorization", "bearer  " + DiscordScene.KEY),
                DiscordScene.fixture("mention"));

        assertThat(scene.platform.receive(request).inbound()).hasSize(1);
        assertRefused(DiscordScene.request("discord/relay", Map.of(), DiscordScene.fixture("mention")), 401);
        assertRefused(
                DiscordScene.request(
                        "discord/relay",
                        Map.of("Authorization", "Basic " + DiscordScene.KEY),
                        DiscordScene.fixture("mention")),
                401);
    }
}
