package dev.parley.bench.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limit of files and sockets that a process may have open. */
public final class OpenFiles {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files\\s+(\\d+)");
    /** The files that a server or the load generator has open besides its streams. */
    private static final int OTHERS = 500;

    private OpenFiles() {}

    /**
     * Refuses a number of sockets that would fail in the middle of a run. A JVM has already raised its own limit as far
     * as it may.
     */
    public static void requireRoomFor(int sockets) {
        try {
            Matcher limit = LIMIT.matcher(Files.isReadable(LIMITS) ? Files.readString(LIMITS) : "");
            if (limit.find() && Long.parseLong(limit.group(1)) < sockets + OTHERS) {
                throw new UsageException(
                        "%d streams need %d open files, but a process may have %s here: raise the hard limit (ulimit -Hn %d), or ask for fewer."
                                .formatted(sockets, sockets + OTHERS, limit.group(1), sockets + OTHERS));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
