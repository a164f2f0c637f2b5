package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;

/** Sends requests, repeats those that may be repeated, and turns answers into records or problems. */
final class Transport implements AutoCloseable {
    private static final long MAX_ANSWER_BYTES = 64L * 1024 * 1024;
    private static final Duration LAST_CALL = Duration.ofSeconds(5);

    private final ClientSettings settings;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Transport(ClientSettings settings) {
        this.settings = settings;
        // Redirects are never followed: they would carry the token elsewhere.
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(settings.connectLimit())
                .executor(threads)
                .build();
    }

    ClientSettings settings() {
        return settings;
    }

    <T> T get(String path, Duration extraWait, Class<T> type) {
        return call(() -> request(path).GET(), extraWait, settings.calls(), type);
    }

    /** For what is written at most once per key: safe to send again. */
    <T> T postKeyed(String path, Object body, Class<T> type) {
        return post(path, body, settings.calls(), type);
    }

    /** For what would happen twice if it were sent twice. */
    <T> T postOnce(String path, Object body, Class<T> type) {
        return post(path, body, RetryPolicy.never(), type);
    }

    private <T> T post(String path, Object body, RetryPolicy policy, Class<T> type) {
        byte[] json = Json.MAPPER.writeValueAsBytes(body);
        return call(
                () -> request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json)),
                Duration.ZERO,
                policy,
                type);
    }

    CompletableFuture<HttpResponse<StreamAnswer>> openStream(ThreadId thread, Cursor cursor) {
        HttpRequest request = request("/api/v1/chat/threads/" + thread + "/events/stream")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", cursor.toString())
                .GET()
                .build();
        return http.sendAsync(request, StreamAnswer::subscriber);
    }

    void adopt(EventStream stream) {
        streams.add(stream);
        if (closed) {
            stream.close();
        }
    }

    void forget(EventStream stream) {
        streams.remove(stream);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.at(path));
        Supplier<String> token = settings.token();
        return token == null ? request : request.header("Authorization", "Bearer " + token.get());
    }

    private <T> T call(Supplier<HttpRequest.Builder> request, Duration extraWait, RetryPolicy policy, Class<T> type) {
        Duration limit = settings.answerLimit().plus(extraWait);
        long start = System.nanoTime();
        boolean unknown = false;
        for (int attempt = 1; ; attempt++) {
            RuntimeException failure;
            Duration atLeast = Duration.ZERO;
            try {
                HttpResponse<byte[]> answer = exchange(request.get().build(), limit);
                int status = answer.statusCode();
                if (status >= 200 && status < 300) {
                    return Json.MAPPER.readValue(answer.body(), type);
                }
                unknown |= status >= 500;
                ParleyProblem problem = ParleyProblem.read(status, answer.headers(), answer.body(), unknown);
                if (!problem.retryable()) {
                    throw problem;
                }
                atLeast = problem.retryAfter().orElse(Duration.ZERO);
                failure = problem;
            } catch (IOException | JacksonException e) {
                unknown |= !neverLeft(e);
                failure = new ParleyUnreachable(
                        "No usable answer from " + settings.base() + " (attempt " + attempt + "): " + e, e, unknown);
                if (closed || Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            Optional<Duration> pause = policy.pauseAfter(attempt, elapsed, atLeast, ThreadLocalRandom.current());
            if (pause.isEmpty()) {
                throw failure;
            }
            sleep(pause.get(), unknown);
        }
    }

    private static boolean neverLeft(Exception e) {
        return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
    }

    /** One attempt. The limit covers the body as well, which the request's own time-out would not. */
    private HttpResponse<byte[]> exchange(HttpRequest request, Duration limit) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new HttpTimeoutException("no whole answer within " + limit);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
    }

    private static void sleep(Duration pause, boolean unknown) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ParleyUnreachable("Interrupted before the next attempt", e, unknown);
        }
    }

    @Override
    public void close() {
        closed = true;
        streams.forEach(EventStream::close);
        http.shutdownNow();
        try {
            http.awaitTermination(LAST_CALL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
