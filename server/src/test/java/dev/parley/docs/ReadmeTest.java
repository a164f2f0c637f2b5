package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs every command of the README and then of the quickstart, in order, against the one server that they start. */
class ReadmeTest {
    private static final String SERVE = "./parley serve";
    private static final String TEST = "./parley test";
    private static final String PRINTED_ADDRESS = "http://127.0.0.1:8080";
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Pattern MESSAGE_ID = Pattern.compile("\"message_id\":\"([^\"]+)\"");

    private static final List<String> BLOCKS = Stream.of("README.md", "docs/quickstart.md")
            .flatMap(page -> Page.of(page).blocks("bash").stream())
            .toList();

    @TempDir
    private Path folder;

    /** A block of commands and its output. */
    private record Ran(String block, String output) {}

    @Test
    void printedCommandsDoWhatTheirPagesSay() throws Exception {
        assertThat(BLOCKS).contains(SERVE, TEST);
        ReadmeProject project = new ReadmeProject(folder);
        List<Ran> ran;
        try (ChildProcess server = project.start(List.of("PARLEY_PORT=0"), List.of(SERVE.split(" ")))) {
            String address = server.awaitLine("^Parley is listening on (http://127\\.0\\.0\\.1:\\d+)$", LIMIT)
                    .group(1);
            ran = runAll(project, address);
            server.signal("TERM");
            assertThat(server.awaitExit(LIMIT)).isEqualTo(143);
        }

        assertThat(outputOf(ran, "weather in Oslo")).contains("\"runId\":\"oslo-1\"");
        assertThat(outputOf(ran, "events?runId=oslo-1"))
                .containsSubsequence("event: RUN_STARTED\n", "event: RUN_FINISHED\n");
        assertThat(outputOf(ran, "/health")).contains("\"status\":\"ok\"");
        assertThat(outputOf(ran, "First talk")).contains("\"title\":\"First talk\"", "\"last_seq\":0");
        List<String> hellos = ran.stream()
                .filter(each -> each.block().contains("\"Hello\""))
                .map(Ran::output)
                .toList();
        assertThat(hellos).hasSize(2);
        assertThat(hellos.getFirst()).contains("\"duplicate\":false", "\"thread_seq\":1");
        assertThat(hellos.getLast()).contains("\"duplicate\":true", "\"thread_seq\":1");
        assertThat(messageId(hellos.getLast())).isEqualTo(messageId(hellos.getFirst()));
        assertThat(outputOf(ran, "Good bye")).contains("/problems/key-reused", "\"status\":409");
        assertThat(outputOf(ran, "limit=10"))
                .contains("\"content\":\"Hello\"", "\"content\":\"Anybody here?\"", "\"has_more\":false")
                .doesNotContain("Good bye");
        assertThat(outputOf(ran, "stream?after_seq=0")).containsSubsequence("id: 1\n", "id: 2\n");
        assertThat(outputOf(ran, "Last-Event-ID")).contains("id: 2\n").doesNotContain("id: 1\n");
        assertThat(outputOf(ran, "weather in Lisbon")).contains("\"taskId\":", "\"runId\":\"run-1\"");
        assertThat(outputOf(ran, "events?runId=run-1"))
                .containsSubsequence(
                        "event: RUN_STARTED\n",
                        "event: TOOL_CALL_RESULT\n",
                        "event: TEXT_MESSAGE_CONTENT\n",
                        "event: RUN_FINISHED\n");
        assertThat(outputOf(ran, "messages?after_seq=2")).contains("weather in Lisbon", "The weather in Lisbon: ");
        assertThat(outputOf(ran, "picture.png;type"))
                .contains("\"bucket\":\"agent-files\"", "\"mime_type\":\"image/png\"", "?token=");
        assertThat(outputOf(ran, "帮我看看这张图")).contains("event: RUN_FINISHED\n");
        assertThat(outputOf(ran, "agent/history"))
                .contains(
                        "\"content\":\"帮我看看这张图\"",
                        "\"user_message_attachments\":{\"bucket\":\"agent-files\"",
                        "image/png, 98 bytes, 8 × 6 pixels.",
                        "\"uiSchema\":{\"version\":\"2.0\"",
                        "?token=");
        assertThat(outputOf(ran, "signed-url")).contains("the same picture");
        assertThat(outputOf(ran, "./parley token")).contains("\"display_name\":\"Ada\"", "My own thread");
        assertThat(outputOf(ran, "curl -sS \"$THREAD\"")).contains("/problems/thread-not-found", "\"status\":404");
        assertThat(outputOf(ran, "serve --help")).contains("--port", "--limit-page");
    }

    @Test
    void pythonExampleStandsInReadmeOfTheClient() {
        assertThat(Page.of("README.md").blocks("python"))
                .hasSize(1)
                .allSatisfy(example -> assertThat(
                                Page.of("clients/python/README.md").text().lines())
                        .containsSubsequence(example.lines().toList()));
    }

    @Test
    void continuousIntegrationRunsTestsAsReadmeSays() {
        assertThat(Page.of(".ci/run").text()).contains("\n./parley test ", "./parley test-python");
    }

    @Test
    void startScriptPrintsHelp() throws Exception {
        try (ChildProcess help = ChildProcess.start(Page.ROOT, Map.of(), List.of("./parley", "help"))) {
            help.awaitLine("^  serve ", LIMIT);
            help.awaitLine("^  token ", LIMIT);
            assertThat(help.awaitExit(LIMIT)).isZero();
        }
    }

    /** Runs all blocks in one shell, as in the reader's one terminal; a failing command ends it. */
    private static List<Ran> runAll(ReadmeProject project, String address) throws IOException, InterruptedException {
        List<String> blocks = BLOCKS.stream()
                .filter(block -> !block.equals(SERVE) && !block.equals(TEST))
                .toList();
        assertThat(blocks).anyMatch(block -> block.contains("export PARLEY=" + PRINTED_ADDRESS));
        StringBuilder script = new StringBuilder();
        for (String block : blocks) {
            script.append(block.replace(PRINTED_ADDRESS, address)).append("\nprintf '\\n%s\\n' '@end@'\n");
        }
        try (ChildProcess shell =
                project.start(List.of(), List.of("bash", "-eu", "-o", "pipefail", "-c", script.toString()))) {
            List<Ran> ran = new ArrayList<>();
            int from = 0;
            for (String block : blocks) {
                shell.awaitLine("^@end@$", LIMIT);
                List<String> lines = shell.output();
                int to = from + lines.subList(from, lines.size()).indexOf("@end@");
                ran.add(new Ran(block, String.join("\n", lines.subList(from, to)) + "\n"));
                from = to + 1;
            }
            assertThat(shell.awaitExit(LIMIT)).isZero();
            return ran;
        }
    }

    private static String outputOf(List<Ran> ran, String part) {
        return ran.stream()
                .filter(each -> each.block().contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No page has a command with " + part))
                .output();
    }

    private static String messageId(String output) {
        Matcher id = MESSAGE_ID.matcher(output);
        assertThat(id.find()).as(output).isTrue();
        return id.group(1);
    }
}
