package dev.parley.sdk;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
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
import tools.jackson.databind.JsonNode;

/** Sends requests, retries repeatable ones, and turns answers into records or problems. */
final class Transport implements AutoCloseable {
    private static final long MAX_ANSWER_BYTES = 64L * 1024 * 1024;
    private static final int NOT_FOUND = 404;
    private static final Duration LAST_CALL = Duration.ofSeconds(5);

    private final ClientSettings settings;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http;
    private final Set<FrameStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Transport(ClientSettings settings) {
        this.settings = settings;
        // Redirects are never followed, because they would carry the token elsewhere.
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

    <T> T get(String path, Class<T> type) {
        return call(Request.get(path), type);
    }

    /** Deletes a resource. A missing resource counts as success if an earlier attempt may have deleted it. */
    void remove(String path) {
        try {
            call(Request.delete(path), JsonNode.class);
        } catch (ParleyProblem problem) {
            if (problem.status() != NOT_FOUND || !problem.outcomeUnknown()) {
                throw problem;
            }
        }
    }

    CompletableFuture<HttpResponse<StreamAnswer>> openStream(String path, Optional<String> lastEventId) {
        HttpRequest.Builder request =
                request(path).header("Accept", "text/event-stream").GET();
        lastEventId.ifPresent(id -> request.header("Last-Event-ID", id));
        return http.sendAsync(request.build(), StreamAnswer::subscriber);
    }

    void adopt(FrameStream stream) {
        streams.add(stream);
        if (closed) {
            stream.close();
        }
    }

    void forget(FrameStream stream) {
        streams.remove(stream);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(settings.at(path));
        Supplier<String> token = settings.token();
        return token == null ? request : request.header("Authorization", "Bearer " + token.get());
    }

    /** Sends a request, with retries if it is repeatable, until an answer arrives. */
    <T> T call(Request request, Class<T> type) {
        RetryPolicy policy = request.repeatable() ? settings.calls() : RetryPolicy.never();
        Duration limit = settings.answerLimit().plus(request.extraWait());
        long start = System.nanoTime();
        boolean unknown = false;
        for (int attempt = 1; ; attempt++) {
            RuntimeException failure;
            Duration atLeast = Duration.ZERO;
            try {
                HttpResponse<byte[]> answer = exchange(request, limit);
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

    /** Sends one attempt. Unlike the timeout of the request itself, the limit also covers the body. */
    private HttpResponse<byte[]> exchange(Request request, Duration limit) throws IOException {
        HttpRequest.Builder attempt = request(request.path());
        request.writeTo(attempt);
        CompletableFuture<HttpResponse<byte[]>> answer =
                http.sendAsync(attempt.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER_BYTES));
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
        streams.forEach(FrameStream::close);
        http.shutdownNow();
        try {
            http.awaitTermination(LAST_CALL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
