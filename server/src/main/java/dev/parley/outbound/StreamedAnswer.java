package dev.parley.outbound;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An answer whose body is read as it arrives. Closing it closes the connection, unless the body was read to its end.
 */
public record StreamedAnswer(int status, HttpHeaders headers, StreamedBody body) implements AutoCloseable {
    /**
     * Sends a request and waits for the head of its answer. An interrupt during the wait leaves no connection open.
     *
     * @throws TimeoutException there was no answer within {@code silence}
     * @throws IOException the server could not be reached, or closed the connection
     */
    public static StreamedAnswer to(HttpRequest request, HttpClient client, Duration silence)
            throws IOException, TimeoutException, InterruptedException {
        CompletableFuture<HttpResponse<Flow.Publisher<List<ByteBuffer>>>> sending =
                client.sendAsync(request, HttpResponse.BodyHandlers.ofPublisher());
        boolean answered = false;
        try {
            HttpResponse<Flow.Publisher<List<ByteBuffer>>> response =
                    sending.get(silence.toMillis(), TimeUnit.MILLISECONDS);
            answered = true;
            return new StreamedAnswer(response.statusCode(), response.headers(), new StreamedBody(response.body()));
        } catch (ExecutionException broken) {
            throw new IOException(broken.getCause());
        } finally {
            if (!answered) {
                sending.cancel(true);
                // An answer that has begun meanwhile is closed. Otherwise its connection would wait for a reader.
                sending.thenAccept(late -> new StreamedBody(late.body()).close());
            }
        }
    }

    @Override
    public void close() {
        body.close();
    }
}
