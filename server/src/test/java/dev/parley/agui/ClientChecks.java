package dev.parley.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/**
 * Runs the scripts of clients/conformance/agui against a server and makes a test of each line they print. The scripts run
 * side by side, since most of their time they wait for words.
 */
public final class ClientChecks {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String PROJECT = "agui";

    private ClientChecks() {}

    /** One container for each theme. */
    public static List<DynamicContainer> of(List<String> themes, Map<String, String> environment) {
        return of(themes.stream().map(theme -> new Theme(theme, environment)).toList());
    }

    /** A script, and what it is told of the server that it is for. */
    public record Theme(String name, Map<String, String> environment) {}

    /** One container for each theme, also where they are for different servers. */
    public static List<DynamicContainer> of(List<Theme> themes) {
        NodeProject project = NodeProject.installed(PROJECT);
        try (ExecutorService processes = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<NodeProject.Output>> outputs = themes.stream()
                    .map(theme ->
                            processes.submit(() -> project.run(theme.name() + ".mjs", LIMIT, theme.environment())))
                    .toList();
            return Stream.iterate(0, i -> i < themes.size(), i -> i + 1)
                    .map(i -> DynamicContainer.dynamicContainer(themes.get(i).name(), checks(outputs.get(i))))
                    .toList();
        }
    }

    private static Stream<DynamicTest> checks(Future<NodeProject.Output> running) {
        NodeProject.Output output = ended(running);
        List<JsonNode> lines = output.lines().stream()
                .filter(line -> line.startsWith("{"))
                .map(Json.MAPPER::readTree)
                .toList();
        List<JsonNode> checks = lines.stream().filter(line -> line.has("check")).toList();
        DynamicTest end = DynamicTest.dynamicTest("all of them", () -> {
            assertThat(output.exit()).as(output.text()).isZero();
            assertThat(checks).hasSizeGreaterThan(1);
            assertThat(lines.getLast().path("done").asInt()).as(output.text()).isEqualTo(checks.size());
        });
        return Stream.concat(checks.stream().map(ClientChecks::check), Stream.of(end));
    }

    private static DynamicTest check(JsonNode line) {
        String name = line.get("check").asString();
        return DynamicTest.dynamicTest(
                name,
                () -> assertThat(line.get("failure").asString("")).as(name).isEmpty());
    }

    /** One that did not come to its end has failed with what it printed so far. */
    private static NodeProject.Output ended(Future<NodeProject.Output> running) {
        try {
            return running.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException failed) {
            return new NodeProject.Output(-1, String.valueOf(failed.getCause()));
        }
    }
}
