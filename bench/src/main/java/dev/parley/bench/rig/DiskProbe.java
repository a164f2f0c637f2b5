package dev.parley.bench.rig;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Measures the cost of a durable write on a disk. The probe writes a WAL page and flushes it with fdatasync, again and
 * again.
 */
public final class DiskProbe {
    private static final int PAGE = 8 * 1024;
    private static final int PAGES = 512;

    private DiskProbe() {}

    /** Times of one flush, in microseconds. */
    public record Flush(long p50Micros, long p99Micros) {}

    public static Flush measure(Path folder, Duration length) throws IOException {
        Path file = Files.createTempFile(folder, "flush", ".probe");
        Histogram micros = new Histogram(3);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            // The file has its full size before the measurement, like a WAL file. Therefore a flush moves no metadata.
            channel.write(ByteBuffer.allocate(PAGE * PAGES), 0);
            channel.force(true);
            long start = System.nanoTime();
            for (int page = 0; page == 0 || System.nanoTime() - start < length.toNanos(); page++) {
                long before = System.nanoTime();
                channel.write(ByteBuffer.allocate(PAGE), (long) PAGE * (page % PAGES));
                channel.force(false);
                micros.recordValue((System.nanoTime() - before) / 1_000);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return new Flush(micros.getValueAtPercentile(50), micros.getValueAtPercentile(99));
    }
}
