package dev.parley.bench.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Samples the resident memory of a process. A system without {@code /proc} gives no samples. */
final class MemoryWatch implements AutoCloseable {
    private static final long EVERY_MILLIS = 100;
    private static final int QUARTERS = 4;
    private static final long KILOBYTE = 1024;

    private final Path status;
    private final List<Long> samples = new ArrayList<>();
    private final Thread watcher;

    MemoryWatch(long pid) {
        this.status = Path.of("/proc", Long.toString(pid), "status");
        this.watcher = Thread.ofVirtual().name("memory-of-" + pid).start(this::watch);
    }

    private void watch() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                sample();
                Thread.sleep(EVERY_MILLIS);
            }
        } catch (IOException ended) {
            // The process is over, or the system has no such file.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample() throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * KILOBYTE)
                    .findFirst()
                    .ifPresent(this::add);
        }
    }

    private synchronized void add(long bytes) {
        samples.add(bytes);
    }

    /** The maximum of resident memory in each quarter of the process's time, in bytes; empty without samples. */
    synchronized List<Long> quarters() {
        List<Long> quarters = new ArrayList<>();
        for (int i = 0; samples.size() >= QUARTERS && i < QUARTERS; i++) {
            quarters.add(samples.subList(i * samples.size() / QUARTERS, (i + 1) * samples.size() / QUARTERS).stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0));
        }
        return quarters;
    }

    @Override
    public void close() {
        watcher.interrupt();
    }
}
