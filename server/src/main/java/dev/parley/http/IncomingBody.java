package dev.parley.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** The arriving body of a request, as the event loop sees it. */
sealed interface IncomingBody permits RequestBody, UploadBody {
    /**
     * Begins to receive a body.
     *
     * @param taker the route that takes the body; null if the body is unwanted
     * @param whenCollected the task to run on the loop when the whole body has arrived; unused for an upload or an
     *     unwanted body
     */
    static IncomingBody receive(
            HttpServerRequest request, ConnectionGuard guard, @Nullable Route<?> taker, Runnable whenCollected) {
        long declared = declaredLength(request);
        if (taker != null && taker.uploads()) {
            UploadBody upload = new UploadBody(request, guard, taker.bodyLimit(), declared);
            upload.start();
            return upload;
        }
        BodyLimit limit = taker == null ? BodyLimit.NO_BODY : taker.bodyLimit();
        RequestBody collected = new RequestBody(request, guard, limit, declared);
        collected.start(taker == null ? () -> {} : whenCollected);
        return collected;
    }

    /** The announced length of the body; 0 without a body, -1 for a chunked body. */
    static long declaredLength(HttpServerRequest request) {
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            return -1;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? 0 : Long.parseLong(length.trim());
    }

    boolean ended();

    /** True if the client may never send the body because it waits for {@code 100 Continue} (RFC 9110, 10.1.1). */
    boolean mayNeverCome();

    /** Drops the body: later bytes are counted and dropped, and too many of them close the connection. */
    void drop(long atMost);
}
