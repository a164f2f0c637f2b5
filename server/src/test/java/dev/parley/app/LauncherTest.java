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

/** Runs the real start script in a copy of the project's layout, with JDKs and Mavens that only write down their calls. */
class LauncherTest {
    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        // A space in every path: each unquoted word would show.
        sandbox = new LauncherSandbox(folder.resolve("a folder"));
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
    void anUnknownCommandNamesTheNearestOne(String wrong, String right) throws Exception {
        Outcome outcome = sandbox.run(wrong);

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("\"" + wrong + "\"").contains("did you mean \"" + right + "\"?");
    }

    @Test
    void withoutAJdkItSaysWhatWasFoundWhere() throws Exception {
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
    void theLowestJdkFromTwentyFiveOnIsTaken() throws Exception {
        sandbox.jdk("a", "26.0.1");
        sandbox.jdk("b", "25.0.3");
        sandbox.jdk("c", "17.0.15");
        sandbox.jdk("d", "27-ea");

        assertThat(sandbox.run("serve").err()).contains("with Java 25.0.3");
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("java b "));
    }

    @Test
    void aNamedJdkIsTakenOrRefusedButNeverReplaced() throws Exception {
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
    void serveBuildsOnceAndThenOnlyAfterAChange() throws Exception {
        sandbox.jdk("b", "25.0.3");

        assertThat(sandbox.run("serve").err()).contains("building the server (first build)");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        sandbox.write("server/src/main/java/Two.java", "class Two {}");
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        Files.delete(sandbox.root().resolve("server/src/main/java/Two.java"));
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
        sandbox.write("server/src/test/java/TwoTest.java", "class TwoTest {}");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        sandbox.write("server/target/parley-server.jar", "built by somebody else");
        assertThat(sandbox.run("serve").err()).contains("building the server (its target folder changed)");
        Files.delete(sandbox.root().resolve("server/target/lib/library.jar"));
        assertThat(sandbox.run("serve").err()).contains("building the server (its target folder changed)");
    }

    @Test
    void whatIsGoneFromTheSourcesIsGoneFromTheBuild() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.write("server/target/classes/db/V9__gone.sql", "");
        sandbox.write("server/target/lib/gone-1.0.jar", "");

        sandbox.run("serve");

        assertThat(sandbox.root().resolve("server/target/classes/db/V9__gone.sql"))
                .doesNotExist();
        assertThat(sandbox.root().resolve("server/target/lib/gone-1.0.jar")).doesNotExist();
        assertThat(sandbox.root().resolve("server/target/lib/library.jar")).exists();
    }

    @Test
    void aFailedBuildStartsNothingAndIsTriedAgain() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome failed = sandbox.with("FAKE_MAVEN_STATUS", "1").run("serve");

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).contains("the build failed");
        assertThat(sandbox.calls()).noneMatch(call -> call.startsWith("java "));
        assertThat(sandbox.with("FAKE_MAVEN_STATUS", "0").run("serve").err()).contains("building the server");
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("java "));
    }

    @Test
    void twoStartsAtTheSameTimeBuildOnce() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Running first = sandbox.start("serve");
        Running second = sandbox.start("serve");

        assertThat(first.outcome().status()).isZero();
        assertThat(second.outcome().status()).isZero();
        assertThat(sandbox.calls())
                .filteredOn(call -> call.startsWith("maven "))
                .hasSize(1);
        assertThat(sandbox.calls()).filteredOn(call -> call.startsWith("java ")).hasSize(2);
    }

    @Test
    void aSignalDuringTheBuildEndsMavenToo() throws Exception {
        sandbox.jdk("b", "25.0.3");
        Path pid = folder.resolve("pid");
        Running running = sandbox.with("FAKE_MAVEN_PID", pid.toString()).start("serve");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        long maven = Long.parseLong(Files.readString(pid).strip());

        running.process().destroy();

        assertThat(running.outcome().status()).isEqualTo(143);
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        ProcessHandle.of(maven).filter(ProcessHandle::isAlive).isEmpty());
        assertThat(Files.isSymbolicLink(sandbox.root().resolve("target/.building")))
                .isFalse();
    }

    @Test
    void theLockOfADeadProcessDoesNotStopABuild() throws Exception {
        sandbox.jdk("b", "25.0.3");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.createDirectories(sandbox.root().resolve("target"));
        Files.createSymbolicLink(sandbox.root().resolve("target/.building"), Path.of(Long.toString(dead.pid())));

        assertThat(sandbox.run("serve").status()).isZero();
        assertThat(Files.isSymbolicLink(sandbox.root().resolve("target/.building")))
                .isFalse();
    }

    @Test
    void theJvmReplacesTheScriptAndGetsItsArgumentsUntouched() throws Exception {
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
    void theStatusOfTheJvmIsTheStatusOfTheScript() throws Exception {
        sandbox.jdk("b", "25.0.3");

        assertThat(sandbox.with("FAKE_JAVA_STATUS", "7").run("serve").status()).isEqualTo(7);
    }

    @Test
    void itRunsThroughASymbolicLink() throws Exception {
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
    void noReleaseIsMadeWithoutTheConsole() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.nodeOnPath("18.1.0");

        Outcome outcome = sandbox.run("release");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("Node.js");
        assertThat(sandbox.calls()).isEmpty();
    }

    @Test
    void testRunsMavenInTheProjectAndPassesItsStatusOn() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "3").run("test", "-pl", "server");

        assertThat(outcome.status()).isEqualTo(3);
        assertThat(sandbox.calls()).containsExactly("maven pinned b " + sandbox.root() + " -B -T 4 verify -pl server");
    }

    @Test
    void whatPassedTheTestsIsNotBuiltAgainUnlessSomethingOldMayBeInIt() throws Exception {
        sandbox.jdk("b", "25.0.3");

        assertThat(sandbox.run("test").status()).isZero();
        assertThat(sandbox.run("serve").err()).doesNotContain("building");

        sandbox.write("server/src/main/java/Two.java", "class Two {}");
        sandbox.write("server/target/classes/One.class", "");
        assertThat(sandbox.run("test").status()).isZero();
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
    }

    @Test
    void testsThatFailLeaveNothingToStart() throws Exception {
        sandbox.jdk("b", "25.0.3");

        assertThat(sandbox.with("FAKE_MAVEN_STATUS", "3").run("test").status()).isEqualTo(3);
        assertThat(sandbox.run("serve").err()).contains("building the server (first build)");
    }

    @Test
    void rootGetsTheBrowserThatTestsNeed() throws Exception {
        sandbox.jdk("b", "25.0.3");
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
    void whoCannotGetABrowserIsToldHowTo(int user, boolean aptWorks) throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.removeBrowsers(user, aptWorks);

        Outcome outcome = sandbox.run("test");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("sudo apt-get install chromium").contains("CHROMIUM_PATH");
        assertThat(sandbox.calls()).noneMatch(call -> call.startsWith("maven"));
    }

    @Test
    void aBrowserThatIsNotThereIsNotReplacedByAnother() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.with("CHROMIUM_PATH", "/nowhere/chromium").run("test");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("CHROMIUM_PATH is /nowhere/chromium");
    }

    @Test
    void aNewEnoughMavenOnThePathIsUsed() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.removePinnedMaven();
        sandbox.mavenOnPath("3.9.4");

        assertThat(sandbox.run("serve").status()).isZero();
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("maven path b ") && call.contains("package"));
    }

    @ParameterizedTest
    @CsvSource({"3.8.7", "4.0.0"})
    void anyOtherMavenOnThePathOnlyFetchesThePinnedOne(String version) throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.removePinnedMaven();
        sandbox.mavenOnPath(version);

        Outcome outcome = sandbox.run("serve");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.err())
                .contains("fetching Maven 3.9.16 with the Maven on the PATH")
                .doesNotContain("\033");
        assertThat(sandbox.calls())
                .noneMatch(call -> call.startsWith("maven path") && call.contains("package"))
                .anyMatch(call -> call.startsWith("maven pinned b ") && call.contains("package"));
        assertThat(sandbox.run("serve").err()).doesNotContain("fetching");
    }

    @Test
    void mavenThatCannotBeFetched_isReportedAfterTheWrapperFailed() throws Exception {
        sandbox.jdk("b", "25.0.3");
        sandbox.removePinnedMaven();
        sandbox.mavenOnPath("3.8.7");

        Outcome outcome = sandbox.with("FAKE_FETCH_STATUS", "1")
                .with("MVNW_REPOURL", "http://127.0.0.1:9")
                .run("serve");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err())
                .contains("fetching Maven 3.9.16 with the Maven Wrapper", "Maven 3.9.16 could not be fetched")
                .contains("put it on the PATH");
        assertThat(sandbox.calls()).hasSize(2).first().isEqualTo("maven path fetches");
        assertThat(sandbox.calls().getLast())
                .startsWith("wget ")
                .contains("/apache-maven-3.9.16-bin.")
                .doesNotContain("127.0.0.1:9");
        assertThat(sandbox.pinnedMaven().getParent()).isEmptyDirectory();
    }

    @Test
    void test_onlyMisspelt_namesTheNearestClassAndRunsNothing() throws Exception {
        sandbox.jdk("b", "25.0.3");
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
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.run(("test " + flags).split(" "));

        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains(flags.split(" ")[0] + " takes ");
        assertThat(sandbox.calls()).isEmpty();
    }

    @Test
    void test_only_leavesTheConsoleOutAndNeedsAFreshReport() throws Exception {
        sandbox.jdk("b", "25.0.3");
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
        sandbox.jdk("b", "25.0.3");
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.report("MergeTest$Inner", "");

        Outcome run = sandbox.run("test", "--only", "MergeTest$Inner");

        assertThat(run.status()).as(run.err()).isZero();
    }

    @Test
    void test_times_showsEachRunWithItsFailuresAndFails() throws Exception {
        sandbox.jdk("b", "25.0.3");
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
        sandbox.jdk("b", "25.0.3");
        sandbox.report("MergeTest", "<error message=\"no\"/>");
        sandbox.write("server/src/test/java/dev/parley/MergeTest.java", "class MergeTest {}");
        sandbox.findThatMissesAFolder();

        Outcome outcome = sandbox.run("test", "--times", "2", "--only", "MergeTest");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).containsPattern("(?m)^ +2 +[0-9]+  MergeTest.aRule *$");
    }

    @Test
    void test_times_withoutReports_showsTheStatusOfMaven() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "3").run("test", "--times", "2");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).contains("Maven ended with 3.").containsPattern("(?m)^ +2 ");
    }

    @Test
    void test_busy_endsItsLoopsWithTheTests() throws Exception {
        sandbox.jdk("b", "25.0.3");

        Outcome outcome = sandbox.run("test", "--busy");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(loops(outcome.err())).isNotEmpty();
        awaitGone(loops(outcome.err()));
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void test_busyAndEndedBySignal_leavesNoLoop(boolean forcibly) throws Exception {
        sandbox.jdk("b", "25.0.3");
        Path pid = folder.resolve("pid");
        Running running = sandbox.with("FAKE_MAVEN_PID", pid.toString()).start("test", "--busy");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        long maven = Long.parseLong(Files.readString(pid).strip());
        List<Long> loops = loops(Files.readString(running.err()));
        assertThat(loops).isNotEmpty().allMatch(LauncherTest::isAlive);

        if (forcibly) {
            running.process().destroyForcibly();
        } else {
            running.process().destroy();
        }

        assertThat(running.outcome().status()).isEqualTo(forcibly ? 137 : 143);
        awaitGone(loops);
        // A killed script can end nothing but what looks after it; the pretended Maven does not.
        ProcessHandle.of(maven).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static List<Long> loops(String said) {
        Matcher processes = Pattern.compile("keeping every core busy \\(processes([ 0-9]+)\\)")
                .matcher(said);
        assertThat(processes.find()).as(said).isTrue();
        return Stream.of(processes.group(1).strip().split(" "))
                .map(Long::valueOf)
                .toList();
    }

    private static void awaitGone(List<Long> processes) {
        await().atMost(Duration.ofSeconds(20)).until(() -> processes.stream().noneMatch(LauncherTest::isAlive));
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    void testPython_environmentOfTheUser_doesNotReachTheServer() throws Exception {
        sandbox.jdk("b", "25.0.3");
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
        sandbox.jdk("b", "25.0.3");
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
        sandbox.jdk("b", "25.0.3");
        sandbox.pythonOnPath();

        Outcome outcome = sandbox.with("FAKE_SERVER", folder.resolve("seen").toString())
                .with("FAKE_KNOWN_STATUS", "1")
                .run("test-python");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("does not accept the token");
        assertThat(sandbox.calls()).contains("python pytest").doesNotContain("python schemathesis.cli");
    }
}
