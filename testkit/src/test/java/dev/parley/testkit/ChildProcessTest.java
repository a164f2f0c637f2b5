package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    @Test
    void signalsStopContinueAndEndTheChild() throws Exception {
        try (ChildProcess child = tick()) {
            assertThat(child.awaitLine("ready (\\w+) (\\w+)", LIMIT).group(2)).isEqualTo("hello");
            child.signal("STOP");
            await().until(() -> state(child.pid()).startsWith("T"));
            assertThat(child.running()).isTrue();
            int before = child.output().size();
            child.signal("CONT");
            await().until(() -> child.output().size() > before + 2);
            child.signal("TERM");
            assertThat(child.awaitExit(LIMIT)).isEqualTo(143);
        }
    }

    @Test
    void closingKillsAlsoTheFamilyItLeftBehind() throws Exception {
        ProcessHandle grandchild;
        try (ChildProcess child = tick()) {
            grandchild = ProcessHandle.of(Long.parseLong(
                            child.awaitLine("grandchild (\\d+)", LIMIT).group(1)))
                    .orElseThrow();
            child.killNow();
            assertThat(child.running()).isFalse();
            assertThat(grandchild.isAlive()).isTrue();
        }
        await().until(() -> !grandchild.isAlive() || state(grandchild.pid()).startsWith("Z"));
    }

    @Test
    void aStoppedChildIsKilledTooAndEveryLineIsFoundOnce() throws Exception {
        ChildProcess child = tick();
        try (child) {
            child.awaitLine("tick 0", LIMIT);
            child.awaitLine("tick 2$", LIMIT);
            assertThatThrownBy(() -> child.awaitLine("tick 1$", Duration.ofMillis(200)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("tick 2");
            child.signal("STOP");
        }
        assertThat(child.running()).isFalse();
    }

    @Test
    void aChildThatEndsTooSoonIsToldWithItsOutput() throws Exception {
        try (ChildProcess child = ChildProcess.start(folder, Map.of(), List.of("sh", "-c", "echo sorry; exit 3"))) {
            assertThatThrownBy(() -> child.awaitLine("ready", LIMIT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("sorry");
            assertThat(child.awaitExit(LIMIT)).isEqualTo(3);
        }
    }

    private ChildProcess tick() throws IOException {
        return ChildProcess.java(
                folder, Map.of("GREETING", "hello"), List.of("-Xmx32m"), TickingChild.class.getName(), List.of("now"));
    }

    private static String state(long pid) throws IOException {
        Process ps = new ProcessBuilder("ps", "-o", "state=", "-p", Long.toString(pid)).start();
        return new String(ps.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
    }
}
