package dev.parley.agent;

import dev.parley.testing.NodeChecks;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** EventSource as it is published for node: after the end of a run it stops asking. */
class EventSourceTest {
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final int CHECKS = 5;

    @TestFactory
    List<DynamicContainer> eventSource_endOfRun_stops() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            // Side by side: each version waits some seconds before it asks again.
            return NodeProject.everyVersion("eventsource").parallelStream()
                    .map(project -> DynamicContainer.dynamicContainer(
                            project.versions(), NodeChecks.of(project.run("runs.mjs", LIMIT, told(server)), CHECKS)))
                    .toList();
        }
    }

    private static Map<String, String> told(RunningServer server) {
        return Map.of("PARLEY_URL", server.uri().toString(), "PARLEY_TOKEN", server.token(UUID.randomUUID(), "Ada"));
    }
}
