package dev.parley.http;

/** The edge's part of a stream's end: removes and logs the stream, and lets its connection wait for another request. */
record StreamEnd(ConnectionGuard guard, String method, String path, String requestId, long began) {
    void accept(SseConnection stream) {
        guard.answered();
        guard.watch().remove(stream);
        AccessLog.streamClosed(method, path, System.nanoTime() - began, stream.sent(), requestId);
    }

    void watch(Farewells farewell) {
        guard.watch().add(farewell);
    }
}
