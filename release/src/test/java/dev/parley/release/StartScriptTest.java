package dev.parley.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the start script of an unpacked release, with fake Javas that only report how they were called. */
class StartScriptTest {
    private static final long LIMIT_SECONDS = 30;

    @TempDir
    private Path folder;

    private Path release;
    private Path javas;
    private final Map<String, String> environment = new TreeMap<>();

    private record Outcome(int status, String out, String err, long pid) {}

    @BeforeEach
    void lay() throws IOException {
        // A space in every path shows each unquoted word.
        Path home = Files.createDirectories(folder.resolve("a folder")).toRealPath();
        release = Files.createDirectories(home.resolve("parley-1.2"));
        javas = Files.createDirectories(home.resolve("javas"));
        executable(release.resolve("bin/parley"), Files.readString(Path.of("src", "main", "script", "parley")));
        Files.createDirectories(release.resolve("scripts"));
        for (String part : List.of("scripts/common.sh", "scripts/java.sh")) {
            Files.copy(Path.of("..", part), release.resolve(part));
        }
        // Not in the order of their names.
        for (Path jar : List.of(jar("b"), jar("a"))) {
            Files.createDirectories(jar.getParent());
            Files.writeString(jar, "jar");
        }
        environment.put("PATH", "/usr/bin:/bin");
        environment.put("HOME", home.toString());
        environment.put("PARLEY_JDK_ROOTS", javas.toString());
    }

    @Test
    void helpListsEveryCommand() throws Exception {
        Outcome outcome = run("help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out())
                .contains("  serve ", "  token ", "  export ", "  import ", "  verify ")
                .contains("  rehearse ", "  ready ", "  help ", "PARLEY_REHEARSAL");
        assertThat(run("--help").out()).isEqualTo(outcome.out());
        assertThat(run().status()).isEqualTo(2);
        assertThat(run("test").err()).contains("there is no command \"test\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "token", "export", "import", "verify"})
    void theJvmReplacesTheScriptAndGetsItsArgumentsUntouched(String command) throws Exception {
        java("runtime", "25.0.3");
        environment.put("PARLEY_HEAP", "2g");
        environment.put("PARLEY_JAVA_OPTS", "-Da=1 -Db=*");

        Outcome outcome = run(command, "--data", "my data", "*");

        assertThat(outcome.out())
                .contains("pid=" + outcome.pid())
                .contains("[-Xmx2g][-Da=1][-Db=*][-cp][" + jar("a") + ":" + jar("b") + "]")
                .doesNotContain("AOT")
                .contains("[dev.parley.app.Main][" + command + "][--data][my data][*]");
    }

    @Test
    void aRuntimeWithoutACompilerWillDoButAnOlderOneWillNot() throws Exception {
        java("old", "21.0.2");

        Outcome refused = run("serve");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
                .contains("no Java 25 or newer was found")
                .contains("21.0.2 in " + javas.resolve("old"));

        java("newer", "26");
        java("runtime", "25.0.3");
        assertThat(run("serve").out()).contains("java=runtime");
    }

    @Test
    void scriptRunsThroughASymbolicLink() throws Exception {
        java("runtime", "25.0.3");
        Path link = Files.createSymbolicLink(folder.resolve("link"), release.resolve("bin/parley"));

        assertThat(start(link, "serve").out()).contains("[" + jar("a") + ":" + jar("b") + "]");
    }

    @Test
    void oneRehearsalServesEveryStart() throws Exception {
        java("runtime", "25.0.3");
        String cache = "[-XX:AOTCache=" + release.resolve("parley.aot") + "][-Xlog:aot*=off]";

        Outcome rehearsed = run("rehearse");

        assertThat(rehearsed.status()).as(rehearsed.err()).isZero();
        assertThat(rehearsed.err()).contains("rehearsing the start with Java 25.0.3");
        assertThat(run("serve").out()).contains(cache);
        assertThat(run("token").out()).contains(cache);
        assertThat(run("serve").err()).isEmpty();
        environment.put("PARLEY_REHEARSAL", "off");
        assertThat(run("serve").out()).doesNotContain("AOT");
    }

    @Test
    void rehearsalWithOtherJarsIsNotUsed() throws Exception {
        java("runtime", "25.0.3");
        run("rehearse");

        Files.writeString(jar("a"), "a jar of another release");
        assertThat(run("serve").out()).doesNotContain("AOT");
        run("rehearse");
        assertThat(run("serve").out()).contains("AOT");
        java("runtime", "25.0.4");
        assertThat(run("serve").out()).doesNotContain("AOT");
    }

    @Test
    void aRehearsalThatFailsSaysSoAndLeavesStartsAsTheyWere() throws Exception {
        java("runtime", "25.0.3");
        run("rehearse");
        environment.put("FAKE_REHEARSAL_STATUS", "1");

        Outcome failed = run("rehearse");

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).contains("the rehearsal failed").contains("parley.aot.log");
        assertThat(run("serve").status()).isZero();
        assertThat(run("serve").out()).doesNotContain("AOT");
        assertThat(run("rehearse", "--data", "x").status()).isEqualTo(2);
    }

    @Test
    void readySaysWhatTheServerSays() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        int[] status = {200};
        server.createContext("/health/ready", exchange -> {
            exchange.sendResponseHeaders(status[0], -1);
            exchange.close();
        });
        server.start();
        try {
            environment.put("PARLEY_PORT", Integer.toString(server.getAddress().getPort()));
            environment.put("PARLEY_HOST", "0.0.0.0");
            assertThat(run("ready").status()).isZero();
            status[0] = 503;
            Outcome refused = run("ready");
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err()).contains("cannot serve").contains("503");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void missingServerIsNotReady() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("PARLEY_PORT", Integer.toString(taken.getLocalPort()));
        }
        Outcome outcome = run("ready");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("no server listens");
    }

    private Path jar(String name) {
        return release.resolve("lib").resolve(name + ".jar");
    }

    /** Makes a fake Java without a compiler. A rehearsal with it writes a word to the cache file. */
    private void java(String name, String version) throws IOException {
        Path home = javas.resolve(name);
        executable(home.resolve("bin/java"), """
                #!/usr/bin/env bash
                for argument in "$@"; do
                    case $argument in
                        -XX:AOTCacheOutput=*)
                            echo learned >"${argument#*=}"
                            exit "${FAKE_REHEARSAL_STATUS:-0}"
                            ;;
                    esac
                done
                echo "pid=$$"
                echo "java=%s"
                printf '[%%s]' "$@"
                """.formatted(name));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        return start(release.resolve("bin/parley"), arguments);
    }

    private Outcome start(Path script, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(
                        Stream.concat(Stream.of("bash", script.toString()), Stream.of(arguments))
                                .toList())
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err), process.pid());
        } finally {
            process.destroyForcibly();
        }
    }

    private static void executable(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        assertThat(List.of(file)).allMatch(each -> each.toFile().setExecutable(true));
    }
}
