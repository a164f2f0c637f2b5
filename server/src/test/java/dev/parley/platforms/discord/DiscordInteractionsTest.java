package dev.parley.platforms.discord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ingest.PlatformEvent;
import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.ChatPlatformContract;
import dev.parley.platforms.InboundRequest;
import dev.parley.platforms.InboundResult;
import dev.parley.protocol.Json;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Requests of Discord itself: commands, and the pings by which it probes the check of signatures. */
class DiscordInteractionsTest implements ChatPlatformContract {
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
        JsonNode command = Json.MAPPER.readTree(DiscordScene.fixture("command"));
        ((ObjectNode) command.path("data").path("options").get(1)).put("value", text);
        return genuine(command.toString().getBytes(UTF_8));
    }

    @Override
    public InboundRequest genuine(byte[] body) {
        return scene.signed(body);
    }

    @Override
    public InboundRequest forged(InboundRequest genuine) {
        Map<String, String> headers = new HashMap<>();
        headers.put(
                "X-Signature-Timestamp", genuine.header("X-Signature-Timestamp").orElseThrow());
        headers.put("X-Signature-Ed25519", "00".repeat(64));
        return DiscordScene.request(genuine.path(), headers, genuine.readBody());
    }

    private InboundResult receive(String fixture) {
        return scene.platform.receive(scene.signed(DiscordScene.fixture(fixture)));
    }

    @Test
    void aPingIsAnsweredAndNothingIsStored() {
        InboundResult received = receive("ping");

        assertThat(received.status()).isEqualTo(200);
        assertThat(String.valueOf(received.body())).isEqualTo("{\"type\":1}");
        assertThat(received.inbound()).isEmpty();
    }

    /** A relay's key is valid for the relay's path only. */
    @Test
    void anInteractionNeedsASignature() {
        assertRefused(
                DiscordScene.request(
                        "discord/interactions",
                        Map.of("Authorization", "Bearer " + DiscordScene.KEY),
                        DiscordScene.fixture("ping")),
                401);
    }

    @Test
    void textOfACommandIsAMessageToTheAgent() {
        InboundResult received = receive("command");

        PlatformEvent.Posted posted = (PlatformEvent.Posted) received.inbound().getFirst();
        assertThat(posted.message().message()).isEqualTo("¿Qué hora es en 東京? <@302050872383242241>");
        assertThat(posted.message().metadata().toString())
                .isEqualTo("""
                    {"source":"discord","sender_id":"discord:302050872383242240","sender_display_name":"Olivia W.",\
                    "sender_type":"human","mention_token":"<@302050872383242240>",\
                    "channel_external_id":"901000000000000201","external_message_id":"1404030000000000002",\
                    "external_event_id":"1404030000000000002","conversation_kind":"channel",\
                    "sent_at":"%s","workspace_id":"901000000000000100","command":"ask",\
                    "mentions":[{"external_id":"1100000000000000001","is_self":true,"implied_by":"command"}]}\
                    """.formatted(Snowflake.madeAt("1404030000000000002")));
        assertThat(posted.echo()).isEqualTo(PlatformEvent.Echo.NONE);
    }

    @Test
    void commandIsAnsweredToItsSenderAloneWithoutMentions() {
        JsonNode answer = Json.MAPPER.readTree(String.valueOf(receive("command").body()));

        assertThat(answer.path("type").asInt()).isEqualTo(4);
        assertThat(answer.path("data").path("flags").asInt()).isEqualTo(64);
        assertThat(answer.path("data").path("content").asString()).isNotBlank();
        assertThat(answer.path("data").path("allowed_mentions").toString()).isEqualTo("{\"parse\":[]}");
    }

    @Test
    void subcommandIsRead() {
        PlatformEvent.Posted posted =
                (PlatformEvent.Posted) receive("command-nested").inbound().getFirst();

        assertThat(posted.message().message()).isEqualTo("hello");
        assertThat(posted.message().metadata().path("conversation_kind").asString())
                .isEqualTo("dm");
        assertThat(posted.message().metadata().path("sender_display_name").asString())
                .isEqualTo("olivia.w");
        assertThat(posted.message().metadata().has("workspace_id")).isFalse();
    }

    @Test
    void otherInteractionsAreAnsweredAndNotStored() {
        InboundResult received = receive("button");

        assertThat(received.inbound()).containsExactly(new PlatformEvent.Ignored("interaction"));
        assertThat(received.status()).isEqualTo(200);
        assertThat(String.valueOf(received.body())).contains("\"flags\":64");
    }

    @Test
    void commandWithoutTextIsAnsweredWithANote() {
        ObjectNode command = (ObjectNode) Json.MAPPER.readTree(DiscordScene.fixture("command"));
        ((ObjectNode) command.get("data")).remove("options");

        InboundResult received =
                scene.platform.receive(scene.signed(command.toString().getBytes(UTF_8)));

        assertThat(received.inbound()).containsExactly(new PlatformEvent.Ignored("no_text"));
    }

    /** Discord waits only three seconds for the answer. */
    @Test
    void commandIsAnsweredWithoutACallOfDiscord() {
        receive("command");

        assertThat(scene.discord.api().requests()).isEmpty();
    }
}
