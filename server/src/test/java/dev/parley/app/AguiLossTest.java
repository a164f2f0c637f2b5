package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agui.ClientChecks;
import dev.parley.testing.NodeProject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** A server that is killed while it answers clients of AG-UI, and started again on the same data. */
class AguiLossTest {
    private static final Duration BEGINNING = Duration.ofMinutes(1);

    @TestFactory
    List<DynamicContainer> whoComesBackAfterALossHearsACleanEnd() throws Exception {
        Path data = Scratch.data();
        try {
            try (ServerProcess server = ServerProcess.start(data)) {
                NodeProject.Output before =
                        NodeProject.installed("agui").run("lost.mjs", BEGINNING, environment(server, "before"));
                assertThat(before.exit()).as(before.text()).isZero();
                server.killNow();
            }
            try (ServerProcess server = ServerProcess.start(data)) {
                return ClientChecks.of(List.of("lost"), environment(server, "after"));
            }
        } finally {
            Scratch.delete(data);
        }
    }

    private static Map<String, String> environment(ServerProcess server, String phase) {
        return Map.of("PARLEY_URL", server.uri().toString(), "PARLEY_PHASE", phase);
    }
}
