package dev.parley.testing;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.chat.AgentTokenView;
import dev.parley.protocol.chat.AgentView;
import dev.parley.protocol.chat.ThreadView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Calls any route as one principal and returns the unmodified response, for tests of refusals and of the wire format.
 */
public final class ChatCaller {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RunningServer server;
    private final String token;
    private final Actor actor;

    private ChatCaller(RunningServer server, String token, Actor actor) {
        this.server = server;
        this.token = token;
        this.actor = actor;
    }

    public static ChatCaller user(RunningServer server, String name) {
        return user(server, UUID.randomUUID(), name);
    }

    /** A known user, such as one who calls several nodes. */
    public static ChatCaller user(RunningServer server, UUID id, String name) {
        return new ChatCaller(server, server.token(id, name), Actor.user(id));
    }

    /** An agent with a token of its own. */
    public record Agent(AgentView view, AgentTokenView token, ChatCaller api) {
        public Actor actor() {
            return view.senderId();
        }
    }

    /** Creates an external agent of this user, with a token. */
    public Agent newAgent(String name, String... scopes) {
        AgentView view = post("/owner/agents", Map.of("display_name", name)).as(AgentView.class);
        AgentTokenView made = post(
                        "/owner/external-agents/tokens",
                        Map.of(
                                "agent_actor_id",
                                view.agentId(),
                                "scopes",
                                scopes.length == 0 ? List.of("observe", "speak") : List.of(scopes)))
                .as(AgentTokenView.class);
        return new Agent(view, made, new ChatCaller(server, String.valueOf(made.rawToken()), view.senderId()));
    }

    public ThreadView newThread(ChatCaller... others) {
        return post(
                        "/chat/threads",
                        Map.of(
                                "title",
                                "test",
                                "participants",
                                List.of(others).stream()
                                        .map(other -> other.actor.value())
                                        .toList()))
                .as(ThreadView.class);
    }

    public Actor actor() {
        return actor;
    }

    /** A response; the body is missing if there was none. */
    public record Reply(int status, JsonNode body) {
        public String slug() {
            String type = body.path("type").asString("");
            return type.substring(type.lastIndexOf('/') + 1);
        }

        /** The parsed body of a success. */
        public <T> T as(Class<T> type) {
            if (status >= 300) {
                throw new AssertionError(status + " " + body);
            }
            return Json.MAPPER.treeToValue(body, type);
        }
    }

    public Reply get(String path) {
        return send("GET", path, null);
    }

    public Reply post(String path, @Nullable Object body, String... headers) {
        return send("POST", path, body, headers);
    }

    public Reply patch(String path, @Nullable Object body) {
        return send("PATCH", path, body);
    }

    public Reply put(String path) {
        return send("PUT", path, null);
    }

    public Reply delete(String path) {
        return send("DELETE", path, null);
    }

    public Reply send(String method, String path, @Nullable Object body, String... headers) {
        HttpRequest.Builder request = request(path)
                .method(
                        method,
                        body == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(Json.MAPPER.writeValueAsBytes(body)))
                .timeout(LIMIT);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
            return new Reply(answer.statusCode(), Json.MAPPER.readTree(answer.body()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Opens an event stream and collects its events. */
    public StreamTap stream(String path, String... headers) {
        HttpRequest.Builder request = request(path);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return StreamTap.open(CLIENT, request.build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.uri() + "/api/v1" + path))
                .header("Authorization", "Bearer " + token);
    }
}
