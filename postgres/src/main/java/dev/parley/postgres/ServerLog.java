package dev.parley.postgres;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file that receives the output of initdb and postgres. If the file has grown past its limit, the next start keeps
 * it as the one older file and creates a new file.
 */
record ServerLog(Path file) {
    private static final long SIZE_LIMIT = 10 * 1024 * 1024;
    private static final long READ_LIMIT = 64 * 1024;

    /**
     * Moves a large log away before a start. Never call this method while PostgreSQL runs, because PostgreSQL would
     * continue to write to the moved file.
     */
    void prepare() throws IOException {
        if (Files.exists(file) && Files.size(file) > SIZE_LIMIT) {
            Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(file)) {
            // The log contains failed SQL statements, so only the owner may read the file.
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }

    long end() throws IOException {
        return Files.size(file);
    }

    /** The output after the first {@code mark} bytes, cut to its last part if it is long. */
    String since(long mark) throws IOException {
        try (RandomAccessFile reader = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(mark, reader.length() - READ_LIMIT);
            byte[] bytes = new byte[(int) Math.max(0, reader.length() - from)];
            reader.seek(from);
            reader.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
