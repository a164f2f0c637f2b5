package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.LauncherSandbox.Outcome;
import dev.parley.app.LauncherSandbox.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tests of the Python client and of the OpenAPI document, run by the start script with a Python that only records
 * its calls, and by CI.
 */
class PythonTestingTest {
    private static final int CANNOT_TEST = 75;
    private static final List<String> TESTED = List.of("2.3.10", "2.9.0", "3.1.10");
    private static final String WORKING = """
            if [ "$1 $2" = "-m venv" ]; then
                mkdir -p "$3/bin"
                cp "$0" "$3/bin/python"
                exit
            fi
            echo "python $*" >>"$CALLS"
            case $* in
                *" pip "*) exit "${FAKE_PIP_STATUS:-0}" ;;
                *" pytest "*)
                    [ -z "${FAKE_PYTEST_PIDS:-}" ] || { echo "$$" >>"$FAKE_PYTEST_PIDS"; exec sleep 60; }
                    echo "asked $PARLEY_TEST_URL with $PARLEY_TEST_TOKEN"
                    exit "${FAKE_PYTEST_STATUS:-0}"
                    ;;
                *" openapi_spec_validator "*) exit "${FAKE_VALIDATOR_STATUS:-0}" ;;
                *" schemathesis.cli "*)
                    echo "called with $PARLEY_TEST_TOKEN"
                    exit "${FAKE_SCHEMATHESIS_STATUS:-0}"
                    ;;
            esac
            """;

    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = new LauncherSandbox(folder.resolve("a folder"));
        for (String version : TESTED) {
            sandbox.write("clients/python/tests/agno-" + version + ".txt", "agno==" + version + "\n");
        }
        sandbox.write("clients/python/tests/openapi.txt", "schemathesis==4.32.5\n");
    }

    @Test
    void aPythonThatIsTooOldIsNoFailureOfTests() throws Exception {
        python("exit 1");

        notTested("Python 3.10 or newer is needed");
    }

    @Test
    void aPythonWithoutVirtualEnvironmentsIsNoFailureOfTests() throws Exception {
        python("[ \"$1\" = -c ]");

        notTested("cannot make a virtual environment");
    }

    @Test
    void packagesThatCannotBeFetchedAreNoFailureOfTests() throws Exception {
        python(WORKING);
        sandbox.with("FAKE_PIP_STATUS", "1");

        notTested("could not be fetched");
        assertThat(sandbox.run("test-python").status()).isEqualTo(CANNOT_TEST);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "5,1", "75,1"})
    void aFailingTestFails(int pytest, int status) throws Exception {
        python(WORKING);
        server();

        Outcome outcome =
                sandbox.with("FAKE_PYTEST_STATUS", Integer.toString(pytest)).run("test-python", "-k", "some of them");

        assertThat(outcome.err()).contains("testing the Python client with Agno " + String.join(" and ", TESTED));
        assertThat(outcome.out()).isEqualTo("asked http://127.0.0.1:7 with a-token\n".repeat(TESTED.size()));
        assertThat(outcome.status()).isEqualTo(status);
        assertThat(sandbox.calls())
                .filteredOn(call -> call.contains("-m pytest") && call.endsWith(" -k some of them"))
                .hasSize(TESTED.size());
        assertThat(isAlive(Files.readString(folder.resolve("server.pid")))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "1,0,1", "0,1,1", "0,75,1"})
    void documentThatFailsItsTestsFails(int validator, int schemathesis, int status) throws Exception {
        python(WORKING);
        server();

        Outcome outcome = sandbox.with("FAKE_VALIDATOR_STATUS", Integer.toString(validator))
                .with("FAKE_SCHEMATHESIS_STATUS", Integer.toString(schemathesis))
                .run("test-python");

        assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
        assertThat(outcome.out().endsWith("called with a-token\n")).isEqualTo(validator == 0);
        assertThat(sandbox.calls())
                .filteredOn(call -> call.contains(" schemathesis.cli ") && call.endsWith(" --url http://127.0.0.1:7"))
                .hasSize(validator == 0 ? 1 : 0);
        assertThat(isAlive(Files.readString(folder.resolve("server.pid")))).isFalse();
    }

    @Test
    void documentIsNotTestedWithFlagsOfPytest() throws Exception {
        python(WORKING);
        server();

        Outcome outcome = sandbox.run("test-python", "-k", "some of them");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.err()).doesNotContain("schemathesis");
        assertThat(sandbox.calls()).noneMatch(call -> call.contains("schemathesis"));
    }

    @Test
    void aSignalEndsTheTestsAndTheServer() throws Exception {
        python(WORKING);
        server();
        Path pids = folder.resolve("pytest.pids");
        Running running = sandbox.with("FAKE_PYTEST_PIDS", pids.toString()).start("test-python");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Files.exists(pids) && Files.readAllLines(pids).size() == TESTED.size());

        running.process().destroy();

        assertThat(running.outcome().status()).isEqualTo(143);
        for (String pid : Files.readAllLines(pids)) {
            assertThat(isAlive(pid)).isFalse();
        }
        assertThat(isAlive(Files.readString(folder.resolve("server.pid")))).isFalse();
    }

    @Test
    void packagesAreFetchedOnce() throws Exception {
        python(WORKING);
        server();

        assertThat(sandbox.run("test-python").err())
                .contains(
                        "fetching Agno 2.3.10", "fetching Agno 2.9.0", "fetching Agno 3.1.10", "fetching schemathesis");
        assertThat(sandbox.run("test-python").err()).doesNotContain("fetching");
        sandbox.write("clients/python/tests/agno-3.1.10.txt", "agno==3.1.10\nmore\n");
        assertThat(sandbox.run("test-python").err())
                .contains("fetching Agno 3.1.10")
                .doesNotContain("fetching Agno 2.3.10", "fetching Agno 2.9.0");
    }

    @ParameterizedTest
    @CsvSource({"0,0,0,false", "0,75,0,true", "0,1,1,false", "0,143,143,false", "3,0,3,false", "75,0,75,false"})
    void continuousIntegrationFailsIfATestDoes(int test, int python, int status, boolean untested) throws Exception {
        LauncherSandbox.executable(
                sandbox.root().resolve("parley"),
                "echo \"parley $*\" >>\"$CALLS\"\n[ \"$1\" != test ] || exit " + test + "\nexit " + python + "\n");
        sandbox.write(".ci/run", Files.readString(Path.of("..", ".ci", "run")));

        Outcome outcome = sandbox.runScript(sandbox.root().resolve(".ci/run"), "-o");

        assertThat(outcome.status()).isEqualTo(status);
        assertThat(outcome.err().contains("the Python client and the OpenAPI document were not tested"))
                .isEqualTo(untested);
        assertThat(sandbox.calls()).hasSize(test == 0 ? 2 : 1).startsWith("parley test -o");
    }

    private void notTested(String why) throws Exception {
        Outcome outcome = sandbox.run("test-python");

        assertThat(outcome.status()).isEqualTo(CANNOT_TEST);
        assertThat(outcome.err()).contains(why);
        assertThat(sandbox.calls()).noneMatch(call -> call.startsWith("maven"));
    }

    private static boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid.strip()))
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    private void python(String script) throws IOException {
        LauncherSandbox.executable(folder.resolve("a folder/bin/python3"), script);
    }

    /** A server that prints its address, and stays until it is ended. */
    private void server() throws IOException {
        sandbox.with("SERVER_PID", folder.resolve("server.pid").toString());
        LauncherSandbox.executable(sandbox.jdk("b", "25.0.3").resolve("bin/java"), """
                case $* in
                    *" token "*) echo a-token ;;
                    *)
                        echo "$$" >"$SERVER_PID"
                        echo "Parley is listening on http://127.0.0.1:7"
                        exec sleep 60
                        ;;
                esac
                """);
    }
}
