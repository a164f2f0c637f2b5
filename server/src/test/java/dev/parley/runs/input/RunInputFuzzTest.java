package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.assembly.ToolsPrompt;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Every body is accepted or refused as invalid; it causes no other failure. */
class RunInputFuzzTest {
    private static final int BODIES = 2_000;

    private static final List<String> ODD_VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "-0.0",
            "1e3",
            "1e400",
            "-1e-400",
            "9".repeat(900),
            "1e99999999999",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud83d\"",
            "\"user\"",
            "\"" + "中".repeat(10_001) + "\"",
            "[]",
            "{}",
            "[null]",
            "{\"type\":null}",
            "{\"id\":\"x\",\"role\":\"user\",\"content\":[]}",
            "[".repeat(60) + "]".repeat(60),
            "[".repeat(500) + "]".repeat(500),
            "{\"a\":1,\"a\":2}");

    private final RunInputRules rules = new RunInputRules(
            Limits.defaults().runs(), Limits.defaults().requests().opaqueId());

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void bodies_areAcceptedOrRefused(long seed) {
        Random random = new Random(seed);
        int taken = 0;
        int refused = 0;
        int unreadable = 0;
        for (int i = 0; i < BODIES; i++) {
            String body = mutated(random);
            JsonNode tree;
            try {
                tree = Json.MAPPER.readTree(body);
            } catch (JacksonException notJson) {
                unreadable++;
                continue;
            }
            try {
                checkTwice(tree);
                taken++;
            } catch (ProblemException problem) {
                assertThat(problem.problem().status()).isEqualTo(400);
                assertThat(problem.detail()).isNotBlank();
                refused++;
            } catch (RuntimeException | StackOverflowError other) {
                throw new AssertionError("seed " + seed + ", body " + i + ": " + body, other);
            }
        }
        assertThat(taken).as("taken").isPositive();
        assertThat(refused).as("refused").isPositive();
        assertThat(unreadable).as("not JSON").isPositive();
    }

    /** An accepted input can be written and read again, and all its derived forms can be built. */
    private void checkTwice(JsonNode body) {
        RunAgentInput input = rules.check(body);
        assertThat(RunFiles.require(input, (_, _) -> Optional.of(SampleObjects.image("a.png"))))
                .isNotNull();
        JsonNode written = Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(input));
        assertThat(rules.check(written)).isEqualTo(input);
        assertThat(RunOptions.of(input.forwardedProps())).isNotNull();
        assertThat(ToolsPrompt.of(input.tools()).isEmpty())
                .isEqualTo(input.tools().isEmpty());
    }

    private static String mutated(Random random) {
        List<String> bodies = SeedBodies.all();
        JsonNode tree = Json.MAPPER.readTree(bodies.get(random.nextInt(bodies.size())));
        String hole = "\"hole-" + random.nextLong() + "\"";
        int mutations = 1 + random.nextInt(3);
        for (int i = 0; i < mutations; i++) {
            List<JsonNode> containers = new ArrayList<>();
            collect(tree, containers);
            mutate(containers.get(random.nextInt(containers.size())), hole, random);
        }
        String body = tree.toString();
        while (body.contains(hole)) {
            body = body.replaceFirst(hole, quoted(ODD_VALUES.get(random.nextInt(ODD_VALUES.size()))));
        }
        if (random.nextInt(20) == 0) {
            int at = random.nextInt(body.length());
            body = body.substring(0, at) + body.substring(at + 1);
        }
        return body;
    }

    private static String quoted(String replacement) {
        return replacement.replace("\\", "\\\\").replace("$", "\\$");
    }

    private static void mutate(JsonNode container, String hole, Random random) {
        JsonNode filled = JsonNodeFactory.instance.stringNode(hole.substring(1, hole.length() - 1));
        switch (container) {
            case ObjectNode object when object.isEmpty() -> object.set("new", filled);
            case ObjectNode object -> {
                String name = List.copyOf(object.propertyNames()).get(random.nextInt(object.size()));
                switch (random.nextInt(4)) {
                    case 0 -> object.remove(name);
                    case 1 -> object.set("unknown", filled);
                    default -> object.set(name, filled);
                }
            }
            case ArrayNode array when array.isEmpty() -> array.add(filled);
            case ArrayNode array -> {
                int index = random.nextInt(array.size());
                switch (random.nextInt(4)) {
                    case 0 -> array.remove(index);
                    case 1 -> array.add(array.get(index).deepCopy());
                    default -> array.set(index, filled);
                }
            }
            default -> throw new IllegalStateException("not a container");
        }
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainer()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }
}
