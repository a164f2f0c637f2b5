package dev.parley.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.function.Function;

/** Writes whole answers, on the event loop, with the headers that every answer carries. */
final class ResponseWriter {
    static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");
    private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

    private ResponseWriter() {}

    /**
     * Writes an answer, and returns the answer that was written. Headers that cannot be sent are a bug of the server,
     * so a 500 is written in place of their answer.
     */
    static Rendered write(
            HttpServerRequest request,
            BrowserRules browsers,
            Rendered rendered,
            String requestId,
            boolean closeAfter,
            Function<RuntimeException, Answer> bug) {
        HttpServerResponse response = request.response();
        Rendered written = rendered;
        try {
            putHeaders(request, browsers, rendered, requestId);
        } catch (IllegalArgumentException e) {
            response.headers().clear();
            written = Rendered.of(bug.apply(e));
            putHeaders(request, browsers, written, requestId);
        }
        Buffer body = BufferInternal.buffer(Unpooled.wrappedBuffer(written.bytes()));
        if (closeAfter) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        response.end(body);
        return written;
    }

    static void putCommonHeaders(HttpServerRequest request, BrowserRules browsers, String requestId) {
        HttpServerResponse response = request.response();
        response.putHeader(REQUEST_ID, requestId);
        response.putHeader(CONTENT_TYPE_OPTIONS, NOSNIFF);
        response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
        browsers.putHeaders(request, response);
    }

    static void putHeaders(HttpServerRequest request, BrowserRules browsers, Rendered rendered, String requestId) {
        HttpServerResponse response = request.response();
        response.setStatusCode(rendered.status());
        putCommonHeaders(request, browsers, requestId);
        if (!rendered.contentType().isEmpty()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, rendered.contentType());
        }
        // The answer's own headers come last, because they may replace the common headers.
        rendered.headers().forEach(response::putHeader);
    }
}
