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
 * A folder in memory for data that need not outlive its JVM and is expensive to write to a disk. The name is derived
 * from a folder on disk and the user, so that the next JVM finds the leftovers of a killed JVM.
 */
record MemoryFolder(Path path) {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** The space that the JVMs of a build may need for several servers with many connections each. */
    private static final long ROOM = 3L << 30;

    /** The memory folder for a folder on disk; empty if there is no file system in memory or too little space in it. */
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
            return makeOrFindOwn(path) ? Optional.of(new MemoryFolder(path)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates the folder unless it exists; true if this user owns it. Another user may have created the folder, because
     * all users may write to its parent.
     */
    private static boolean makeOrFindOwn(Path path) throws IOException {
        try {
            // PostgreSQL may run as another user, who must be able to reach the folders below.
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x")));
            return true;
        } catch (FileAlreadyExistsException e) {
            Number owner = (Number) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && owner.longValue() == new UnixSystem().getUid();
        }
    }

    /** Deletes a part of this folder, and deletes the folder itself when no part is left. */
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
            // Another JVM uses the folder and deletes it later.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
