package dev.parley.http;

/** What the edge does when a stream is over: forgets it, logs it, and lets its connection wait for another request. */
record StreamEnd(ConnectionGuard guard, String method, String path, String requestId, long began) {
    void accept(SseConnection stream) {
        guard.answered();
        guard.watch().remove(stream);
        AccessLog.streamClosed(method, path, System.nanoTime() - began, stream.sent(), requestId);
    }

    void lastWords(Farewells words) {
        guard.watch().add(words);
    }
}
