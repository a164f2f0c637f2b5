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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands {@code test} and {@code test-python} of the start script. */
class LauncherTestingTest {
    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = LauncherSandbox.in(folder);
        sandbox.jdk("b", "25.0.3");
    }

    @Test
    void test_runsMavenInTheProjectAndReturnsItsStatus() throws Exception {
        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "3").run("test", "-pl", "server");

        assertThat(outcome.status()).isEqualTo(3);
        assertThat(sandbox.calls()).containsExactly("maven pinned b " + sandbox.root() + " -B -T 4 verify -pl server");
    }

    @Test
    void test_missingBrowserAsRoot_installsIt() throws Exception {
        sandbox.removeBrowsers(0, true);

        assertThat(sandbox.run("test").status()).isZero();
        assertThat(sandbox.run("test").status()).isZero();

        assertThat(sandbox.calls())
                .containsExactly(
                        "apt-get update -q",
                        "apt-get install -q -y --no-install-recommends chromium",
                        "maven pinned b " + sandbox.root() + " -B -T 4 verify",
                        "maven pinned b " + sandbox.root() + " -B -T 4 verify");
    }

    @ParameterizedTest
    @CsvSource({"0,false", "1000,true"})
    void test_missingBrowserThatCannotBeInstalled_namesTheCommand(int user, boolean aptWorks) throws Exception {
        sandbox.removeBrowsers(user, aptWorks);

        Outcome outcome = sandbox.run("test");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("sudo apt-get install chromium").contains("CHROMIUM_PATH");
        assertThat(sandbox.calls()).noneMatch(call -> call.startsWith("maven"));
    }

    @Test
    void test_namedBrowserThatIsMissing_isNotReplaced() throws Exception {
        Outcome outcome = sandbox.with("CHROMIUM_PATH", "/nowhere/chromium").run("test");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("CHROMIUM_PATH is /nowhere/chromium");
    }

    @Test
    void test_onlyMisspelt_namesTheNearestClassAndRunsNothing() throws Exception {
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.write("sdk/src/test/java/dev/parley/StreamTest.java", "class StreamTest {}");

        Outcome outcome = sandbox.run("test", "--only", "StreamTest,MegreTest#aRule");

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("there is no test class \"MegreTest\"; did you mean \"MergeTest\"?");
        assertThat(sandbox.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--only", "--only --busy", "--times", "--times 0", "--times x"})
    void test_flagWithoutAValue_isRefused(String flags) throws Exception {
        Outcome outcome = sandbox.run(("test " + flags).split(" "));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains(flags.split(" ")[0] + " takes ");
        assertThat(sandbox.calls()).isEmpty();
    }

    @Test
    void test_only_leavesTheConsoleOutAndNeedsAFreshReport() throws Exception {
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.write("server/target/surefire-reports/TEST-dev.parley.MergeTest.xml", "of a run before");

        Outcome unrun = sandbox.run("test", "--only", "MergeTest");
        sandbox.report("MergeTest", "");
        Outcome run = sandbox.run("test", "--only", "dev.parley.MergeTest#aRule");

        assertThat(unrun.status()).isEqualTo(1);
        assertThat(unrun.err()).contains("MergeTest did not run");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(sandbox.calls())
                .allMatch(call -> call.contains(" -Dtest=") && call.endsWith(" -Dconsole.test.skip=true"));
    }

    @Test
    void test_only_takesANestedClass() throws Exception {
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.report("MergeTest$Inner", "");

        Outcome run = sandbox.run("test", "--only", "MergeTest$Inner");

        assertThat(run.status()).as(run.err()).isZero();
    }

    @Test
    void test_times_showsEachRunWithItsFailuresAndFails() throws Exception {
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.write("server/src/test/java/dev/parley/StreamTest.java", "class StreamTest {}");
        sandbox.report("MergeTest", "<failure message=\"no\"/>");

        Outcome outcome = sandbox.run("test", "--times", "2", "--only", "MergeTest,StreamTest");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("  run  seconds  failures\n")
                .containsPattern("(?m)^ +1 +[0-9]+  MergeTest.aRule StreamTest did not run *$")
                .containsPattern("(?m)^ +2 +[0-9]+  MergeTest.aRule StreamTest did not run *$");
        sandbox.report("MergeTest", "");
        Outcome passed = sandbox.run("test", "--times", "2", "--only", "MergeTest");
        assertThat(passed.status()).as(passed.err()).isZero();
        assertThat(passed.out()).containsPattern("(?m)^ +2 +[0-9]+  none$");
    }

    @Test
    void test_times_filesVanishMeanwhile_showsTheTable() throws Exception {
        sandbox.report("MergeTest", "<error message=\"no\"/>");
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.findThatMissesAFolder();

        Outcome outcome = sandbox.run("test", "--times", "2", "--only", "MergeTest");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).containsPattern("(?m)^ +2 +[0-9]+  MergeTest.aRule *$");
    }

    @Test
    void test_times_withoutReports_showsTheStatusOfMaven() throws Exception {
        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "3").run("test", "--times", "2");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).contains("Maven ended with 3.").containsPattern("(?m)^ +2 ");
    }

    @Test
    void test_busy_endsItsLoopsWithTheTests() throws Exception {
        Outcome outcome = sandbox.run("test", "--busy");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(loops(outcome.err())).isNotEmpty();
        awaitGone(loops(outcome.err()));
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void test_busyAndEndedBySignal_leavesNoLoop(boolean forcibly) throws Exception {
        Path pid = folder.resolve("pid");
        Running running = sandbox.with("FAKE_MAVEN_PID", pid.toString()).start("test", "--busy");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        long maven = Long.parseLong(Files.readString(pid).strip());
        List<Long> loops = loops(Files.readString(running.err()));
        assertThat(loops).isNotEmpty().allMatch(LauncherTestingTest::isAlive);

        if (forcibly) {
            running.process().destroyForcibly();
        } else {
            running.process().destroy();
        }

        assertThat(running.outcome().status()).isEqualTo(forcibly ? 137 : 143);
        awaitGone(loops);
        // The loops of a killed script end by themselves; the pretended Maven does not.
        ProcessHandle.of(maven).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static List<Long> loops(String printed) {
        Matcher processes = Pattern.compile("keeping every core busy \\(processes([ 0-9]+)\\)")
                .matcher(printed);
        assertThat(processes.find()).as(printed).isTrue();
        return Stream.of(processes.group(1).strip().split(" "))
                .map(Long::valueOf)
                .toList();
    }

    private static void awaitGone(List<Long> processes) {
        await().atMost(Duration.ofSeconds(20)).until(() -> processes.stream().noneMatch(LauncherTestingTest::isAlive));
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void testPython_environmentOfTheUser_doesNotReachTheServer() throws Exception {
        sandbox.pythonOnPath();
        Path seen = folder.resolve("seen");

        Outcome outcome = sandbox.with("FAKE_SERVER", seen.toString())
                .with("PARLEY_JWT_SECRET", "the user's own secret of many characters")
                .with("PARLEY_CONFIG", "/nowhere.yaml")
                .with("PARLEY_DATABASE_URL", "jdbc:postgresql://nowhere/x")
                .run("test-python");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(Files.readAllLines(seen))
                .contains("PARLEY_RATE_LIMITS")
                .doesNotContain("PARLEY_JWT_SECRET", "PARLEY_CONFIG", "PARLEY_DATABASE_URL", "PARLEY_TEST_TOKEN");
        assertThat(sandbox.calls()).contains("python pytest", "python schemathesis.cli");
    }

    @Test
    void testPython_tokenThatCannotBeMinted_endsTheTests() throws Exception {
        sandbox.pythonOnPath();

        Outcome outcome = sandbox.with("FAKE_SERVER", folder.resolve("seen").toString())
                .with("FAKE_TOKEN_STATUS", "3")
                .run("test-python");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("no token could be minted");
        assertThat(sandbox.calls()).doesNotContain("python pytest", "python schemathesis.cli");
    }

    @Test
    void testPython_tokenThatTheServerRefuses_callsNoOperation() throws Exception {
        sandbox.pythonOnPath();

        Outcome outcome = sandbox.with("FAKE_SERVER", folder.resolve("seen").toString())
                .with("FAKE_KNOWN_STATUS", "1")
                .run("test-python");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("does not accept the token");
        assertThat(sandbox.calls()).contains("python pytest").doesNotContain("python schemathesis.cli");
    }
}
