package dev.parley.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/**
 * Turns each line that a script of clients/conformance prints into a test: {@code {"check", "failure"}}, and at the end
 * {@code {"done"}} with their number.
 */
public final class NodeChecks {
    private NodeChecks() {}

    /** @param least the lowest number of checks: a script that runs none has none that fail */
    public static Stream<DynamicTest> of(NodeProject.Output output, int least) {
        List<JsonNode> lines = output.lines().stream()
                .filter(line -> line.startsWith("{"))
                .map(Json.MAPPER::readTree)
                .toList();
        List<JsonNode> checks = lines.stream().filter(line -> line.has("check")).toList();
        DynamicTest end = DynamicTest.dynamicTest("all of them", () -> {
            assertThat(output.exit()).as(output.text()).isZero();
            assertThat(checks).hasSizeGreaterThanOrEqualTo(least);
            assertThat(lines.getLast().path("done").asInt()).as(output.text()).isEqualTo(checks.size());
        });
        return Stream.concat(checks.stream().map(NodeChecks::check), Stream.of(end));
    }

    private static DynamicTest check(JsonNode line) {
        String name = line.get("check").asString();
        return DynamicTest.dynamicTest(
                name,
                () -> assertThat(line.get("failure").asString("")).as(name).isEmpty());
    }
}
