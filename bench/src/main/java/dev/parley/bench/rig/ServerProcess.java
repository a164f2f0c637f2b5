package dev.parley.bench.rig;

import dev.parley.testkit.ChildProcess;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A server as a process of its own, started with the flags that {@code ./parley serve} starts it with. */
public final class ServerProcess implements AutoCloseable {
    /** The JVM flags of {@code ./parley serve}. Peers that are compared with the server run with the same flags. */
    public static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:MinHeapFreeRatio=10",
            "-XX:MaxHeapFreeRatio=25",
            "-Xmx1g");

    /** A busy machine is slow to start a process. */
    private static final Duration START_LIMIT = Duration.ofSeconds(180);

    private static final Duration REHEARSAL_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);

    private final ChildProcess process;
    private final URI uri;

    private ServerProcess(ChildProcess process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /**
     * The program that is started as the server.
     *
     * @param jvmFlags the flags in addition to {@link #JVM_FLAGS}
     */
    public record Program(String mainClass, List<String> jvmFlags) {
        /** The server without further flags. */
        public static final Program PARLEY = parley();

        /** The server with further flags of the JVM. */
        public static Program parley(String... jvmFlags) {
            return new Program("dev.parley.app.Main", List.of(jvmFlags));
        }

        /**
         * The server, started with an AOT cache from a rehearsal, as {@code ./parley serve} starts it from its second
         * start on. The rehearsal writes the cache to this file. Classes outside jars, as in tests of the benchmark
         * itself, cannot be rehearsed, and the server then starts without a cache.
         */
        public static Program rehearsed(Path cache) {
            if (Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .anyMatch(entry -> Files.isDirectory(Path.of(entry)))) {
                return PARLEY;
            }
            rehearse(cache);
            return parley("-XX:AOTCache=" + cache.toAbsolutePath());
        }

        private List<String> allFlags() {
            return Stream.concat(JVM_FLAGS.stream(), jvmFlags.stream()).toList();
        }
    }

    /** Rehearses the start of a server on this class path, and writes the AOT cache to the file. */
    private static void rehearse(Path cache) {
        List<String> flags =
                Program.parley("-XX:AOTCacheOutput=" + cache.toAbsolutePath()).allFlags();
        carryOut(() -> {
            Path folder = Files.createDirectories(cache.toAbsolutePath().getParent());
            try (ChildProcess process =
                    ChildProcess.java(folder, Map.of(), flags, Program.PARLEY.mainClass(), List.of("rehearse"))) {
                int status = process.awaitExit(REHEARSAL_LIMIT);
                if (status != 0 || !Files.exists(cache)) {
                    throw new IllegalStateException("The rehearsal failed:\n" + String.join("\n", process.output()));
                }
            }
        });
    }

    /** Starts a server with its own PostgreSQL in the folder. Returns when the server listens on a free port. */
    public static ServerProcess alone(Path folder, Accounts accounts, String... flags) {
        return alone(Program.PARLEY, folder, accounts, flags);
    }

    public static ServerProcess alone(Program program, Path folder, Accounts accounts, String... flags) {
        return start(program, folder, accounts.environment(), List.of(flags));
    }

    /** Starts a server on a database that other servers may use, too. */
    public static ServerProcess on(
            DatabaseAddress database, Program program, Path data, Map<String, String> environment, List<String> flags) {
        Map<String, String> secrets = new HashMap<>(environment);
        secrets.put("PARLEY_DATABASE_PASSWORD", database.password());
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of("--database-url", database.jdbcUrl(), "--database-user", database.user()));
        return start(program, data, secrets, all);
    }

    private static ServerProcess start(
            Program program, Path data, Map<String, String> environment, List<String> flags) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
        arguments.addAll(List.of("--rate-limits", "off", "--log-level", "warn"));
        arguments.addAll(flags);
        try {
            sharePrograms(data);
            ChildProcess process =
                    ChildProcess.java(data, environment, program.allFlags(), program.mainClass(), arguments);
            try {
                String uri = process.awaitLine("Parley is listening on (\\S+)", START_LIMIT)
                        .group(1);
                return new ServerProcess(process, URI.create(uri));
            } catch (RuntimeException | Error failed) {
                process.close();
                throw failed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Links the shared PostgreSQL programs into the data folder, so that the server does not unpack them there. */
    private static void sharePrograms(Path data) throws IOException {
        Path programs = Files.createDirectories(data).resolve("programs");
        if (!Files.exists(programs)) {
            Files.createSymbolicLink(programs, Files.createDirectories(TestPostgres.programs()));
        }
    }

    public URI uri() {
        return uri;
    }

    public InetSocketAddress address() {
        return address(uri);
    }

    public static InetSocketAddress address(URI uri) {
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    public long pid() {
        return process.pid();
    }

    public boolean running() {
        return process.running();
    }

    public List<String> output() {
        return process.output();
    }

    /** Sends a signal by its name, such as STOP or CONT. */
    public void signal(String name) {
        carryOut(() -> process.signal(name));
    }

    /** Tells the server to stop, and waits for its end. */
    public void stop() {
        carryOut(() -> {
            process.signal("TERM");
            process.awaitExit(STOP_LIMIT);
        });
    }

    /** Kills the server with {@code kill -9}; its child processes live on as orphans. */
    public void kill() {
        carryOut(process::killNow);
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private static void carryOut(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the server, and ends it with all its children by force if it does not stop. */
    @Override
    public void close() {
        try (process) {
            if (process.running()) {
                stop();
            }
        }
    }
}
