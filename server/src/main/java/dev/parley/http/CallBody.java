package dev.parley.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A request's body as its handler may have it: collected, or, on an upload route, as a stream that is read once. */
final class CallBody {
    private static final byte[] NO_BYTES = new byte[0];

    private final JsonWork work;
    private final @Nullable InputStream upload;
    private byte[] collected;

    private CallBody(byte[] collected, @Nullable InputStream upload, JsonWork work) {
        this.collected = collected;
        this.upload = upload;
        this.work = work;
    }

    /**
     * Waits for a body that is collected; called once the caller is admitted.
     *
     * @param room where a large one finds its place
     */
    static CallBody of(Route<?> route, @Nullable IncomingBody incoming, Place place, BodyPlace room, JsonWork work)
            throws InterruptedException {
        if (route.uploads()) {
            InputStream stream =
                    incoming instanceof UploadBody upload ? upload.open(place) : InputStream.nullInputStream();
            return new CallBody(NO_BYTES, stream, work);
        }
        byte[] bytes = route.takesBody() && incoming instanceof RequestBody body ? body.take(room) : NO_BYTES;
        return new CallBody(bytes, null, work);
    }

    byte[] bytes() {
        if (upload != null) {
            throw new IllegalStateException("The body of an upload route is read by stream().");
        }
        return collected;
    }

    <T> T json(String contentType, Class<T> type) {
        return work.read(bytes(), contentType, type);
    }

    InputStream stream() {
        return upload == null ? new ByteArrayInputStream(collected) : upload;
    }

    /** The handler is done. What it leaves behind, such as a stream's source, may keep its call for long. */
    void letGo() {
        collected = NO_BYTES;
    }
}
