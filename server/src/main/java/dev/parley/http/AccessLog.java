package dev.parley.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one line per request, and two per stream. Paths are logged without their query, which may hold secrets. */
final class AccessLog {
    private static final Logger LOG = LoggerFactory.getLogger("dev.parley.access");

    private AccessLog() {}

    static void answered(String method, String path, int status, long nanos, long bytes, String requestId) {
        line("", method, path, status, nanos, bytes, requestId);
    }

    static void streamOpened(String method, String path, long nanos, String requestId) {
        line("open ", method, path, 200, nanos, 0, requestId);
    }

    static void streamClosed(String method, String path, long nanos, long bytes, String requestId) {
        line("close ", method, path, 200, nanos, bytes, requestId);
    }

    private static void line(
            String event, String method, String path, int status, long nanos, long bytes, String requestId) {
        if (LOG.isInfoEnabled()) {
            LOG.info(event + method + ' ' + path + ' ' + status + ' ' + nanos / 1_000 + "us " + bytes + "B "
                    + requestId);
        }
    }
}
