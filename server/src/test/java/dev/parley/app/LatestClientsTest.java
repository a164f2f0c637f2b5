package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.LauncherSandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script's table of the latest clients, with a Maven that only writes reports. */
class LatestClientsTest {
    /** Passes every test of the latest clients, except the ones that the environment names. */
    private static final String MAVEN = """
            echo "maven $PARLEY_CLIENTS $*" >>"$CALLS"
            [ "${FAKE_MAVEN_STATUS:-0}" = 0 ] || exit "$FAKE_MAVEN_STATUS"
            echo "what Maven prints"
            mkdir -p server/target/surefire-reports server/target/node/supabase-latest server/target/node/models-latest
            echo "@supabase/storage-js 9.9.9" >server/target/node/supabase-latest/versions
            printf 'openai 8.0.0\\nollama 1.2.3\\n' >server/target/node/models-latest/versions
            for argument in "$@"; do
                case $argument in -Dtest=*) tests=${argument#*=} ;; esac
            done
            for test in ${tests//,/ }; do
                [ "$test" != "${FAKE_UNRUN:-}" ] || continue
                failures=0
                [ "$test" != "${FAKE_FAILING:-}" ] || failures=2
                echo "<testsuite name=\\"x\\" tests=\\"5\\" errors=\\"0\\" skipped=\\"0\\" failures=\\"$failures\\">" \\
                    >"server/target/surefire-reports/TEST-dev.parley.x.$test.xml"
            done
            """;

    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = new LauncherSandbox(folder.resolve("a folder"));
        sandbox.jdk("b", "25.0.3");
        LauncherSandbox.executable(sandbox.pinnedMaven().resolve("bin/mvn"), MAVEN);
    }

    private static List<String> rows(Outcome outcome) {
        return Arrays.stream(outcome.out().split("\n"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void latestClients_allPass_tableTellsTheirVersions() throws Exception {
        sandbox.write("server/target/node/supabase-latest/versions", "@supabase/storage-js 0.0.1\n");

        Outcome outcome = sandbox.run("test-latest", "-o");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(rows(outcome))
                .containsExactly(
                        "client version result",
                        "agui - passed",
                        "eventsource - passed",
                        "mcp - passed",
                        "openai 8.0.0 passed",
                        "ollama 1.2.3 passed",
                        "@supabase/storage-js 9.9.9 passed");
        assertThat(outcome.err()).contains("what Maven prints");
        assertThat(sandbox.calls())
                .singleElement()
                .asString()
                .startsWith("maven latest -B test -pl server -am -Dtest=AguiClientsTest,")
                .endsWith(" -o");
    }

    @Test
    void latestClients_failureOrMissingReport_isReported() throws Exception {
        sandbox.write("server/target/surefire-reports/TEST-dev.parley.x.AguiLossTest.xml", "of an earlier run");

        Outcome outcome = sandbox.with("FAKE_FAILING", "ScriptedModelsTest")
                .with("FAKE_UNRUN", "AguiLossTest")
                .run("test-latest");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(rows(outcome))
                .contains(
                        "agui - AguiLossTest did not run",
                        "openai 8.0.0 ScriptedModelsTest failed",
                        "@supabase/storage-js 9.9.9 passed");
    }

    @Test
    void latestClients_buildFails_printsNoTable() throws Exception {
        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "1").run("test-latest");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("could not be run");
    }

    @Test
    void latestClients_everyTestOfTheScript_exists() throws Exception {
        sandbox.run("test-latest");
        String call = sandbox.calls().getFirst();
        String tests = call.replaceAll(".*-Dtest=([^ ]*).*", "$1");

        try (var sources = Files.walk(Path.of("src", "test", "java"))) {
            List<String> names =
                    sources.map(path -> path.getFileName().toString()).toList();
            assertThat(tests.split(",")).allSatisfy(test -> assertThat(names).contains(test + ".java"));
        }
    }
}
