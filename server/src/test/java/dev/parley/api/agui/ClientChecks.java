package dev.parley.api.agui;

import dev.parley.testing.NodeChecks;
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

/**
 * Runs the scripts of clients/conformance/agui against a server and makes a test of each line they print. Several
 * scripts run at once, since they mostly wait for streamed text.
 */
public final class ClientChecks {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String PROJECT = "agui";
    /** All at once would overload a small machine, and the server would rightly answer 503. */
    private static final int SCRIPTS_AT_ONCE = 5;

    private ClientChecks() {}

    /** One container for each theme. */
    public static List<DynamicContainer> of(List<String> themes, Map<String, String> environment) {
        return of(themes.stream().map(theme -> new Theme(theme, environment)).toList());
    }

    /** A script, and its arguments about the server under test. */
    public record Theme(String name, Map<String, String> environment) {}

    /** One container for each theme, also where they are for different servers. */
    public static List<DynamicContainer> of(List<Theme> themes) {
        NodeProject project = NodeProject.installed(PROJECT);
        try (ExecutorService processes = Executors.newFixedThreadPool(SCRIPTS_AT_ONCE)) {
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
        return NodeChecks.of(ended(running), 2);
    }

    /** A script that did not end has failed with its output so far. */
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
