package dev.parley.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The content of one part of a form, up to its boundary. */
final class PartStream extends InputStream {
    private final BoundaryReader reader;
    private boolean left;

    PartStream(BoundaryReader reader) {
        this.reader = reader;
    }

    /** Ends this part, because the next part was requested. */
    void leave() {
        left = true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (left) {
            throw new IOException("This part cannot be read any more: the next one was requested.");
        }
        return length == 0 ? 0 : reader.content(into, offset, length);
    }
}
