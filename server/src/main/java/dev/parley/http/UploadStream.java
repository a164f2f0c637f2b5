package dev.parley.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** An upload's bytes as its handler reads them. */
final class UploadStream extends InputStream {
    private final UploadBody body;

    UploadStream(UploadBody body) {
        this.body = body;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return body.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        return length == 0 ? 0 : body.read(into, offset, length);
    }
}
