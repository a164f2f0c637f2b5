package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.api.agui.ClientChecks;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** A server is killed while it answers AG-UI clients, and started again on the same data. */
class AguiLossTest {
    private static final Duration BEGINNING = Duration.ofMinutes(1);

    @TestFactory
    List<DynamicContainer> whoComesBackAfterALossHearsACleanEnd() throws Exception {
        Path data = Scratch.folder("data");
        try (TestDatabase database = RunningServer.freshDatabase()) {
            try (ServerProcess server = start(data, database)) {
                NodeProject.Output before =
                        NodeProject.installed("agui").run("lost.mjs", BEGINNING, environment(server, "before"));
                assertThat(before.exit()).as(before.text()).isZero();
                server.killNow();
            }
            try (ServerProcess server = start(data, database)) {
                return ClientChecks.of(List.of("lost"), environment(server, "after"));
            }
        } finally {
            Scratch.delete(data);
        }
    }

    /** Uses the tests' shared PostgreSQL: the server is lost here, its database is not. */
    private static ServerProcess start(Path data, TestDatabase database) throws IOException {
        return ServerProcess.start(
                data,
                "--database-url",
                database.address().jdbcUrl(),
                "--database-user",
                database.address().user(),
                "--database-password",
                database.address().password());
    }

    private static Map<String, String> environment(ServerProcess server, String phase) {
        return Map.of("PARLEY_URL", server.uri().toString(), "PARLEY_PHASE", phase);
    }
}
