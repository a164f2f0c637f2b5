package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Mapping of Slack's payloads, each in a file as Slack sends it. */
class SlackEventsTest {
    private static final String CHANNEL = "C06RY3YBSLE";
    private final SlackScene scene = SlackScene.withToken();

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void messageHasItsSenderTextChannelAndTime() {
        PlatformEvent.Posted posted = scene.posted("message");

        assertThat(posted.message().message()).isEqualTo("is 3 < 4 && 早上好 👩‍👩‍👧‍👦?");
        assertThat(posted.message().metadata()).isEqualTo(Json.MAPPER.readTree("""
                {"source": "slack", "workspace_id": "T0PARLEY01", "channel_external_id": "C06RY3YBSLE",
                 "external_message_id": "1785578400.000100", "sender_id": "slack:U06STGBF4Q0",
                 "sender_display_name": "Olivia", "sender_type": "human", "mention_token": "<@U06STGBF4Q0>",
                 "conversation_kind": "channel", "external_event_id": "Ev07FIXT0001",
                 "sent_at": "2026-08-01T10:00:00.000100Z", "slack_text": "is 3 &lt; 4 &amp;&amp; 早上好 👩‍👩‍👧‍👦?"}"""));
        assertThat(posted.echo()).isEqualTo(PlatformEvent.Echo.NONE);
        assertThat(posted.files()).isEmpty();
        assertThat(posted.message().passive()).isFalse();
    }

    @Test
    void messageAndItsMentionAreOneMessageWithTwoEvents() {
        ObjectNode message = scene.posted("message_mentioning").message().metadata();
        ObjectNode mention = scene.posted("app_mention").message().metadata();

        assertThat(message.remove("external_event_id")).isNotEqualTo(mention.remove("external_event_id"));
        assertThat(mention).isEqualTo(message);
    }

    @Test
    void mentionsNameTheirUsersAndMarkTheBot() {
        scene.receive("reaction_added");

        JsonNode mentions = scene.metadata("app_mention").path("mentions");

        assertThat(mentions).isEqualTo(Json.MAPPER.readTree("""
                [{"external_id": "U0BOT00001", "token": "<@U0BOT00001>", "is_self": true},
                 {"external_id": "U0OTHER0001", "token": "<@U0OTHER0001>", "display": "Zoë 王", "is_self": false}]"""));
        assertThat(scene.posted("app_mention").message().message())
                .isEqualTo("hey <@U0BOT00001>, ask <@U0OTHER0001> about #general");
    }

    @Test
    void botsIdIsLookedUpIfTheEnvelopeLacksIt() {
        ObjectNode payload = SlackScene.payload("app_mention");
        payload.remove("authorizations");

        PlatformEvent.Posted posted = (PlatformEvent.Posted) scene.receive(payload);

        assertThat(posted.message().metadata().at("/mentions/0/is_self").asBoolean())
                .isTrue();
        scene.receive(payload);
        assertThat(scene.slack.api().requests("auth.test")).hasSize(1);
    }

    @Test
    void directMessageAddressesTheBot() {
        assertThat(scene.metadata("direct_message").path("conversation_kind").asString())
                .isEqualTo("dm");
        assertThat(scene.metadata("direct_message").path("mentions")).isEqualTo(Json.MAPPER.readTree("""
                [{"external_id": "U0BOT00001", "is_self": true, "implied": true}]"""));
        assertThat(scene.metadata("group_message").path("conversation_kind").asString())
                .isEqualTo("group");
        assertThat(scene.metadata("group_message").has("mentions")).isFalse();
    }

    @Test
    void rootBelongsToTheChannelAndRepliesToTheThread() {
        assertThat(scene.metadata("thread_root").has("external_thread_id")).isFalse();
        assertThat(scene.metadata("thread_reply").path("external_thread_id").asString())
                .isEqualTo("1785578402.000300");
        assertThat(scene.metadata("thread_broadcast").path("external_thread_id").asString())
                .isEqualTo("1785578402.000300");
        assertThat(scene.metadata("thread_reply").has("thread_context")).isFalse();
    }

    @Test
    void meMessageIsAMessage() {
        assertThat(scene.posted("me_message").message().message()).isEqualTo("waves");
    }

    @Test
    void botsKeepTheirVisibleName() {
        JsonNode jenkins = scene.metadata("bot_message");
        assertThat(jenkins.path("sender_id").asString()).isEqualTo("slack:B0JENKINS01");
        assertThat(jenkins.path("sender_display_name").asString()).isEqualTo("Jenkins");
        assertThat(jenkins.path("sender_type").asString()).isEqualTo("bot");
        assertThat(jenkins.has("mention_token")).isFalse();
        JsonNode standup = scene.metadata("app_message");
        assertThat(standup.path("sender_id").asString()).isEqualTo("slack:B0OTHER0001");
        assertThat(standup.path("sender_display_name").asString()).isEqualTo("Standup");
        assertThat(standup.path("sender_type").asString()).isEqualTo("bot");
        assertThat(scene.metadata("slackbot").path("sender_type").asString()).isEqualTo("bot");
        assertThat(scene.posted("app_message").echo()).isEqualTo(PlatformEvent.Echo.NONE);
    }

    @Test
    void attachmentsOfABotGiveItsText() {
        assertThat(scene.posted("bot_with_attachments").message().message())
                .isEqualTo("Alert\ndisk is full\non <db-1>");
    }

    private PlatformEvent withBlocks(String blocks) {
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event")).put("text", "").set("blocks", Json.MAPPER.readTree(blocks));
        return scene.receive(payload);
    }

    @Test
    void blocksOfAMessageWithoutTextGiveItsText() {
        String blocks = """
                [{"type": "header", "text": {"type": "plain_text", "text": "Deploy"}},
                 {"type": "rich_text", "elements": [
                  {"type": "rich_text_section", "elements": [
                   {"type": "text", "text": "done by "}, {"type": "user", "user_id": "U0BOT00001"},
                   {"type": "emoji", "name": "tada"}, {"type": "link", "url": "https://a.example"}]},
                  {"type": "rich_text_list", "elements": [
                   {"type": "rich_text_section", "elements": [{"type": "text", "text": "早上好"}]}]}]},
                 {"type": "section", "fields": [{"type": "mrkdwn", "text": "*Took* 3 s"}]},
                 {"type": "context", "elements": [{"type": "image", "alt_text": "a graph"}]},
                 {"type": "image", "alt_text": "a cat", "image_url": "https://a.example/c"}]""";

        PlatformEvent.Posted posted = (PlatformEvent.Posted) withBlocks(blocks);

        assertThat(posted.message().message())
                .isEqualTo("Deploy\ndone by <@U0BOT00001>:tada:https://a.example\n早上好\n*Took* 3 s\na graph\na cat");
        assertThat(posted.message().metadata().path("slack_blocks")).isEqualTo(Json.MAPPER.readTree(blocks));
        assertThat(posted.message().metadata().at("/mentions/0/is_self").asBoolean())
                .isTrue();
        assertThat(posted.message().passive()).isFalse();
    }

    @Test
    void messageWithoutTextIsStoredAndNotAnswered() {
        PlatformEvent.Posted posted =
                (PlatformEvent.Posted) withBlocks("[{\"type\": \"divider\"}, {\"type\": \"of_tomorrow\"}]");

        assertThat(posted.message().message()).isEmpty();
        assertThat(posted.message().passive()).isTrue();
        assertThat(posted.message().metadata().path("slack_blocks")).hasSize(2);
        assertThat(withBlocks("[]")).isEqualTo(new PlatformEvent.Ignored("empty"));
    }

    @Test
    void ownMessagesHaveTheirMarker() {
        PlatformEvent.Posted own = scene.posted("own_message");

        assertThat(own.echo()).isEqualTo(new PlatformEvent.Echo("marker-000000000000001", true, false));
        assertThat(own.message().metadata().path("sender_type").asString()).isEqualTo("bot");
        assertThat(scene.posted("foreign_marker").echo())
                .as("every app can write metadata")
                .isEqualTo(PlatformEvent.Echo.NONE);
    }

    @Test
    void ownDirectMessageHasNoMentions() {
        ObjectNode payload = SlackScene.payload("own_message");
        ((ObjectNode) payload.get("event")).put("channel", "D0DIRECT001").put("channel_type", "im");

        PlatformEvent.Posted own = (PlatformEvent.Posted) scene.receive(payload);

        assertThat(own.message().metadata().has("mentions")).isFalse();
    }

    @Test
    void editsDeletionsAndReactionsNameTheMessage() {
        assertThat(scene.receive("message_changed"))
                .isEqualTo(new PlatformEvent.Edited(messageRef("message_changed", "1785578400.000100"), "is 3 < 5?"));
        assertThat(scene.receive("message_deleted"))
                .isEqualTo(new PlatformEvent.Deleted(messageRef("message_deleted", "1785578400.000100")));
        assertThat(scene.receive("root_deleted"))
                .isEqualTo(new PlatformEvent.Deleted(messageRef("root_deleted", "1785578402.000300")));
        assertThat(scene.receive("reaction_added"))
                .isEqualTo(new PlatformEvent.Reacted(
                        messageRef("reaction_added", "1785578400.000100"),
                        "slack:U0OTHER0001",
                        "Zoë 王",
                        "+1::skin-tone-4",
                        true));
        assertThat(((PlatformEvent.Reacted) scene.receive("reaction_removed")).added())
                .isFalse();
    }

    private static PlatformEvent.MessageRef messageRef(String payload, String ts) {
        JsonNode envelope = SlackScene.payload(payload);
        return new PlatformEvent.MessageRef(
                "T0PARLEY01",
                CHANNEL,
                ts,
                envelope.path("event_id").asString(),
                SlackTime.of(envelope.path("event").path("event_ts").asString("")));
    }

    @ParameterizedTest
    @CsvSource({
        "message_unfurled, same_text",
        "own_message_changed, own_edit",
        "message_replied, message_replied",
        "channel_join, channel_join",
        "channel_topic, channel_topic",
        "member_joined, member_joined_channel",
        "reaction_to_file, reaction_to_no_message_or_by_us",
        "app_rate_limited, app_rate_limited"
    })
    void otherEventsAreIgnoredWithTheirType(String name, String why) {
        assertThat(scene.receive(name)).isEqualTo(new PlatformEvent.Ignored(why));
    }

    @Test
    void signedChallengeIsAnswered() {
        assertThat(scene.platform
                        .receive(scene.signed(SlackScene.bytes("url_verification")))
                        .body())
                .isEqualTo(Json.MAPPER.readTree(
                        "{\"challenge\":\"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P\"}"));
    }

    @Test
    void unstorableCharactersAreReplaced() {
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event")).put("text", "a\u0000b\ud83dc");

        PlatformEvent.Posted posted = (PlatformEvent.Posted) scene.receive(payload);

        assertThat(posted.message().message()).isEqualTo("a\uFFFDb\uFFFDc");
    }

    @Test
    void longNamesAreCutAndLongOriginalsLeftOut() {
        scene.slack.addUser(SlackScene.OLIVIA, "👍".repeat(300), "");
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event")).put("text", "&amp;".repeat(8_000));

        PlatformEvent.Posted posted = (PlatformEvent.Posted) scene.receive(payload);

        assertThat(posted.message().metadata().path("sender_display_name").asString())
                .isEqualTo("👍".repeat(200));
        assertThat(posted.message().metadata().has("slack_text")).isFalse();
        assertThat(posted.message().message()).isEqualTo("&".repeat(8_000));
    }

    @Test
    void metadataOfManyMentionsStaysSmall() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            text.append("<@U0MANY").append(i).append("> ");
        }
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event")).put("text", text + "&amp;");

        ObjectNode metadata =
                ((PlatformEvent.Posted) scene.receive(payload)).message().metadata();

        assertThat(metadata.path("mentions")).hasSize(40);
        assertThat(Json.MAPPER.writeValueAsBytes(metadata)).hasSizeLessThan(16 * 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"channel", "ts"})
    void messageWithoutChannelOrTsIsRefusedWithTheField(String missing) {
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event")).remove(missing);

        assertThatThrownBy(() -> scene.receive(payload))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.errors())
                                .extracting(error -> error.field())
                                .isEqualTo(List.of("event." + missing)));
    }
}
