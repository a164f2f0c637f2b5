package dev.parley.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The CPU time that processes have used so far, user and system together. The time comes from {@code /proc} if there is
 * one, because only {@code /proc} includes ended children.
 */
final class CpuTime {
    private static final Path PROC = Path.of("/proc");
    /** Linux reports hundredths of a second to programs, independent of the kernel's own tick. */
    private static final long MILLIS_PER_TICK = 10;

    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    private CpuTime() {}

    static Duration ofThisProcess() {
        return ofProcess(ProcessHandle.current());
    }

    static Duration ofProcess(long pid) {
        return ProcessHandle.of(pid).map(CpuTime::ofProcess).orElse(Duration.ZERO);
    }

    private static Duration ofProcess(ProcessHandle process) {
        return stat(process.pid())
                .map(fields -> ticks(fields, USER, SYSTEM))
                .or(() -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /**
     * The CPU time of a process and of its children, including ended children. A PostgreSQL is a postmaster and its
     * backends.
     */
    static Duration ofFamily(long pid) {
        Duration parent = stat(pid)
                .map(fields -> ticks(fields, USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM))
                .orElseGet(() -> ofProcess(pid));
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(CpuTime::ofProcess)
                .reduce(parent, Duration::plus);
    }

    private static Duration ticks(List<String> fields, int... which) {
        long ticks = 0;
        for (int field : which) {
            ticks += Long.parseLong(fields.get(field));
        }
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }

    /** The fields after the name of the command. The name itself may contain spaces and brackets. */
    private static Optional<List<String>> stat(long pid) {
        Path file = PROC.resolve(Long.toString(pid)).resolve("stat");
        try {
            String line = Files.readString(file);
            return Optional.of(
                    List.of(line.substring(line.lastIndexOf(')') + 1).strip().split(" ")));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
