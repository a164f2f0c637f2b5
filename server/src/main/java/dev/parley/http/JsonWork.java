package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Reads bodies as JSON. Large bodies are read on a few separate threads, because parsing keeps a processor busy, and
 * the virtual threads of all requests share few processors.
 */
final class JsonWork implements AutoCloseable {
    /** A body of up to this many bytes is read on the request's own thread. */
    static final int LARGE = 256 * 1024;

    private static final int THREADS = 2;

    private final ExecutorService threads = Executors.newFixedThreadPool(
            THREADS, Thread.ofPlatform().name("parley-json-", 0).daemon().factory());

    <T> T read(byte[] body, String contentType, Class<T> type) {
        if (body.length <= LARGE) {
            return JsonBody.read(body, contentType, type);
        }
        Future<T> read = threads.submit(() -> JsonBody.read(body, contentType, type));
        try {
            return read.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            // Only a stop interrupts a request.
            read.cancel(true);
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
