package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.LauncherSandbox.Outcome;
import dev.parley.app.LauncherSandbox.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The build before a start, and the Maven that it is done with. */
class LauncherBuildTest {
    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = LauncherSandbox.in(folder);
        sandbox.jdk("b", "25.0.3");
    }

    @Test
    void serveBuildsOnceAndThenOnlyAfterAChange() throws Exception {
        assertThat(sandbox.run("serve").err()).contains("building the server (first build)");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        sandbox.write("server/src/main/java/Two.java", "class Two {}");
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        Files.delete(sandbox.root().resolve("server/src/main/java/Two.java"));
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
        sandbox.write("server/src/test/java/TwoTest.java", "class TwoTest {}");
        assertThat(sandbox.run("serve").err()).doesNotContain("building");
        sandbox.write("server/target/parley-server.jar", "built by another tool");
        assertThat(sandbox.run("serve").err()).contains("building the server (its target folder changed)");
        Files.delete(sandbox.root().resolve("server/target/lib/library.jar"));
        assertThat(sandbox.run("serve").err()).contains("building the server (its target folder changed)");
    }

    @Test
    void filesRemovedFromTheSourcesLeaveTheBuild() throws Exception {
        sandbox.write("server/target/classes/db/V9__gone.sql", "");
        sandbox.write("server/target/lib/gone-1.0.jar", "");

        sandbox.run("serve");

        assertThat(sandbox.root().resolve("server/target/classes/db/V9__gone.sql"))
                .doesNotExist();
        assertThat(sandbox.root().resolve("server/target/lib/gone-1.0.jar")).doesNotExist();
        assertThat(sandbox.root().resolve("server/target/lib/library.jar")).exists();
    }

    @Test
    void failedBuildStartsNothingAndIsRepeated() throws Exception {
        Outcome failed = sandbox.with("FAKE_MAVEN_STATUS", "1").run("serve");

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).contains("the build failed");
        assertThat(sandbox.calls()).noneMatch(call -> call.startsWith("java "));
        assertThat(sandbox.with("FAKE_MAVEN_STATUS", "0").run("serve").err()).contains("building the server");
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("java "));
    }

    @Test
    void concurrentStartsBuildOnce() throws Exception {
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
    void signalDuringTheBuildEndsMavenToo() throws Exception {
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
    void lockOfADeadProcessDoesNotStopABuild() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.createDirectories(sandbox.root().resolve("target"));
        Files.createSymbolicLink(sandbox.root().resolve("target/.building"), Path.of(Long.toString(dead.pid())));

        assertThat(sandbox.run("serve").status()).isZero();
        assertThat(Files.isSymbolicLink(sandbox.root().resolve("target/.building")))
                .isFalse();
    }

    @Test
    void testedBuildIsReusedUnlessAnOldFileMayBeInIt() throws Exception {
        assertThat(sandbox.run("test").status()).isZero();
        assertThat(sandbox.run("serve").err()).doesNotContain("building");

        sandbox.write("server/src/main/java/Two.java", "class Two {}");
        sandbox.write("server/target/classes/One.class", "");
        assertThat(sandbox.run("test").status()).isZero();
        assertThat(sandbox.run("serve").err()).contains("building the server (sources changed)");
    }

    @Test
    void failedTestsLeaveNothingToStart() throws Exception {
        assertThat(sandbox.with("FAKE_MAVEN_STATUS", "3").run("test").status()).isEqualTo(3);
        assertThat(sandbox.run("serve").err()).contains("building the server (first build)");
    }

    @Test
    void newEnoughMavenOnThePathIsUsed() throws Exception {
        sandbox.removePinnedMaven();
        sandbox.mavenOnPath("3.9.4");

        assertThat(sandbox.run("serve").status()).isZero();
        assertThat(sandbox.calls()).anyMatch(call -> call.startsWith("maven path b ") && call.contains("package"));
    }

    @ParameterizedTest
    @CsvSource({"3.8.7", "4.0.0"})
    void otherMavenOnThePathOnlyFetchesThePinnedOne(String version) throws Exception {
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
}
