package dev.parley.attachments;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Exactly {@code length} bytes of a stream. A source that ends early is an error, because a reader could not
 * distinguish the part from the whole.
 */
final class ExactStream extends InputStream {
    private final InputStream source;
    private final Runnable abandon;
    private long left;

    /**
     * @param abandon called by {@link #close} if bytes are left, before the source is closed. It serves sources whose
     *     own close would read the remaining bytes
     */
    ExactStream(InputStream source, long length, Runnable abandon) {
        this.source = source;
        this.left = length;
        this.abandon = abandon;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (left == 0) {
            return -1;
        }
        if (length == 0) {
            return 0;
        }
        int read = source.read(target, offset, (int) Math.min(length, left));
        if (read < 0) {
            throw new EOFException("The stream ends " + left + " bytes too early.");
        }
        left -= read;
        return read;
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(source.available(), left);
    }

    @Override
    public void close() throws IOException {
        if (left > 0) {
            abandon.run();
        }
        source.close();
    }
}
