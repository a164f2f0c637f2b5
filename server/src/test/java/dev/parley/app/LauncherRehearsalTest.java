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

/** The start script's rehearsal of a start, and its use of the recorded cache. */
class LauncherRehearsalTest {
    private static final String REHEARSING = "rehearsing the start";

    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        // A space in every path reveals unquoted words.
        sandbox = new LauncherSandbox(folder.resolve("a folder")).with("PARLEY_REHEARSAL", "on");
        sandbox.jdk("b", "25.0.3");
    }

    @Test
    void theFirstServeRehearsesAndAllUseItsCache() throws Exception {
        Outcome first = sandbox.run("serve", "--port", "0");

        assertThat(first.err()).containsSubsequence("building the server", REHEARSING, "starting the server");
        assertThat(first.out()).contains(use()).contains("pid=" + first.pid()).contains("[serve][--port][0]");
        Outcome next = sandbox.run("serve");
        assertThat(next.err()).doesNotContain("rehears");
        assertThat(next.out()).contains(use());
        assertThat(sandbox.run("token").out()).contains(use());
        assertThat(sandbox.run("bench").out()).doesNotContain("AOT");
        assertThat(rehearsals()).hasSize(1);
    }

    @Test
    void noFlagOfTheUsersGetsIntoTheRehearsal() throws Exception {
        Outcome outcome = sandbox.with("PARLEY_HEAP", "2g")
                .with("PARLEY_JAVA_OPTS", "-agentlib:one")
                .run("serve", "--data", "precious");

        assertThat(outcome.out()).contains("[-Xmx2g][-agentlib:one]");
        assertThat(rehearsals())
                .singleElement()
                .asString()
                .endsWith("dev.parley.app.Main rehearse")
                .contains("-Xmx1g")
                .doesNotContain("-agentlib", "precious");
    }

    @Test
    void changedFilesAreRehearsedAgain() throws Exception {
        sandbox.run("serve");

        sandbox.with("FAKE_BUILD", "another").write("server/src/main/java/Two.java", "class Two {}");
        assertThat(sandbox.run("serve").err()).contains("building the server", REHEARSING);
        assertThat(sandbox.run("serve").err()).doesNotContain(REHEARSING);
        sandbox.jdk("b", "25.0.4");
        assertThat(sandbox.run("token").out()).doesNotContain("AOT");
        assertThat(sandbox.run("serve").err()).contains(REHEARSING);
        Files.delete(cache());
        assertThat(sandbox.run("serve").err()).contains(REHEARSING);
        assertThat(sandbox.run("serve").out()).contains(use());
    }

    @Test
    void theCacheIsNeitherMadeNorUsedWhenSwitchedOff() throws Exception {
        assertThat(sandbox.with("PARLEY_REHEARSAL", "off").run("serve").err()).doesNotContain("rehears");
        assertThat(cache()).doesNotExist();

        sandbox.with("PARLEY_REHEARSAL", "on").run("serve");
        assertThat(sandbox.with("PARLEY_REHEARSAL", "off").run("serve").out()).doesNotContain("AOT");
    }

    @Test
    void otherCommandsDoNotRehearse() throws Exception {
        assertThat(sandbox.run("token").err()).doesNotContain("rehears");
        assertThat(rehearsals()).isEmpty();
    }

    @Test
    void aFailedRehearsalIsReportedOnceAndDoesNotPreventTheStart() throws Exception {
        Outcome outcome = sandbox.with("FAKE_REHEARSAL_STATUS", "1").run("serve");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.err()).contains("the rehearsal failed").contains(cache() + ".log");
        assertThat(outcome.out()).contains("[serve]").doesNotContain("AOT");
        assertThat(sandbox.run("serve").err()).doesNotContain("rehears");
        assertThat(rehearsals()).hasSize(1);
    }

    @Test
    void twoStartsAtTheSameTimeRehearseOnce() throws Exception {
        Running first = sandbox.start("serve");
        Running second = sandbox.start("serve");

        assertThat(first.outcome().out()).contains(use());
        assertThat(second.outcome().out()).contains(use());
        assertThat(rehearsals()).hasSize(1);
    }

    @Test
    void aSignalDuringTheRehearsalEndsItToo() throws Exception {
        Path pid = folder.resolve("pid");
        Running running = sandbox.with("FAKE_REHEARSAL_PID", pid.toString()).start("serve");
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
        long rehearsal = Long.parseLong(Files.readString(pid).strip());

        running.process().destroy();

        assertThat(running.outcome().status()).isEqualTo(143);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.of(rehearsal)
                        .filter(ProcessHandle::isAlive)
                        .isEmpty());
        assertThat(Files.isSymbolicLink(sandbox.root().resolve("target/.building")))
                .isFalse();
        assertThat(cache()).doesNotExist();
    }

    @Test
    void aRealJvmStartsSilentlyWithAnInvalidCache() throws Exception {
        // The flags are the script's own; the JVM starts without the server.
        LauncherSandbox.executable(sandbox.jdks().resolve("b/bin/java"), """
                flags=()
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*) echo "no cache at all" >"${argument#*=}" && exit 0 ;;
                        -cp) exec '%s' "${flags[@]}" -version ;;
                    esac
                    flags+=("$argument")
                done
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java")));

        Outcome outcome = sandbox.run("serve");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("version").doesNotContain("AOT", "[aot");
        assertThat(cache()).isNotEmptyFile();
    }

    private Path cache() {
        return sandbox.root().resolve("server/target/parley.aot");
    }

    private String use() {
        return "[-XX:AOTCache=" + cache() + "][-Xlog:aot*=off]";
    }

    private List<String> rehearsals() throws IOException {
        return sandbox.calls().stream()
                .filter(call -> call.contains("-XX:AOTCacheOutput="))
                .toList();
    }
}
