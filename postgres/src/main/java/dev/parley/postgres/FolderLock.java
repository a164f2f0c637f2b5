package dev.parley.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Reserves a data folder for one process, by a file lock that the operating system drops when the process ends, even if
 * the process is killed. The file contains the owner's process id, which other processes show in their error message.
 */
final class FolderLock implements AutoCloseable {
    /**
     * The lock files that this process holds. POSIX drops a lock when its process closes any handle of the file, so
     * this process must never open a second handle.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path file;
    private final FileChannel channel;

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static FolderLock take(Path file) {
        long self = ProcessHandle.current().pid();
        if (!HELD.add(file)) {
            throw inUse(file, Long.toString(self));
        }
        boolean taken = false;
        try {
            FolderLock lock = new FolderLock(file, open(file));
            try {
                taken = lock.tryLockPatiently(self);
            } finally {
                if (!taken) {
                    lock.channel.close();
                }
            }
            if (!taken) {
                throw inUse(file, Files.readString(file).strip());
            }
            return lock;
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The data folder %s cannot be locked: %s.".formatted(file.getParent(), Reasons.of(e)), e);
        } finally {
            if (!taken) {
                HELD.remove(file);
            }
        }
    }

    /** True if this process or another one holds the folder now. */
    static boolean isHeld(Path file) throws IOException {
        if (HELD.contains(file)) {
            return true;
        }
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = open(file);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    /** Tries more than once, because a process that checks the lock ({@link #isHeld}) holds the lock for a moment. */
    private boolean tryLockPatiently(long pid) throws IOException {
        long until = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        boolean taken = tryLock(pid);
        while (!taken && System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            taken = tryLock(pid);
        }
        return taken;
    }

    private boolean tryLock(long pid) throws IOException {
        if (channel.tryLock() == null) {
            return false;
        }
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((pid + "\n").getBytes(StandardCharsets.UTF_8)), 0);
        return true;
    }

    private static PostgresUnavailable inUse(Path file, String pid) {
        return new PostgresUnavailable(
                "The data folder %s is in use by another Parley (process %s); stop that one or choose another folder."
                        .formatted(file.getParent(), pid));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // No harm: the lock ends with the process at the latest.
        } finally {
            HELD.remove(file);
        }
    }
}
