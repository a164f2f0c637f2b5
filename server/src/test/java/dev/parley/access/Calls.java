package dev.parley.access;

import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Calls a server with any credential. */
final class Calls implements AutoCloseable {
    /** A response; of a stream only its beginning. */
    record Got(int status, String contentType, String body) {
        JsonNode json() {
            return Json.MAPPER.readTree(body);
        }
    }

    private final URI server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    Calls(URI server) {
        this.server = server;
    }

    /** @param headers names and values, one after the other */
    Got call(String method, String path, String credential, String body, String... headers) {
        return call(
                method, path, credential, new Sent("application/json", body.getBytes(StandardCharsets.UTF_8)), headers);
    }

    /** A body of any type; an empty body is left out. */
    record Sent(String contentType, byte[] bytes) {
        /** A form with a file, without a file name as some clients send it. */
        static Sent form(String name, String fileType, byte[] file) {
            String head = "--limit\r\nContent-Disposition: form-data; name=\"" + name
                    + "\"; filename=\"file\"\r\nContent-Type: " + fileType + "\r\n\r\n";
            ByteArrayOutputStream form = new ByteArrayOutputStream();
            form.writeBytes(head.getBytes(StandardCharsets.UTF_8));
            form.writeBytes(file);
            form.writeBytes("\r\n--limit--\r\n".getBytes(StandardCharsets.UTF_8));
            return new Sent("multipart/form-data; boundary=limit", form.toByteArray());
        }
    }

    /** @param headers names and values, one after the other */
    Got call(String method, String path, String credential, Sent body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(Duration.ofSeconds(20))
                .method(
                        method.toUpperCase(Locale.ROOT),
                        body.bytes().length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body.bytes()));
        if (body.bytes().length > 0) {
            request.header("Content-Type", body.contentType());
        }
        if (!credential.isEmpty()) {
            request.header("Authorization", "Bearer " + credential);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
            String type = answer.headers().firstValue("Content-Type").orElse("");
            try (InputStream in = answer.body()) {
                byte[] read = type.startsWith("text/event-stream") ? in.readNBytes(1) : in.readAllBytes();
                return new Got(answer.statusCode(), type, new String(read, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Calls, and requires success. */
    JsonNode must(String method, String path, String credential, Object body) {
        Got got = call(method, path, credential, body.equals("") ? "" : Json.MAPPER.writeValueAsString(body));
        if (got.status() >= 300) {
            throw new AssertionError(method + " " + path + " gave " + got);
        }
        return got.json();
    }

    /** One frame of a stream. */
    record Frame(String id, String event, JsonNode data) {}

    /** Follows a stream, and collects its frames until it is closed. */
    Followed follow(String path, String credential) {
        return new Followed(HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + credential)
                .build());
    }

    /** A stream with a reader. */
    final class Followed implements AutoCloseable {
        final Queue<Frame> frames = new ConcurrentLinkedQueue<>();
        private final CompletableFuture<HttpResponse<Void>> reading;
        private final StringBuilder id = new StringBuilder();
        private final StringBuilder event = new StringBuilder();
        private final StringBuilder data = new StringBuilder();

        private Followed(HttpRequest request) {
            reading = client.sendAsync(request, BodyHandlers.fromLineSubscriber(new LineReader(this::line)));
        }

        private void line(String line) {
            if (line.isEmpty() && !data.isEmpty()) {
                frames.add(new Frame(id.toString(), event.toString(), Json.MAPPER.readTree(data.toString())));
                List.of(id, event, data).forEach(part -> part.setLength(0));
            } else if (line.startsWith("id: ")) {
                id.append(line.substring(4));
            } else if (line.startsWith("event: ")) {
                event.append(line.substring(7));
            } else if (line.startsWith("data: ")) {
                data.append(line.substring(6));
            }
        }

        @Override
        public void close() {
            reading.cancel(true);
        }
    }

    /** Hands lines on as they arrive. */
    private record LineReader(Consumer<String> each) implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            each.accept(line);
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onComplete() {}
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
