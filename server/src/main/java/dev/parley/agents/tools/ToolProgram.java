package dev.parley.agents.tools;

import dev.parley.protocol.Split;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program of a tool server. It runs in a process group of its own if the machine has setsid, so its child processes
 * end with it. Its environment contains the configured variables, and only PATH and HOME from the environment of this
 * server.
 */
final class ToolProgram {
    private static final Logger LOG = LoggerFactory.getLogger(ToolProgram.class);
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_LINE = 500;
    private static final int MAX_LINES = 1_000;
    private static final List<String> INHERITED = List.of("PATH", "HOME");

    private final String name;
    private final Process process;
    private final boolean leadsGroup;
    private final Duration grace;

    private ToolProgram(String name, Process process, boolean leadsGroup, Duration grace) {
        this.name = name;
        this.process = process;
        this.leadsGroup = leadsGroup;
        this.grace = grace;
    }

    /** @param grace longest wait for the program's end after its input is closed, and after each signal */
    static ToolProgram start(
            String name,
            List<String> command,
            Map<String, String> environment,
            @Nullable Path directory,
            Duration grace)
            throws IOException {
        Optional<String> setsid = program("setsid");
        List<String> commandLine = new ArrayList<>(command);
        setsid.ifPresent(leader -> commandLine.addFirst(leader));
        ProcessBuilder builder = new ProcessBuilder(commandLine);
        builder.environment().keySet().retainAll(INHERITED);
        builder.environment().putAll(environment);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        ToolProgram child = new ToolProgram(name, builder.start(), setsid.isPresent(), grace);
        Thread.ofPlatform().daemon().name("tools-" + name + "-stderr").start(child::logErrors);
        return child;
    }

    private static Optional<String> program(String name) {
        return Split.at(File.pathSeparatorChar, System.getenv().getOrDefault("PATH", "")).stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    InputStream output() {
        return process.getInputStream();
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    long pid() {
        return process.pid();
    }

    /**
     * Runs the action after the program's end. The program's streams may still be open then, because a child process
     * may hold them.
     */
    void onExit(Runnable action) {
        process.onExit().thenRunAsync(action, Thread::startVirtualThread);
    }

    /** Reads all error output, since a full pipe would block the program, and logs its first lines. */
    private void logErrors() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int logged = 0;
            for (int character = lines.read(); character >= 0; character = lines.read()) {
                if (character != '\n') {
                    if (line.length() < MAX_LINE && !Character.isISOControl(character)) {
                        line.append((char) character);
                    }
                } else {
                    if (logged++ < MAX_LINES) {
                        LOG.debug("Tool server {} on stderr: {}", name, line);
                    }
                    line.setLength(0);
                }
            }
        } catch (IOException gone) {
            LOG.debug("Tool server {} closed its error output", name);
        }
    }

    /** Ends the program and its child processes: first by the end of its input, as MCP demands, then by force. */
    void end() {
        // The children are looked up now, because after the end of the program they no longer count as its children.
        List<ProcessHandle> started = process.descendants().toList();
        closeInBackground(process.getOutputStream());
        boolean ended = awaitEnd();
        // The handle is used because Process.destroy would first close the program's input, which may block.
        ProcessHandle handle = process.toHandle();
        if (!ended) {
            signal("TERM");
            handle.destroy();
            ended = awaitEnd();
        }
        signal("KILL");
        Stream.concat(started.stream(), process.descendants()).forEach(ProcessHandle::destroyForcibly);
        handle.destroyForcibly();
        awaitEnd();
        closeInBackground(process.getInputStream());
        closeInBackground(process.getErrorStream());
        LOG.debug("Program of tool server {} has ended{}", name, ended ? "" : " by force");
    }

    /**
     * Closes a stream in the background. The close may have to wait, because a thread that is blocked in a write or
     * read holds the stream's lock.
     */
    private void closeInBackground(Closeable stream) {
        Thread.ofPlatform().daemon().name("tools-" + name + "-closer").start(() -> {
            try {
                stream.close();
            } catch (IOException gone) {
                LOG.debug("Stream of tool server {} was closed already", name);
            }
        });
    }

    private boolean awaitEnd() {
        boolean interrupted = false;
        long until = System.nanoTime() + grace.toNanos();
        try {
            while (true) {
                try {
                    return process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Signals the process group through a shell, because Java does not support process groups. */
    private void signal(String signal) {
        if (!leadsGroup) {
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -s \"$0\" -- \"-$1\"", signal, Long.toString(process.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(SIGNAL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException impossible) {
            LOG.warn("Could not signal the processes of tool server {}; they may go on running", name, impossible);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
