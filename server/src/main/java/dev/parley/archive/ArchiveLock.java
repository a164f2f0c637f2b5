package dev.parley.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Locks an archive's folder for one writer, at most until the writer's process ends. */
final class ArchiveLock implements Closeable {
    static final String FILE = "export.lock";

    private final FileChannel channel;

    private ArchiveLock(FileChannel channel) {
        this.channel = channel;
    }

    static ArchiveLock take(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock(channel) == null) {
            channel.close();
            throw new ArchiveRefused("Another export writes into " + folder + " right now.");
        }
        return new ArchiveLock(channel);
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
