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

    /** The next part was asked for. */
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
            throw new IOException("The form was read on; this part is gone.");
        }
        return length == 0 ? 0 : reader.content(into, offset, length);
    }
}
