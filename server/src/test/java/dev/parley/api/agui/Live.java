package dev.parley.api.agui;

import dev.parley.protocol.Json;
import dev.parley.sdk.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** A client's open stream; closing it is how that client leaves. */
final class Live implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LARGEST_FRAME = 16 << 20;

    private final InputStream body;
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Signalled at each event and at the end of the stream, so that no reader polls. */
    private final Condition changed = lock.newCondition();

    private volatile boolean ended;
    private volatile boolean broken;

    private Live(InputStream body) {
        this.body = body;
        Thread.startVirtualThread(this::read);
    }

    static Live open(URI uri, String credential, Map<String, Object> input) {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Authorization", "Bearer " + credential)
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(input)))
                .build();
        try {
            HttpResponse<InputStream> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                throw new AssertionError(
                        answer.statusCode() + " " + new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
            }
            return new Live(answer.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void read() {
        SseReader reader = new SseReader(LARGEST_FRAME);
        byte[] buffer = new byte[8192];
        try {
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                reader.feed(
                        ByteBuffer.wrap(buffer, 0, read),
                        frame -> change(() -> events.add(Json.MAPPER.readTree(frame.data()))));
            }
        } catch (IOException gone) {
            broken = true;
        }
        change(() -> ended = true);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void await(BooleanSupplier condition) {
        long left = LIMIT.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError("The stream did not go on after " + events);
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } finally {
            lock.unlock();
        }
    }

    List<JsonNode> events() {
        return List.copyOf(events);
    }

    Live until(String type) {
        return until(event -> event.get("type").asString().equals(type));
    }

    Live until(Predicate<JsonNode> event) {
        await(() -> events.stream().anyMatch(event));
        return this;
    }

    /** The whole stream, once the server has ended it cleanly. */
    List<JsonNode> whole() {
        await(() -> ended);
        if (broken) {
            throw new AssertionError("The connection broke after " + events);
        }
        return events();
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException gone) {
            // The stream has ended by itself.
        }
    }
}
