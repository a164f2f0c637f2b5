package dev.parley.bench.rig;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The surroundings of one measurement.
 *
 * @param folder the folder of the measurement, empty at the beginning and deleted at the end
 * @param cleanup closes all parts that the measurement keeps, the last part first
 */
public record Workbench(Machine machine, Path folder, Cleanup cleanup, PrintStream out) {
    private static final Duration FLUSH_PROBE = Duration.ofMillis(300);

    public <T extends AutoCloseable> T keep(T part) {
        return cleanup.keep(part);
    }

    /** Measures the present cost of a durable write. */
    public DiskProbe.Flush probeDisk() throws IOException {
        return DiskProbe.measure(folder, FLUSH_PROBE);
    }
}
