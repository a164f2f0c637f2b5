package dev.parley.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Splits a stream at its boundaries (RFC 2046, 5.1.1), and looks at every byte once (Knuth, Morris, Pratt). The search
 * keeps its state when the buffer is filled again, so a boundary may begin in one filling of the buffer and end in the
 * next.
 */
final class BoundaryReader {
    private static final int BUFFER = 32 * 1024;

    private final InputStream in;
    private final byte[] mark;
    /**
     * For each length of a matched prefix, the length of the next shorter prefix that is also a suffix of the matched
     * one.
     */
    private final int[] shorter;

    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    /** The end of the searched bytes; the last {@code matched} of them are a prefix of the mark. */
    private int searched;

    private int matched;

    BoundaryReader(InputStream in, byte[] boundary) {
        this.in = in;
        mark = new byte[boundary.length + 4];
        mark[0] = '\r';
        mark[1] = '\n';
        mark[2] = '-';
        mark[3] = '-';
        System.arraycopy(boundary, 0, mark, 4, boundary.length);
        shorter = failures(mark);
        // The first boundary may be at the very beginning, without the line break before all other boundaries. These
        // two bytes stand for that line break.
        buffer[0] = '\r';
        buffer[1] = '\n';
        end = 2;
    }

    private static int[] failures(byte[] mark) {
        int[] shorter = new int[mark.length + 1];
        int matched = 0;
        for (int i = 1; i < mark.length; i++) {
            while (matched > 0 && mark[i] != mark[matched]) {
                matched = shorter[matched];
            }
            if (mark[i] == mark[matched]) {
                matched++;
            }
            shorter[i + 1] = matched;
        }
        return shorter;
    }

    /** Copies some of the bytes before the next boundary. Returns their number, or -1 at the boundary. */
    int content(byte[] into, int offset, int length) throws IOException {
        int ready = ready();
        if (ready == 0) {
            return -1;
        }
        int count = Math.min(length, ready);
        System.arraycopy(buffer, at, into, offset, count);
        at += count;
        return count;
    }

    /** Moves past the next boundary. */
    void skipContent() throws IOException {
        for (int ready = ready(); ready > 0; ready = ready()) {
            at += ready;
        }
        at = searched;
        matched = 0;
    }

    /**
     * True if the boundary just passed ends the form. The reader then also moves past the two dashes after that
     * boundary.
     */
    boolean isLastBoundary() throws IOException {
        while (end - at < 2) {
            fill();
        }
        if (buffer[at] != '-' || buffer[at + 1] != '-') {
            return false;
        }
        at += 2;
        return true;
    }

    /** The rest of the line, each byte as one character, without the line break. */
    String line(int longest) throws IOException {
        int length = 0;
        while (true) {
            if (at + length + 1 >= end) {
                fill();
            } else if (buffer[at + length] == '\r' && buffer[at + length + 1] == '\n') {
                String line = new String(buffer, at, length, StandardCharsets.ISO_8859_1);
                at += length + 2;
                searched = at;
                return line;
            } else if (length >= longest) {
                throw Multipart.malformed("The headers of a part of the form are too large.");
            } else {
                length++;
            }
        }
    }

    /** The number of bytes from here that certainly precede the boundary; 0 only at the boundary. */
    private int ready() throws IOException {
        while (true) {
            search();
            int ready = searched - matched - at;
            if (ready > 0 || matched == mark.length) {
                return ready;
            }
            fill();
        }
    }

    private void search() {
        while (searched < end && matched < mark.length) {
            byte next = buffer[searched++];
            while (matched > 0 && next != mark[matched]) {
                matched = shorter[matched];
            }
            if (next == mark[matched]) {
                matched++;
            }
        }
    }

    /** Reads more bytes after the unused bytes, which take far less than the buffer. */
    private void fill() throws IOException {
        System.arraycopy(buffer, at, buffer, 0, end - at);
        searched = Math.max(0, searched - at);
        end -= at;
        at = 0;
        int count = in.read(buffer, end, buffer.length - end);
        if (count < 0) {
            throw Multipart.malformed("The form ends before its last boundary.");
        }
        end += count;
    }
}
