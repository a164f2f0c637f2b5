package dev.parley.bench.rig;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The surroundings of one measurement.
 *
 * @param folder empty at the beginning, deleted in the end
 * @param cleanup ends everything that the measurement keeps, last first
 */
public record Workbench(Machine machine, Path folder, Cleanup cleanup, PrintStream out) {
    private static final Duration FLUSH_PROBE = Duration.ofMillis(300);

    public <T extends AutoCloseable> T keep(T part) {
        return cleanup.keep(part);
    }

    /** The cost of a durable write just now. */
    public DiskProbe.Flush probeDisk() throws IOException {
        return DiskProbe.measure(folder, FLUSH_PROBE);
    }
}
