package dev.parley.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A request's body as its handler may have it: collected, or, on an upload route, as a stream that is read once. */
record CallBody(byte[] collected, @Nullable InputStream upload) {
    private static final byte[] NO_BYTES = new byte[0];
    static final CallBody NONE = new CallBody(NO_BYTES, null);

    static CallBody collected(byte[] bytes) {
        return new CallBody(bytes, null);
    }

    static CallBody upload(InputStream stream) {
        return new CallBody(NO_BYTES, stream);
    }

    byte[] bytes() {
        if (upload != null) {
            throw new IllegalStateException("The body of an upload route is read by stream().");
        }
        return collected;
    }

    InputStream stream() {
        return upload == null ? new ByteArrayInputStream(collected) : upload;
    }
}
