package dev.parley.platforms.discord;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.parley.ingest.PlatformEvent;
import dev.parley.platforms.InboundRequest;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Mutated payloads are mapped or refused, without other exceptions. */
class DiscordFuzzTest {
    private static final List<String> RELAYED = List.of(
            "attachments",
            "deleted",
            "deleted-bulk",
            "direct",
            "edited",
            "forward",
            "joined",
            "mention",
            "own",
            "reaction",
            "reaction-removed",
            "reply",
            "unfurled",
            "webhook");
    private static final List<String> SIGNED = List.of("button", "command", "command-nested", "ping");
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "-1",
            "9999999999999999999999",
            "1e999",
            "0.5",
            "\"\"",
            "\" \"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"𝕏\\u202e\"",
            "\"99999999999999999999\"",
            "\"0\"",
            "[]",
            "{}",
            "[[[]]]",
            "[null]",
            "{\"id\":\"1\",\"type\":3,\"value\":\"v\",\"name\":\"n\"}");
    private static final int ROUNDS = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {1, 20260812})
    void changedPayloadsAreMappedOrRefused(long seed) {
        Random random = new Random(seed);
        try (DiscordScene scene = new DiscordScene(null)) {
            int mapped = 0;
            for (int i = 0; i < ROUNDS; i++) {
                boolean relayed = random.nextBoolean();
                List<String> fixtures = relayed ? RELAYED : SIGNED;
                JsonNode payload =
                        Json.MAPPER.readTree(DiscordScene.fixture(fixtures.get(random.nextInt(fixtures.size()))));
                for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                    change(payload, random);
                }
                byte[] body = payload.toString().getBytes(UTF_8);
                mapped += receive(scene, relayed ? DiscordScene.relayed(body) : scene.signed(body), seed) ? 1 : 0;
            }
            assertThat(mapped).isBetween(ROUNDS / 10, ROUNDS - 1);
        }
    }

    @Test
    void changedBytesAreMappedOrRefused() {
        Random random = new Random(7);
        try (DiscordScene scene = new DiscordScene(null)) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] body = DiscordScene.fixture(RELAYED.get(random.nextInt(RELAYED.size())));
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
                receive(scene, DiscordScene.relayed(body), 7);
            }
        }
    }

    @Test
    void deepNestingIsRefused() {
        try (DiscordScene scene = new DiscordScene(null)) {
            String deep = "{\"t\":\"MESSAGE_CREATE\",\"d\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";

            assertThat(receive(scene, DiscordScene.relayed(deep.getBytes(UTF_8)), 0))
                    .isFalse();
        }
    }

    private static boolean receive(DiscordScene scene, InboundRequest request, long seed) {
        try {
            for (PlatformEvent event : scene.platform.receive(request).inbound()) {
                if (event instanceof PlatformEvent.Posted posted) {
                    assertThat(posted.message().metadata().path("sender_id").asString())
                            .matches("discord:[0-9]{1,19}");
                    assertThat(posted.message()
                                    .metadata()
                                    .path("sender_display_name")
                                    .asString())
                            .isNotBlank();
                }
            }
            return true;
        } catch (ProblemException refused) {
            assertThat(refused.problem().status()).isEqualTo(400);
            return false;
        } catch (RuntimeException broken) {
            return fail("seed " + seed + ": " + new String(request.readBody(), UTF_8), broken);
        }
    }

    /** Removes one member, or replaces its value. */
    private static void change(JsonNode root, Random random) {
        List<JsonNode> holders = new ArrayList<>();
        collect(root, holders);
        if (holders.isEmpty()) {
            return;
        }
        JsonNode holder = holders.get(random.nextInt(holders.size()));
        JsonNode value = Json.MAPPER.readTree(VALUES.get(random.nextInt(VALUES.size())));
        if (holder instanceof ObjectNode object) {
            List<String> names =
                    object.properties().stream().map(Map.Entry::getKey).toList();
            String name = names.get(random.nextInt(names.size()));
            if (random.nextInt(4) == 0) {
                object.remove(name);
            } else {
                object.set(name, value);
            }
        } else if (holder instanceof ArrayNode array) {
            array.set(random.nextInt(array.size()), value);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> holders) {
        if (node.isContainer() && !node.isEmpty()) {
            holders.add(node);
            node.forEach(child -> collect(child, holders));
        }
    }
}
