package dev.parley.bench.prove.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A separate file system that is small enough to be filled. It is a file with ext4 inside, or memory if ext4 cannot be
 * mounted. Both need the rights of root.
 */
record SmallDisk(Path folder) implements AutoCloseable {
    private static final int MEGABYTES_OF_DISK = 4_096;
    /** The size of the file system in memory. A full file system takes all of this memory. */
    private static final int MEGABYTES_OF_MEMORY = 768;

    private static final String BALLAST = "ballast";
    /** The space that a full file system keeps for its own metadata. */
    private static final long REST_BYTES = 64 * 1024;

    /** Mounts a disk; empty if this machine does not allow it. The space is taken only as it is used. */
    static Optional<SmallDisk> mount(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path image = folder.resolveSibling(folder.getFileName() + ".image");
        boolean mounted = succeeds("truncate", "-s", MEGABYTES_OF_DISK + "M", image.toString())
                && succeeds("mkfs.ext4", "-q", "-F", "-m", "0", image.toString())
                && succeeds("mount", "-o", "loop", image.toString(), folder.toString());
        if (!mounted) {
            Files.deleteIfExists(image);
            mounted = succeeds(
                    "mount", "-t", "tmpfs", "-o", "size=" + MEGABYTES_OF_MEMORY + "m", "tmpfs", folder.toString());
        }
        return mounted ? Optional.of(new SmallDisk(folder)) : Optional.empty();
    }

    /** Takes all the space that is left. */
    void fill() throws IOException, InterruptedException {
        long left = Files.getFileStore(folder).getUsableSpace() - REST_BYTES;
        if (left > 0
                && !succeeds("fallocate", "-l", Long.toString(left), ballast().toString())) {
            throw new IOException("The disk under " + folder + " could not be filled");
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve(BALLAST);
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            // Reading the output to its end keeps the child from blocking.
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            return process.waitFor() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        free();
        try {
            if (!succeeds("umount", folder.toString()) && !succeeds("umount", "-l", folder.toString())) {
                throw new IOException(folder + " could not be unmounted");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
