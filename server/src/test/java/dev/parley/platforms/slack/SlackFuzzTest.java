package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.basics.Text;
import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Mutated payloads are mapped or refused. A failure names its seed. */
class SlackFuzzTest {
    private static final int ROUNDS = 1_500;
    private static final List<String> PAYLOADS = List.of(
            "message",
            "message_mentioning",
            "app_mention",
            "thread_broadcast",
            "direct_message",
            "file_share",
            "file_share_connect",
            "bot_message",
            "bot_with_attachments",
            "app_message",
            "own_message",
            "message_changed",
            "root_deleted",
            "message_deleted",
            "reaction_added",
            "channel_join",
            "url_verification");

    /** Without a token Slack is not asked, so thousands of rounds are fast. */
    private final SlackScene scene = new SlackScene(null);

    @AfterEach
    void close() {
        scene.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void mutatedPayloadsAreMappedOrRefused(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            ObjectNode payload = SlackScene.payload(PAYLOADS.get(random.nextInt(PAYLOADS.size())));
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                mutate(payload, random);
            }
            byte[] body = Json.MAPPER.writeValueAsBytes(payload);
            if (random.nextInt(10) == 0) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            try {
                scene.platform.receive(scene.signed(body)).inbound().forEach(SlackFuzzTest::judge);
            } catch (ProblemException refused) {
                assertThat(refused.problem().status()).isEqualTo(400);
            } catch (RuntimeException broken) {
                throw new AssertionError("Seed " + seed + ", round " + round + ": " + payload, broken);
            }
        }
    }

    private static void judge(PlatformEvent event) {
        if (event instanceof PlatformEvent.Posted posted) {
            assertThat(Text.isStorable(posted.message().message())).isTrue();
            for (String key :
                    List.of("sender_id", "sender_display_name", "channel_external_id", "external_message_id")) {
                String value = posted.message().metadata().path(key).asString("");
                assertThat(Text.isStorable(value)).isTrue();
                assertThat(value).as(key).isNotEmpty();
            }
        }
    }

    private static void mutate(ObjectNode payload, Random random) {
        List<JsonNode> inner = new ArrayList<>();
        collect(payload, inner);
        switch (inner.get(random.nextInt(inner.size()))) {
            case ObjectNode object
            when !object.isEmpty() -> {
                List<String> names = List.copyOf(object.propertyNames());
                String name = names.get(random.nextInt(names.size()));
                if (random.nextBoolean()) {
                    object.remove(name);
                } else {
                    object.set(name, strange(random));
                }
            }
            case ArrayNode array -> array.add(strange(random));
            default -> {}
        }
    }

    private static void collect(JsonNode node, List<JsonNode> into) {
        if (node.isContainer()) {
            into.add(node);
            node.forEach(child -> collect(child, into));
        }
    }

    private static JsonNode strange(Random random) {
        return Json.MAPPER.readTree(
                switch (random.nextInt(14)) {
                    case 0 -> "null";
                    case 1 -> "7";
                    case 2 -> "-1e400";
                    case 3 -> "true";
                    case 4 -> "\"\"";
                    case 5 -> "\" \"";
                    case 6 -> "\"\\u0000\\ud800\"";
                    case 7 -> "\"<@U1A|<!here>&amp;lt;<<<|>>\"";
                    case 8 -> "[]";
                    case 9 -> "{}";
                    case 10 -> "[[[{\"text\":[]}]]]";
                    case 11 -> "\"99999999999999999999.999999\"";
                    case 12 -> "\"bot_message\"";
                    default -> "\"" + "é👍🏽".repeat(500) + "\"";
                });
    }
}
