package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A session that a user streams runs into, and the places where the server shows them. */
record StreamedSession(RunningServer server, ChatCaller user, String id) {
    static final Duration LIMIT = Duration.ofSeconds(20);

    /** A session of a new user. */
    static StreamedSession fresh(RunningServer server) {
        return new StreamedSession(
                server, ChatCaller.user(server, "Olivia"), UUID.randomUUID().toString());
    }

    static RunningServer startWithPrices() {
        try {
            Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "prices");
            Path file = Files.writeString(folder.resolve("agents.yaml"), """
                    prices:
                      gpt-4o: {input: 3, output: 15, currency: ZAR}
                      openai/gpt-4o-mini: {input: 1, output: 2, currency: ZAR}
                    """);
            return RunningServer.start("--rate-limits", "off", "--agents-file", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A run of the agent Reader. */
    AgnoStreamer run(String run) {
        return by(user, run, "agent_id", "reader", "agent_name", "Reader");
    }

    /** @param about further members of the posts, such as agent_name */
    AgnoStreamer by(ChatCaller caller, String run, Object... about) {
        return new AgnoStreamer(caller, id, run, about);
    }

    /** The messages on the chat face. */
    List<JsonNode> messages() {
        return user.get("/chat/threads/" + id + "/messages")
                .body()
                .get("messages")
                .valueStream()
                .toList();
    }

    List<String> contents() {
        return messages().stream().map(each -> each.get("content").asString()).toList();
    }

    /** The messages on the sessions face. */
    List<JsonNode> rows() {
        return user.get("/sessions/" + id + "/chat-events")
                .body()
                .path("chat_events")
                .valueStream()
                .toList();
    }

    String state(String run) {
        return user.get("/agent/threads/" + id + "/runs/" + run)
                .body()
                .get("state")
                .asString();
    }

    StreamTap watch(String run) {
        return user.stream("/agent/runs/" + id + "/events?runId=" + run);
    }

    /** The records of model usage. */
    List<String> usage() {
        return server.select("""
                select concat_ws('|', request, provider, model, input_tokens, output_tokens, trim_scale(cost), currency)
                from model_usage where thread_id = '%s' order by task_id, request""".formatted(id));
    }

    JsonNode stop(Object body) {
        ChatCaller.Reply reply = user.post("/sessions/" + id + "/stop", body);
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.body();
    }
}
