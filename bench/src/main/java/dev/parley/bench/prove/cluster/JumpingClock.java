package dev.parley.bench.prove.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time of day plus an offset in seconds from a file, which the clock reads several times a second. */
final class JumpingClock extends Clock {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Path file;
    private volatile Duration offset = Duration.ZERO;

    private JumpingClock(Path file) {
        this.file = file;
    }

    static JumpingClock by(Path file) {
        JumpingClock clock = new JumpingClock(file);
        clock.look();
        Thread.ofPlatform().daemon().name("jumping-clock").start(clock::keepLooking);
        return clock;
    }

    /** Sets the offset of every clock that reads this file. */
    static void set(Path file, Duration offset) {
        try {
            // The rename is atomic, so no reader sees half a number.
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, Long.toString(offset.toSeconds()));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void keepLooking() {
        try {
            while (true) {
                Thread.sleep(LOOK);
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        try {
            offset = Duration.ofSeconds(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException missing) {
            offset = Duration.ZERO;
        }
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(offset);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("Servers work in UTC");
    }
}
