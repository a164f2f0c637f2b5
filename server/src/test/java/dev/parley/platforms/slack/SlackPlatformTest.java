package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.platforms.ChatPlatform;
import dev.parley.platforms.ChatPlatformContract;
import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Json;
import dev.parley.testkit.chat.ScriptedSlack;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class SlackPlatformTest implements ChatPlatformContract {
    private final SlackScene scene = SlackScene.withToken();

    @AfterEach
    void close() {
        scene.close();
    }

    @Override
    public ChatPlatform platform() {
        return scene.platform;
    }

    @Override
    public InboundRequest saying(String text) {
        ObjectNode payload = SlackScene.payload("message");
        ((ObjectNode) payload.get("event"))
                .put("text", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
        return genuine(Json.MAPPER.writeValueAsBytes(payload));
    }

    @Override
    public InboundRequest genuine(byte[] body) {
        return scene.signed(body);
    }

    @Override
    public InboundRequest forged(InboundRequest genuine) {
        Map<String, String> headers = Map.of(
                "X-Slack-Request-Timestamp",
                genuine.header("X-Slack-Request-Timestamp").orElseThrow(),
                "X-Slack-Signature",
                "v0=" + "0".repeat(64));
        return InboundRequest.of(
                genuine.path(),
                genuine.parameters(),
                name -> Optional.ofNullable(headers.get(name)),
                genuine.readBody());
    }

    @Test
    void unsignedChallengeIsRefused() {
        assertRefused(forged(genuine(SlackScene.bytes("url_verification"))), 401);
    }

    @Test
    void secretsAreNotPrinted() {
        SlackPlatform.Access access = new SlackPlatform.Access(
                "signing".getBytes(StandardCharsets.UTF_8),
                ScriptedSlack.TOKEN,
                scene.slack.url(),
                Set.of(),
                Duration.ofSeconds(1));

        assertThat(access.toString()).doesNotContain(ScriptedSlack.TOKEN).doesNotContain("signing");
    }
}
