package dev.parley.api.agent;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A thread of one user, with messages written directly into its log at the times that a test needs. */
final class FilledThread {
    private final RunningServer server;
    private final Api api;
    private final String id;
    private long last;

    private FilledThread(RunningServer server, Api api, String id) {
        this.server = server;
        this.api = api;
        this.id = id;
    }

    static FilledThread somebodys(RunningServer server) {
        return of(server, server.api(UUID.randomUUID(), "Somebody"));
    }

    static FilledThread of(RunningServer server, Api api) {
        return new FilledThread(
                server, api, api.post("/api/v1/chat/threads", "{}").text("thread_id"));
    }

    String id() {
        return id;
    }

    Api api() {
        return api;
    }

    long last() {
        return last;
    }

    FilledThread user(String at, String content) {
        return add("user:a", "user", 0, null, content, null, null, at);
    }

    FilledThread add(
            String author,
            String role,
            int kind,
            @Nullable Long target,
            String content,
            @Nullable String metadata,
            @Nullable String clientId,
            String at) {
        last++;
        server.execute("""
                insert into entries (thread_id, seq, position, id, kind, target_seq, author, role, content, metadata,
                    client_message_id, created_at, digest)
                values ('%s', %d, %d, '%s', %d, %s, '%s', '%s', '%s', %s, %s, '%s', '\\x00')""".formatted(
                        id,
                        last,
                        last,
                        "id-" + last,
                        kind,
                        target,
                        author,
                        role,
                        content,
                        metadata == null ? "null" : "'" + metadata + "'",
                        clientId == null ? "null" : "'" + clientId + "'",
                        at));
        return moveHead();
    }

    /** Many at once, a second apart. */
    FilledThread users(int count, String from) {
        server.execute("""
                insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, digest)
                select '%s', s, s, 'id-' || s, 0, 'user:a', 'user', 'message ' || s,
                    '%s'::timestamptz + (s - %d) * interval '1 second', '\\x00'
                from generate_series(%d, %d) as s""".formatted(id, from, last + 1, last + 1, last + count));
        last += count;
        return moveHead();
    }

    private FilledThread moveHead() {
        server.execute("update thread_heads set last_seq = %d, last_position = %d where thread_id = '%s'"
                .formatted(last, last, id));
        return this;
    }

    /** @param query such as {@code &tz=UTC} */
    JsonNode history(String query) {
        Api.Reply reply = api.get("/api/v1/agent/history?threadId=" + id + query);
        if (reply.status() != 200) {
            throw new AssertionError(reply.toString());
        }
        return reply.json();
    }

    /** A day in short: its date, its seqs, and whether there is more. */
    String day(String query) {
        return inShort(history(query));
    }

    static String inShort(JsonNode day) {
        List<String> seqs = new ArrayList<>();
        day.path("messages").forEach(each -> seqs.add(each.path("seq").toString()));
        return day.path("day").asString("none") + " " + String.join(",", seqs)
                + (day.path("hasMore").asBoolean() ? " more" : "");
    }

    static JsonNode json(String text) {
        return Json.MAPPER.readTree(text);
    }
}
