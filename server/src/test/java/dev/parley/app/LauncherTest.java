package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.LauncherSandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the real start script in a copy of the project's layout, with JDKs and Mavens that only record their calls: help,
 * choice of the JDK, arguments.
 */
class LauncherTest {
    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = LauncherSandbox.in(folder);
    }

    @Test
    void helpListsEveryCommand() throws Exception {
        Outcome outcome = sandbox.run("help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out())
                .contains(
                        "  serve ",
                        "  test ",
                        "  test-latest ",
                        "  test-python ",
                        "  audit ",
                        "  token ",
                        "  export ",
                        "  import ",
                        "  verify ")
                .contains("  bench ", "  prove ", "  release ", "--port");
        assertThat(sandbox.run("--help").out()).isEqualTo(outcome.out());
    }

    @Test
    void noCommandShowsTheHelpAndFails() throws Exception {
        Outcome outcome = sandbox.run();

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("Usage:");
    }

    @ParameterizedTest
    @CsvSource({
        "serv,serve",
        "tset,test",
        "test-lastest,test-latest",
        "audti,audit",
        "tokens,token",
        "exprot,export",
        "imports,import",
        "verfiy,verify",
        "benhc,bench",
        "proof,prove",
        "relaese,release",
        "hlep,help"
    })
    void unknownCommandNamesTheNearestOne(String wrong, String right) throws Exception {
        Outcome outcome = sandbox.run(wrong);

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("\"" + wrong + "\"").contains("did you mean \"" + right + "\"?");
    }

    @Test
    void missingJdkIsReportedWithTheFoundOnes() throws Exception {
        sandbox.jdk("seventeen", "17.0.15");
        sandbox.jdk("eight", "1.8.0_452");
        Files.delete(sandbox.jdk("runtime", "25.0.3").resolve("bin/javac"));

        Outcome outcome = sandbox.run("serve");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("no JDK 25 or newer was found")
                .contains("17.0.15 in " + sandbox.jdks().resolve("seventeen"))
                .contains("1.8.0_452 in " + sandbox.jdks().resolve("eight"))
                .contains("25.0.3 without a compiler in " + sandbox.jdks().resolve("runtime"))
                .contains("PARLEY_JAVA_HOME");
        assertThat(sandbox.calls()).isEmpty();
    }

    @Test
    void lowestJdkFromTwentyFiveOnIsTaken() throws Exception {
        sandbox.jdk("a", "26.0.1");
        sandbox.jdk("b", "25.0.3");
        sandbox.jdk("c", "17.0.15");
        sandbox.jdk("d", "27-ea");

        assertThat(sandbox.run("serve").err()).contains("with Java 25.0.3");
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("java b "));
    }

    @Test
    void namedJdkIsTakenOrRefusedButNeverReplaced() throws Exception {
        sandbox.jdk("right", "25.0.3");
        Path newer = sandbox.jdk("newer", "26");
        Path older = sandbox.jdk("older", "21.0.2");

        assertThat(sandbox.with("PARLEY_JAVA_HOME", newer.toString())
                        .run("serve")
                        .err())
                .contains("with Java 26");
        Outcome refused = sandbox.with("PARLEY_JAVA_HOME", older.toString()).run("serve");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("PARLEY_JAVA_HOME is " + older).contains("21.0.2");
    }

    @Test
    void jvmReplacesTheScriptAndGetsItsArgumentsUntouched() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.with("PARLEY_HEAP", "2g")
                .with("PARLEY_JAVA_OPTS", "-Da=1 -Db=*")
                .run("serve", "--data", "my data", "*");

        assertThat(outcome.out())
                .contains("pid=" + outcome.pid())
                .contains("pwd=" + sandbox.elsewhere())
                .contains("[-Xmx2g][-Da=1][-Db=*][-cp][" + sandbox.root().resolve("server/target/parley-server.jar")
                        + ":" + sandbox.root().resolve("server/target/lib/*") + "]")
                .contains("[dev.parley.app.Main][serve][--data][my data][*]");
    }

    @Test
    void statusOfTheJvmIsTheStatusOfTheScript() throws Exception {
        sandbox.jdk("b", "25.0.3");

        assertThat(sandbox.with("FAKE_JAVA_STATUS", "7").run("serve").status()).isEqualTo(7);
    }

    @Test
    void scriptRunsThroughASymbolicLink() throws Exception {
        sandbox.jdk("b", "25.0.3");
        Path link =
                Files.createSymbolicLink(folder.resolve("link"), sandbox.root().resolve("parley"));

        Outcome outcome = sandbox.runScript(link, "token", "--user", "x");

        assertThat(outcome.out())
                .contains("[dev.parley.app.Main][token][--user][x]")
                .contains(sandbox.root().resolve("server/target/lib").toString());
    }

    @ParameterizedTest
    @CsvSource({"bench", "prove"})
    void benchAndProveRunTheBenchModule(String command) throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.run(command, "--short");

        assertThat(outcome.err()).contains("building the bench");
        assertThat(outcome.out()).contains("bench/target/lib/*][dev.parley.bench.Main][" + command + "][--short]");
    }

    @Test
    void releaseBuildsWithItsProfileAndPacksWhatWasBuilt() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.nodeOnPath("22.12.0");

        Outcome outcome = sandbox.run("release");

        assertThat(outcome.status()).isZero();
        assertThat(sandbox.calls()).anyMatch(call -> call.contains(" package -pl release -am -Parchive "));
        assertThat(outcome.out()).contains("release/target/lib/*][dev.parley.release.Main][" + sandbox.root() + "]");
        assertThat(sandbox.run("release", "--fast").status()).isEqualTo(2);
    }

    @Test
    void releaseNeedsTheConsole() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.nodeOnPath("18.1.0");

        Outcome outcome = sandbox.run("release");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("Node.js");
        assertThat(sandbox.calls()).isEmpty();
    }
}
