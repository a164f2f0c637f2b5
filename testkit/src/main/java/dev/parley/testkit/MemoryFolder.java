package dev.parley.testkit;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A folder in memory for what need not outlive its JVM, since writing that to a disk is most of what it costs. Its name
 * follows from a folder on disk and the user, so that the next JVM finds what a killed one left.
 */
record MemoryFolder(Path path) {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** What the JVMs of a build may come to, with several servers of many connections each. */
    private static final long ROOM = 3L << 30;

    /** The one that stands for a folder on disk; none where memory is no file system or has too little room. */
    static Optional<MemoryFolder> standingFor(Path onDisk) {
        return standingFor(onDisk, MEMORY, ROOM);
    }

    static Optional<MemoryFolder> standingFor(Path onDisk, Path memory, long room) {
        try {
            if (!Files.isWritable(memory) || Files.getFileStore(memory).getUsableSpace() < room) {
                return Optional.empty();
            }
            String owner = System.getProperty("user.name") + ":" + onDisk.toAbsolutePath();
            Path path = memory.resolve("parley-test-" + UUID.nameUUIDFromBytes(owner.getBytes(StandardCharsets.UTF_8)));
            return made(path) ? Optional.of(new MemoryFolder(path)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is there and ours: everybody may write beside it, so somebody else may have made it. */
    private static boolean made(Path path) throws IOException {
        try {
            // PostgreSQL may run as another user, who must be able to pass.
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
            return true;
        } catch (FileAlreadyExistsException e) {
            Number owner = (Number) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && owner.longValue() == new UnixSystem().getUid();
        }
    }

    /** Deletes a folder in it, and itself when that was the last. */
    void delete(Path part) {
        try {
            List<Path> all;
            try (Stream<Path> found = Files.walk(part)) {
                all = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.deleteIfExists(each);
            }
            Files.deleteIfExists(path);
        } catch (DirectoryNotEmptyException e) {
            // Another JVM uses it, and will be the last.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
