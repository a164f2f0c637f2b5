package dev.parley.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** A second process that starts PostgreSQL and waits, so that tests can kill it. */
final class ChildLauncher implements AutoCloseable {
    private final Process process;

    private ChildLauncher(Process process) {
        this.process = process;
    }

    public static void main(String[] arguments) throws IOException {
        EmbeddedPostgres postgres =
                EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(Path.of(arguments[0]), Path.of(arguments[1])));
        System.out.println("started " + postgres.pid());
        while (System.in.read() >= 0) {
            // Waits for the end of the child.
        }
    }

    static ChildLauncher on(Path dataFolder, Path binariesFolder) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
        return new ChildLauncher(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        ChildLauncher.class.getName(),
                        dataFolder.toString(),
                        binariesFolder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits until PostgreSQL is started and returns its process id. */
    long awaitPostgres() {
        BufferedReader output = process.inputReader();
        return output.lines()
                .filter(line -> line.startsWith("started "))
                .map(line -> Long.parseLong(line.substring("started ".length())))
                .findFirst()
                .orElseThrow(() -> new UncheckedIOException(new IOException("the child did not start PostgreSQL")));
    }

    /** As kill -9: nothing is cleaned up. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
