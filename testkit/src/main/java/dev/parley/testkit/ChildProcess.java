package dev.parley.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A process that a test started, with its output. {@link #close} kills the process and every descendant seen so far,
 * including descendants that outlived the process.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration LAST_CALL = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int KEPT_LINES = 10_000;

    private final Process process;
    private final Thread reader;
    private final Set<ProcessHandle> family = ConcurrentHashMap.newKeySet();
    private final List<String> lines = new ArrayList<>();
    private int searched;

    private ChildProcess(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().name("output-of-" + process.pid()).start(this::readOutput);
    }

    /** Starts a command in a folder, with the environment of this process and the given variables. */
    public static ChildProcess start(Path folder, Map<String, String> environment, List<String> command)
            throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new ChildProcess(builder.start());
    }

    /** Starts a main class with this JVM's own Java and class path. */
    public static ChildProcess java(
            Path folder, Map<String, String> environment, List<String> flags, String mainClass, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ownJvmChoices());
        command.addAll(flags);
        command.addAll(List.of("-cp", absoluteClassPath(), mainClass));
        command.addAll(arguments);
        return start(folder, environment, command);
    }

    /** The compiler and collector flags of this JVM, which spend little CPU on a short-lived process. */
    private static List<String> ownJvmChoices() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("-XX:TieredStopAtLevel=") || argument.equals("-XX:+UseSerialGC"))
                .toList();
    }

    /** The class path with absolute entries, because the child may run in another folder. */
    private static String absoluteClassPath() {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }

    public long pid() {
        return process.pid();
    }

    public boolean running() {
        return process.isAlive();
    }

    /** Waits for a matching line after the last match. Fails with the output so far if the process ends first. */
    public MatchResult awaitLine(String regex, Duration limit) {
        Pattern pattern = Pattern.compile(regex);
        AtomicReference<Optional<MatchResult>> found = new AtomicReference<>(Optional.empty());
        try {
            Awaitility.await()
                    .atMost(limit)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(() -> {
                        // The end of the output is checked before the search. In the other order, the last lines could
                        // be missed.
                        boolean complete = !reader.isAlive();
                        found.set(nextMatch(pattern));
                        return found.get().isPresent() || complete;
                    });
        } catch (ConditionTimeoutException e) {
            // The error below includes the output.
        }
        rememberFamily();
        return found.get()
                .orElseThrow(() -> new AssertionError("No line matches " + regex + " within " + limit + " (running: "
                        + running() + "); the output:\n" + String.join("\n", output())));
    }

    private synchronized Optional<MatchResult> nextMatch(Pattern pattern) {
        while (searched < lines.size()) {
            Matcher matcher = pattern.matcher(lines.get(searched++));
            if (matcher.find()) {
                return Optional.of(matcher.toMatchResult());
            }
        }
        return Optional.empty();
    }

    /** Standard output and error output so far, as one list. Of a very long output, only the start is kept. */
    public synchronized List<String> output() {
        return List.copyOf(lines);
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            keep("[the output broke off: " + e.getMessage() + "]");
        }
    }

    private synchronized void keep(String line) {
        if (lines.size() < KEPT_LINES) {
            lines.add(line);
        }
    }

    /** Sends a signal by its name: TERM, KILL, STOP, CONT, INT. */
    public void signal(String name) throws IOException, InterruptedException {
        rememberFamily();
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .redirectErrorStream(true)
                .start();
        String complaint = new String(kill.getInputStream().readAllBytes(), UTF_8);
        if (kill.waitFor() != 0 && running()) {
            throw new IOException("The signal " + name + " could not be sent: " + complaint);
        }
    }

    /** Kills the process without warning and waits for its end. Its descendants live on until {@link #close}. */
    public void killNow() throws IOException, InterruptedException {
        signal("KILL");
        awaitExit(LAST_CALL);
    }

    /** Waits for the end of the process; returns the exit code. */
    public int awaitExit(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError(
                    "The process did not end within " + limit + "; the output:\n" + String.join("\n", output()));
        }
        return process.exitValue();
    }

    private void rememberFamily() {
        process.descendants().forEach(family::add);
    }

    @Override
    public void close() {
        rememberFamily();
        process.destroyForcibly();
        family.forEach(ProcessHandle::destroyForcibly);
        try {
            awaitExit(LAST_CALL);
            reader.join(LAST_CALL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
