package dev.parley.release;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes files as a tar archive (ustar), all with one time and owned by root, so that the same files give the same
 * bytes.
 */
final class TarFile {
    private static final int BLOCK = 512;
    private static final int NAME = 100;
    private static final int PREFIX = 155;

    private final OutputStream out;
    private final Instant time;

    TarFile(OutputStream out, Instant time) {
        this.out = out;
        this.time = time;
    }

    void add(String path, boolean executable, byte[] content) throws IOException {
        byte[] header = new byte[BLOCK];
        int cut = nameStart(path);
        text(header, 0, path.substring(cut));
        octal(header, 100, 8, executable ? 0755 : 0644);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, content.length);
        octal(header, 136, 12, time.getEpochSecond());
        header[156] = '0';
        text(header, 257, "ustar");
        text(header, 263, "00");
        text(header, 265, "root");
        text(header, 297, "root");
        text(header, 345, cut == 0 ? "" : path.substring(0, cut - 1));
        checksum(header);
        out.write(header);
        out.write(content);
        out.write(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    /** Writes the two empty blocks at the end; the caller closes the stream that it opened. */
    void finish() throws IOException {
        out.write(new byte[2 * BLOCK]);
    }

    /** The index at which the name begins; the part before it becomes the prefix, without the slash between. */
    private static int nameStart(String path) {
        if (!path.chars().allMatch(letter -> letter > 0x20 && letter < 0x7f)) {
            throw new IllegalArgumentException("The name " + path + " has characters that not every tar knows.");
        }
        int cut = path.length() <= NAME ? 0 : path.indexOf('/', path.length() - NAME - 1) + 1;
        if (path.length() - cut > NAME || cut - 1 > PREFIX || path.length() > NAME && cut == 0) {
            throw new IllegalArgumentException("The name " + path + " is too long for a tar archive.");
        }
        return cut;
    }

    private static void text(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static void octal(byte[] header, int at, int length, long number) {
        String digits = Long.toOctalString(number);
        text(header, at, "0".repeat(length - 1 - digits.length()) + digits);
    }

    /** Writes the sum of all header bytes. The sum counts the bytes of the checksum field itself as blanks. */
    private static void checksum(byte[] header) {
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        octal(header, 148, 7, sum);
        header[154] = 0;
    }
}
