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

/** An answer whose body is read as it comes. Closing it closes the connection, unless the body was read to its end. */
public record StreamedAnswer(int status, HttpHeaders headers, StreamedBody body) implements AutoCloseable {
    /**
     * Sends a request and waits for the head of its answer; whoever is interrupted while waiting leaves no connection
     * behind.
     *
     * @throws TimeoutException there was no answer for that long
     * @throws IOException the other side could not be reached, or hung up
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
                // Had the answer begun, its connection would wait for somebody to read it.
                sending.thenAccept(late -> new StreamedBody(late.body()).close());
            }
        }
    }

    @Override
    public void close() {
        body.close();
    }
}
