package dev.parley.testing;

import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.sdk.SseFrame;
import dev.parley.sdk.SseReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One connection of an event stream, never renewed: the received data, and the end by the server. */
public final class StreamTap implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final int status;
    private final InputStream body;
    private final List<SseFrame> frames = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    private StreamTap(HttpResponse<InputStream> answer) {
        this.status = answer.statusCode();
        this.body = answer.body();
        Thread.startVirtualThread(this::read);
    }

    static StreamTap open(HttpClient client, HttpRequest request) {
        try {
            return new StreamTap(client.send(request, HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Opens a stream by its whole path, with a token if one is given. */
    public static StreamTap open(RunningServer server, String path, String... token) {
        return open(server.uri(), path, token);
    }

    /** The same at a URL. */
    public static StreamTap open(URI server, String path, String... token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
        for (String each : token) {
            request.header("Authorization", "Bearer " + each);
        }
        return open(CLIENT, request.build());
    }

    private void read() {
        SseReader reader = new SseReader(1 << 20);
        byte[] buffer = new byte[8192];
        try {
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                reader.feed(ByteBuffer.wrap(buffer, 0, read), frames::add);
            }
        } catch (IOException gone) {
            // Ended in both cases.
        }
        ended = true;
    }

    public int status() {
        return status;
    }

    public boolean ended() {
        return ended;
    }

    public List<SseFrame> frames() {
        return frames;
    }

    public List<SseFrame> frames(String event) {
        return frames.stream().filter(frame -> frame.event().equals(event)).toList();
    }

    /** The events of a thread's stream so far, without unlogged frames. */
    public List<EventEnvelope> events() {
        return frames.stream()
                .filter(SseFrame::hasId)
                .map(frame -> Json.MAPPER.readValue(frame.data(), EventEnvelope.class))
                .toList();
    }

    public List<EventEnvelope> awaitEvents(int count) {
        await().atMost(LIMIT).until(() -> events().size() >= count);
        return events();
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
