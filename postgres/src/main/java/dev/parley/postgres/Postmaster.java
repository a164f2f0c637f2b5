package dev.parley.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One run of the postgres program, from its start to its end; a restarted PostgreSQL is another instance. */
final class Postmaster {
    static final String HOST = "127.0.0.1";

    private static final Duration RETRY_LIMIT = Duration.ofSeconds(15);
    private static final long POLL_MILLIS = 10;
    private static final long STALE_PAUSE_MILLIS = 200;
    /** The lines of postmaster.pid that hold the port and the state of the server. */
    static final int PORT_LINE = 3;

    static final int STATE_LINE = 7;

    private final Process process;
    private final long pid;
    private final int port;
    private volatile boolean stopping;

    private Postmaster(Process process, long pid, int port) {
        this.process = process;
        this.pid = pid;
        this.port = port;
    }

    long pid() {
        return pid;
    }

    int port() {
        return port;
    }

    boolean running() {
        return process.isAlive();
    }

    /** Completed when the process has ended: true if it ended without a request to stop. */
    CompletableFuture<Boolean> ended() {
        return process.onExit().thenApply(_ -> !stopping);
    }

    void stop(Duration limit) {
        stopping = true;
        if (running()) {
            Shutdown.stop(pid, limit, () -> !running());
        }
    }

    /** Starts PostgreSQL and returns when it is ready. Uses the preferred port unless that port is 0 or taken. */
    static Postmaster start(Installation installation, EmbeddedPostgres.Settings settings, int preferredPort) {
        long deadline = System.nanoTime() + settings.startLimit().toNanos();
        long retryDeadline = System.nanoTime() + RETRY_LIMIT.toNanos();
        int port = preferredPort;
        try {
            while (true) {
                port = port == 0 ? freePort() : port;
                switch (attempt(installation, settings, port, deadline)) {
                    case Attempt.Ready(Postmaster postmaster) -> {
                        return postmaster;
                    }
                    case Attempt.Failed failed when failed.portTaken() && System.nanoTime() < retryDeadline -> port = 0;
                    // Children of a killed server end by themselves, but not at once.
                    case Attempt.Failed failed
                    when failed.stale() && System.nanoTime() < retryDeadline -> Thread.sleep(STALE_PAUSE_MILLIS);
                    case Attempt.Failed failed ->
                        throw new PostgresUnavailable("PostgreSQL could not start on %s: %s (its log is %s)."
                                .formatted(
                                        installation.folder().path(),
                                        Reasons.of(failed.output()),
                                        installation.folder().log().file()));
                }
            }
        } catch (IOException e) {
            throw new PostgresUnavailable("PostgreSQL could not be started: %s.".formatted(Reasons.of(e)), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PostgresUnavailable("The start of PostgreSQL was interrupted.", e);
        }
    }

    private sealed interface Attempt {
        record Ready(Postmaster postmaster) implements Attempt {}

        record Failed(String output) implements Attempt {
            boolean portTaken() {
                return output.contains("could not create any TCP/IP sockets") && output.contains("in use");
            }

            boolean stale() {
                return output.contains("pre-existing shared memory block")
                        || output.contains("lock file \"postmaster.pid\"");
            }
        }
    }

    private static Attempt attempt(
            Installation installation, EmbeddedPostgres.Settings settings, int port, long deadline)
            throws IOException, InterruptedException {
        DataFolder folder = installation.folder();
        folder.log().prepare();
        long mark = folder.log().end();
        Process process = installation.start(command(installation, settings, port));
        boolean ready = false;
        try {
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                OptionalLong pid = readyPid(folder.cluster().resolve("postmaster.pid"), process);
                if (pid.isPresent()) {
                    ready = true;
                    return new Attempt.Ready(new Postmaster(process, pid.getAsLong(), port));
                }
                if (System.nanoTime() > deadline) {
                    return new Attempt.Failed("FATAL: it was not ready within %d s, its last words were: %s"
                            .formatted(
                                    settings.startLimit().toSeconds(),
                                    Reasons.of(folder.log().since(mark))));
                }
            }
            return new Attempt.Failed(folder.log().since(mark));
        } finally {
            if (!ready && process.isAlive()) {
                Shutdown.stop(process.pid(), settings.stopLimit(), () -> !process.isAlive());
            }
        }
    }

    private static List<String> command(Installation installation, EmbeddedPostgres.Settings settings, int port) {
        // The data folder comes first, because Orphans recognises a process by the beginning of its command line.
        List<String> command = new ArrayList<>(List.of(
                installation.binaries().postgres().toString(),
                "-D",
                installation.folder().cluster().toString(),
                "-p",
                Integer.toString(port)));
        for (Map.Entry<String, String> parameter : settings.allParameters().entrySet()) {
            command.addAll(List.of("-c", parameter.getKey() + "=" + parameter.getValue()));
        }
        List<String> all = ownSession();
        all.addAll(installation.identity().command(command));
        return all;
    }

    /**
     * The command prefix that gives PostgreSQL a session of its own. The session keeps Ctrl-C and signals to our
     * process group away from PostgreSQL.
     */
    private static List<String> ownSession() {
        List<String> prefix = new ArrayList<>();
        ShortCommand.find("setsid")
                .ifPresentOrElse(
                        setsid -> prefix.add(setsid.toString()),
                        () -> ShortCommand.find("perl")
                                .ifPresent(perl -> prefix.addAll(
                                        List.of(perl.toString(), "-e", "use POSIX; POSIX::setsid(); exec @ARGV"))));
        return prefix;
    }

    /** The server's process id; empty until the lock file reports that the server accepts connections. */
    private static OptionalLong readyPid(Path lockFile, Process process) {
        List<String> lines;
        try {
            lines = Files.readAllLines(lockFile);
        } catch (IOException e) {
            // The file is not written yet, or is being replaced.
            return OptionalLong.empty();
        }
        if (lines.size() <= STATE_LINE || !lines.get(STATE_LINE).strip().equals("ready")) {
            return OptionalLong.empty();
        }
        long pid = Long.parseLong(lines.getFirst().strip());
        // runuser stays alive as the parent of the server; all other prefixes replace themselves by the server.
        boolean ours = pid == process.pid() || process.descendants().anyMatch(child -> child.pid() == pid);
        return ours ? OptionalLong.of(pid) : OptionalLong.empty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        }
    }
}
