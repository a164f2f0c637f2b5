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
 * A program that runs for the server, in a process group of its own where the machine has setsid, so that what it starts
 * ends along with it. It sees the environment that it is given, PATH and HOME, and nothing else of the server's.
 */
final class ToolProgram {
    private static final Logger LOG = LoggerFactory.getLogger(ToolProgram.class);
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_LINE = 500;
    private static final int MAX_LINES = 1_000;
    private static final List<String> INHERITED = List.of("PATH", "HOME");

    private final String name;
    private final Process process;
    private final boolean leads;
    private final Duration grace;

    private ToolProgram(String name, Process process, boolean leads, Duration grace) {
        this.name = name;
        this.process = process;
        this.leads = leads;
        this.grace = grace;
    }

    /** @param grace how long it may take to end after the end of its input, and again after each signal */
    static ToolProgram start(
            String name,
            List<String> command,
            Map<String, String> environment,
            @Nullable Path directory,
            Duration grace)
            throws IOException {
        Optional<String> setsid = program("setsid");
        List<String> words = new ArrayList<>(command);
        setsid.ifPresent(leader -> words.addFirst(leader));
        ProcessBuilder builder = new ProcessBuilder(words);
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

    /** Its streams may stay open beyond its end, where something that it started holds them. */
    void whenOver(Runnable action) {
        process.onExit().thenRunAsync(action, Thread::startVirtualThread);
    }

    /** Keeps reading to the end, since a full pipe would stop the program; says the beginning only. */
    private void logErrors() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            int said = 0;
            for (int character = lines.read(); character >= 0; character = lines.read()) {
                if (character != '\n') {
                    if (line.length() < MAX_LINE && !Character.isISOControl(character)) {
                        line.append((char) character);
                    }
                } else {
                    if (said++ < MAX_LINES) {
                        LOG.debug("{} says: {}", name, line);
                    }
                    line.setLength(0);
                }
            }
        } catch (IOException gone) {
            LOG.debug("{} says nothing more", name);
        }
    }

    /** Ends it and all that it started: first by the end of its input, as the protocol has it, then by force. */
    void end() {
        // Looked up before it goes: afterwards nobody knows whose they were.
        List<ProcessHandle> started = process.descendants().toList();
        closeAside(process.getOutputStream());
        boolean ended = awaitEnd();
        // Signals go to the handle: the process itself would close its input before it returns.
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
        closeAside(process.getInputStream());
        closeAside(process.getErrorStream());
        LOG.debug("{} has ended{}", name, ended ? "" : " by force");
    }

    /** Whoever writes to a program that does not read, or reads what is silent, holds the stream: closing it may wait. */
    private void closeAside(Closeable stream) {
        Thread.ofPlatform().daemon().name("tools-" + name + "-closer").start(() -> {
            try {
                stream.close();
            } catch (IOException gone) {
                LOG.debug("{} was gone already", name);
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

    /** Java knows processes, not their groups. */
    private void signal(String signal) {
        if (!leads) {
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -s \"$0\" -- \"-$1\"", signal, Long.toString(process.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(SIGNAL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (IOException impossible) {
            LOG.warn("The processes of {} could not be signalled", name, impossible);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
