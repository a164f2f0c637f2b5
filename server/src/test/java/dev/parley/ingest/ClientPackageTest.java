package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.NodeProject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The client for browsers passes its own tests; it needs nothing that would have to be installed. */
class ClientPackageTest {
    @Test
    void itsTestsPass() throws IOException, InterruptedException {
        Process tests = new ProcessBuilder(NodeProject.node(), "--test", "test/")
                .directory(Path.of("..", "clients", "typescript").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(tests.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(tests.waitFor(60, TimeUnit.SECONDS)).as(said).isTrue();
        assertThat(tests.exitValue()).as(said).isZero();
        assertThat(said).containsPattern("pass [1-9]");
    }
}
