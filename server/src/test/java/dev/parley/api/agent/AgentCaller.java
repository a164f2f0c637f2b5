package dev.parley.api.agent;

import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.sdk.SseReader;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** A caller who starts runs and watches them, as plainly as curl would. */
record AgentCaller(RunningServer server, Api api) {
    private static final Duration MAX_STREAM = Duration.ofSeconds(60);

    static AgentCaller somebody(RunningServer server) {
        return new AgentCaller(server, server.api(UUID.randomUUID(), "Somebody"));
    }

    /** One frame of a stream. */
    record Frame(long id, String event, JsonNode data) {
        String type() {
            return data.get("type").asString();
        }

        boolean isTerminal() {
            return type().equals("RUN_FINISHED") || type().equals("RUN_ERROR");
        }
    }

    static Map<String, Object> input(String thread, String run, String text) {
        Map<String, Object> input = new LinkedHashMap<>();
        input.put("threadId", thread);
        input.put("runId", run);
        input.put("messages", List.of(Map.of("id", "msg-" + run, "role", "user", "content", text)));
        return input;
    }

    /** The messages of an input that ask about an image. */
    static List<?> lookingAt(String url, String type, String id, String text) {
        return List.of(Map.of(
                "id",
                id,
                "role",
                "user",
                "content",
                List.of(Map.of("type", "text", "text", text), Map.of("type", "binary", "mimeType", type, "url", url))));
    }

    Api.Reply start(String thread, String run, String text) {
        return start(input(thread, run, text));
    }

    Api.Reply start(Map<String, Object> input) {
        return api.post("/api/v1/agent/runs", Json.MAPPER.writeValueAsString(input));
    }

    /** @param json the exact body */
    Api.Reply startBy(String json) {
        return api.post("/api/v1/agent/runs", json);
    }

    static List<String> types(List<Frame> frames) {
        return frames.stream().map(Frame::type).toList();
    }

    List<JsonNode> runs(String thread) {
        List<JsonNode> runs = new ArrayList<>();
        api.get("/api/v1/agent/threads/" + thread + "/runs").json().get("runs").forEach(runs::add);
        return runs;
    }

    JsonNode run(String thread, String run) {
        return api.get("/api/v1/agent/threads/" + thread + "/runs/" + run).json();
    }

    void awaitEnd(String thread, String run) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> run(thread, run).get("state").asString().equals("completed"));
    }

    Api.Reply cancel(String thread, String run) {
        return api.post("/api/v1/agent/threads/" + thread + "/runs/" + run + "/cancel", "{}");
    }

    Api.Reply messagesReply(String thread) {
        return api.get("/api/v1/chat/threads/" + thread + "/messages");
    }

    List<JsonNode> messages(String thread) {
        List<JsonNode> messages = new ArrayList<>();
        messagesReply(thread).json().get("messages").forEach(messages::add);
        return messages;
    }

    List<String> contents(String thread) {
        return messages(thread).stream()
                .map(message -> message.get("content").asString())
                .toList();
    }

    /** All frames of one run, from its beginning to the end of the stream. */
    List<Frame> follow(String thread, String run) {
        return frames("/api/v1/agent/runs/" + thread + "/events?runId=" + run, frame -> false);
    }

    /** The frames of a stream up to the first sufficient one, or its end. */
    List<Frame> frames(String path, Predicate<Frame> enough, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.uri().resolve(path))
                .header("Authorization", "Bearer " + api.credential());
        if (headers.length > 0) {
            request.headers(headers);
        }
        List<Frame> frames = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                throw new AssertionError("The stream answered " + answer.statusCode());
            }
            try (InputStream body = answer.body()) {
                CompletableFuture.delayedExecutor(MAX_STREAM.toSeconds(), TimeUnit.SECONDS)
                        .execute(() -> hangUp(body));
                read(body, frames, enough);
            }
            client.shutdownNow();
            return frames;
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** A stream that does not end must not block a test for ever. */
    private static void hangUp(InputStream body) {
        try {
            body.close();
        } catch (IOException gone) {
            // The stream has ended by itself.
        }
    }

    private static void read(InputStream body, List<Frame> frames, Predicate<Frame> enough) throws IOException {
        SseReader reader = new SseReader(1 << 20);
        byte[] buffer = new byte[8192];
        boolean[] done = new boolean[1];
        for (int read = body.read(buffer); read >= 0 && !done[0]; read = body.read(buffer)) {
            reader.feed(ByteBuffer.wrap(buffer, 0, read), frame -> {
                Frame next = new Frame(
                        Long.parseLong(frame.lastEventId()), frame.event(), Json.MAPPER.readTree(frame.data()));
                if (!done[0]) {
                    frames.add(next);
                    done[0] = enough.test(next);
                }
            });
            if (done[0]) {
                return;
            }
        }
    }

    /** The text that a stream's deltas add up to, by message. */
    static Map<String, String> texts(List<Frame> frames) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Frame frame : frames) {
            if (frame.type().equals("TEXT_MESSAGE_CONTENT")) {
                texts.merge(
                        frame.data().get("messageId").asString(),
                        frame.data().get("delta").asString(),
                        String::concat);
            }
        }
        return texts;
    }
}
