package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the page about sessions work one after the other, in the order of the page. */
class SessionsPageTest {
    private static final String PRINTED_ADDRESS = "http://127.0.0.1:8080";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void everyExampleWorks() throws Exception {
        List<String> blocks = Page.of("docs/use/sessions.md").blocks("bash");
        assertThat(blocks).hasSizeGreaterThan(6).first().asString().contains(PRINTED_ADDRESS);
        try (RunningServer server = RunningServer.start()) {
            String script = String.join("\necho\n", blocks)
                    .replace(PRINTED_ADDRESS, server.uri().toString())
                    .replace("curl ", "curl -H \"Authorization: Bearer $TOKEN\" ");
            Map<String, String> environment = Map.of("TOKEN", server.token(UUID.randomUUID(), "Ada"));
            try (ChildProcess shell =
                    ChildProcess.start(folder, environment, List.of("bash", "-eu", "-o", "pipefail", "-c", script))) {
                int status = shell.awaitExit(LIMIT);
                String output = String.join("\n", shell.output());

                assertThat(status).as(output).isZero();
                assertThat(output)
                        .contains(
                                "\"message_id\":\"m-2\"",
                                "{\"epoch\":1,\"next\":4,\"stop\":true}",
                                "{\"status\":\"finished\",\"stopped\":[]}",
                                "\"document\":{\"session_data\": {\"session_state\": {\"topic\": \"sums\"}}, ",
                                "\"total_tokens\":104");
            }
        }
    }
}
