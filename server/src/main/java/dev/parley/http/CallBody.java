package dev.parley.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A request's body as its handler may have it: collected, or, on an upload route, as a stream that is read once. */
record CallBody(byte[] collected, @Nullable InputStream upload) {
    private static final byte[] NO_BYTES = new byte[0];
    private static final CallBody NONE = new CallBody(NO_BYTES, null);

    /** Waits for a body that is collected; called once the caller is admitted. */
    static CallBody of(Route<?> route, @Nullable IncomingBody incoming, Place place) throws InterruptedException {
        if (route.uploads()) {
            InputStream stream =
                    incoming instanceof UploadBody upload ? upload.open(place) : InputStream.nullInputStream();
            return new CallBody(NO_BYTES, stream);
        }
        return route.takesBody() && incoming instanceof RequestBody body ? new CallBody(body.take(), null) : NONE;
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
