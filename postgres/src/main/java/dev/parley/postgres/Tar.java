package dev.parley.postgres;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Unpacks the plain tar archives of the PostgreSQL binaries: files, folders and symbolic links, in the ustar layout
 * with GNU long names. Any other kind of entry is refused rather than skipped.
 */
final class Tar {
    private static final int BLOCK = 512;
    private static final int NAME_LIMIT = 4096;

    private final InputStream in;
    private final Path target;
    private final byte[] buffer = new byte[64 * 1024];

    private Tar(InputStream in, Path target) {
        this.in = in;
        this.target = target;
    }

    static void unpack(InputStream in, Path target) throws IOException {
        new Tar(in, target).unpackAll();
    }

    private void unpackAll() throws IOException {
        byte[] header = new byte[BLOCK];
        String longName = "";
        while (readBlock(header) && header[0] != 0) {
            String name = longName.isEmpty() ? name(header) : longName;
            longName = "";
            long size = octal(header, 124, 12);
            switch ((char) header[156]) {
                case '0', '\0' -> writeFile(inside(name), size, (int) octal(header, 100, 8));
                case '5' -> Files.createDirectories(inside(name));
                case '2' -> link(inside(name), text(header, 157, 100));
                case 'L' -> longName = readName(size);
                default -> throw new IOException("unknown kind of entry in the archive: " + name);
            }
        }
    }

    private void writeFile(Path file, long size, int mode) throws IOException {
        createParent(file);
        long left = size;
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            while (left > 0) {
                int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (count < 0) {
                    throw new EOFException("the archive ends in the middle of " + file.getFileName());
                }
                writeFully(out, ByteBuffer.wrap(buffer, 0, count));
                left -= count;
            }
        }
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        Files.setPosixFilePermissions(file, permissions((mode & 0111) != 0));
    }

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private void link(Path link, String to) throws IOException {
        createParent(link);
        inside(target.relativize(link.resolveSibling(to).normalize()).toString());
        Files.createSymbolicLink(link, Path.of(to));
    }

    private String readName(long size) throws IOException {
        if (size > NAME_LIMIT) {
            throw new IOException("a name in the archive is too long");
        }
        byte[] name = in.readNBytes((int) size);
        in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
        return text(name, 0, name.length);
    }

    private Path inside(String name) throws IOException {
        Path path = target.resolve(name).normalize();
        if (!path.startsWith(target)) {
            throw new IOException("the archive reaches outside of its folder: " + name);
        }
        return path;
    }

    private boolean readBlock(byte[] block) throws IOException {
        int count = in.readNBytes(block, 0, BLOCK);
        if (count != 0 && count != BLOCK) {
            throw new EOFException("the archive ends in the middle of a header");
        }
        return count == BLOCK;
    }

    private static void createParent(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
    }

    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        // Only the POSIX flavour has a prefix field; GNU keeps times there.
        boolean posix = header[262] == 0;
        String prefix = posix ? text(header, 345, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = from;
        while (end < from + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, end - from, StandardCharsets.UTF_8);
    }

    private static long octal(byte[] bytes, int from, int length) {
        String digits = text(bytes, from, length).strip();
        return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
    }

    private static Set<PosixFilePermission> permissions(boolean executable) {
        return PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--");
    }
}
