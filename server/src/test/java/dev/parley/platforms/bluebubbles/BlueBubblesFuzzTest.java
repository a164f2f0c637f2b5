package dev.parley.platforms.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.Json;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Broken events are read without exceptions, and their texts stay unchanged. */
class BlueBubblesFuzzTest {
    private static final int ROUNDS = 4_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @AutoClose
    private static final Mac mac = new Mac();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20261116})
    void brokenEventsAreReadWithoutExceptions(long seed) {
        Random random = new Random(seed);
        List<JsonNode> examples = examples();
        for (int i = 0; i < ROUNDS; i++) {
            JsonNode event = examples.get(random.nextInt(examples.size())).deepCopy();
            for (int change = random.nextInt(4); change >= 0; change--) {
                breakSomewhere(event, random);
            }
            String type = Fields.text(event, "type");
            String where = "seed " + seed + ", round " + i + ": " + event;

            List<PlatformEvent> read = mac.events.read(type, event.path("data"));
            List<PlatformEvent> recalled = mac.events.readHistory(event.path("data"));

            assertThat(read).as(where).hasSize(1);
            assertThat(recalled).as(where).isNotEmpty();
            read.forEach(each -> requireSound(each, event.path("data"), where));
            recalled.forEach(each -> requireSound(each, event.path("data"), where));
        }
    }

    private static void requireSound(PlatformEvent event, JsonNode message, String where) {
        if (event instanceof PlatformEvent.Posted posted) {
            ObjectNode metadata = posted.message().metadata();
            assertThat(metadata.path("sender_id").asString())
                    .as(where)
                    .startsWith("bb:")
                    .hasSizeGreaterThan(3);
            assertThat(metadata.path("sender_display_name").asString())
                    .as(where)
                    .isNotBlank();
            assertThat(metadata.path("channel_external_id").asString())
                    .as(where)
                    .isNotEmpty();
            assertThat(metadata.path("external_message_id").asString())
                    .as(where)
                    .isNotEmpty();
            assertThat(posted.message().message().replace("\uFFFC", ""))
                    .as(where)
                    .isEqualTo(Fields.text(message, "text").replace("\uFFFC", ""));
            assertThat(posted.files())
                    .as(where)
                    .allSatisfy(file -> assertThat(file.url()).doesNotContain("pass"));
        } else if (event instanceof PlatformEvent.Reacted reacted) {
            assertThat(reacted.emoji()).as(where).isNotEmpty();
            assertThat(reacted.message().externalMessageId()).as(where).isNotEmpty();
        }
    }

    private static List<JsonNode> examples() {
        File folder = new File(Objects.requireNonNull(BlueBubblesFuzzTest.class.getResource("/platforms/bluebubbles"))
                .getPath());
        List<JsonNode> events = new ArrayList<>();
        for (String name : Objects.requireNonNull(folder.list())) {
            events.add(Mac.example(name.replace(".json", "")));
        }
        assertThat(events).hasSizeGreaterThan(20);
        return events;
    }

    private static void breakSomewhere(JsonNode node, Random random) {
        if (node instanceof ObjectNode object && !object.isEmpty()) {
            List<String> names = new ArrayList<>(object.propertyNames());
            String name = names.get(random.nextInt(names.size()));
            JsonNode inner = object.path(name);
            if (inner.isContainer() && !inner.isEmpty() && random.nextInt(4) > 0) {
                breakSomewhere(inner, random);
            } else if (random.nextInt(5) == 0) {
                object.remove(name);
            } else {
                object.set(name, anything(random, 0));
            }
        } else if (node instanceof ArrayNode array && !array.isEmpty()) {
            JsonNode inner = array.path(random.nextInt(array.size()));
            if (inner.isContainer() && random.nextInt(4) > 0) {
                breakSomewhere(inner, random);
            } else {
                array.set(0, anything(random, 0));
            }
        }
    }

    private static JsonNode anything(Random random, int depth) {
        return switch (random.nextInt(depth > 2 ? 8 : 10)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(4_000));
            case 3 -> NODES.numberNode(random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE);
            case 4 -> NODES.numberNode(random.nextDouble() * 1e30);
            case 5 -> NODES.stringNode("");
            case 6 -> NODES.stringNode(" \t\u0000\uD800;-;p:0/bp:" + random.nextInt());
            case 7 -> NODES.stringNode("密碼 👩‍👩‍👧‍👦 مرحبا e\u0301".repeat(1 + random.nextInt(3)));
            case 8 -> Json.MAPPER.createArrayNode().add(anything(random, depth + 1));
            default -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                object.set("guid", anything(random, depth + 1));
                object.set("address", anything(random, depth + 1));
                yield object;
            }
        };
    }
}
