package dev.parley.attachments.images;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds other file formats inside a whole image. A file of some formats need not begin with the format's signature: a
 * ZIP is read from its end, a PDF may begin late, and a tar has its signature in the middle of its first header.
 */
final class Polyglots {
    private static final byte[] ZIP_END = {'P', 'K', 5, 6};
    private static final int ZIP_END_LENGTH = 22;
    private static final int ZIP_COMMENT = 0xffff;
    private static final byte[] PDF = "%PDF-".getBytes(StandardCharsets.US_ASCII);
    private static final int PDF_REACH = 1024;
    private static final byte[] TAR = "ustar".getBytes(StandardCharsets.US_ASCII);
    private static final int TAR_OFFSET = 257;

    private Polyglots() {}

    static Optional<String> find(FileBytes in) throws IOException {
        byte[] head = in.slice(0, PDF_REACH + PDF.length);
        for (int at = 0; at < head.length; at++) {
            if (standsAt(head, at, PDF)) {
                return Optional.of("a PDF document");
            }
        }
        if (standsAt(head, TAR_OFFSET, TAR)) {
            return Optional.of("a tar archive");
        }
        return zip(in) ? Optional.of("a ZIP archive") : Optional.empty();
    }

    private static boolean zip(FileBytes in) throws IOException {
        int reach = ZIP_END_LENGTH + ZIP_COMMENT;
        long from = Math.max(0, in.length() - reach);
        byte[] tail = in.slice(from, reach);
        for (int at = tail.length - ZIP_END_LENGTH; at >= 0; at--) {
            if (standsAt(tail, at, ZIP_END) && agrees(tail, at, from + at)) {
                return true;
            }
        }
        return false;
    }

    /** Four letters may occur by chance in compressed pixels, so the record's fields must be consistent as well. */
    private static boolean agrees(byte[] tail, int at, long offset) {
        ByteBuffer end = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN);
        boolean sameDisk = end.getShort(at + 4) == end.getShort(at + 6);
        boolean sameCount = end.getShort(at + 8) == end.getShort(at + 10);
        long directory = Integer.toUnsignedLong(end.getInt(at + 12));
        return sameDisk && sameCount && (directory <= offset || directory == 0xffff_ffffL);
    }

    private static boolean standsAt(byte[] bytes, int at, byte[] wanted) {
        if (at + wanted.length > bytes.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (bytes[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }
}
