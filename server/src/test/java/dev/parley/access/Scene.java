package dev.parley.access;

import dev.parley.attachments.images.SampleImages;
import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.BuiltConsole;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The objects that one operation is tried on: a thread with every visitor, a thread that the right agent manages, a run
 * in each, an agent, a token, a key. The ids of the document's examples are replaced by the ids of these objects.
 */
final class Scene {
    private static final String EXAMPLE = "0198c0de-0000-7000-8000-0000000000";
    private static final String THREADS = "/api/v1/chat/threads";

    /** The ids of a thread and of a run in the agent face's examples. */
    private static final String AGENT_FACE_THREAD = "550e8400-e29b-41d4-a716-446655440000";

    private static final String RUN = "run-001";

    /** The part of a document's example that is replaced. */
    private static final String FIRST = "\"version\":0";

    private static final Set<String> DRIVING = Set.of("driveRun", "driveSessionRun");

    private static final String EXAMPLE_IMAGE =
            "agent-inputs/" + EXAMPLE + "01/unfiled/upload/" + EXAMPLE + "d1-cat.png";

    /** The name of a console script in the document. */
    private static final String EXAMPLE_SCRIPT = "index-DxK3vQ9a.js";

    private final World world;
    private final ApiDocument document;
    private final String thread;
    private final String agentsThread;
    private final String guest = UUID.randomUUID().toString();
    private final Map<String, String> shared = new HashMap<>();
    private final Map<String, String> messages = new HashMap<>();
    private final Map<String, String> webhooks = new HashMap<>();
    private final String folder = "scene-" + UUID.randomUUID();
    private final Map<String, String> owners = new HashMap<>();

    /** @param withWebhooks false where no webhook is called: deliveries to a closed port would be retried forever */
    Scene(World world, ApiDocument document, boolean withWebhooks) {
        this.world = world;
        this.document = document;
        List<String> people = new ArrayList<>(List.of(
                "user:" + guest,
                "user:" + world.memberId,
                "user:" + world.removedId,
                "agent:" + world.agent,
                "agent:" + world.memberAgent));
        world.unscopedAgents.values().forEach(agent -> people.add("agent:" + agent));
        thread = newThread(world.owner, people);
        agentsThread = newThread(world.agentToken, List.of("user:" + guest));
        messages.put(world.owner, post(thread, "messages", world.owner));
        messages.put(world.member, post(thread, "messages", world.member));
        messages.put(world.agentToken, post(agentsThread, "agent-messages", world.agentToken));
        world.unscopedTokens.forEach((scope, token) -> messages.put(token, postAs(world.unscopedAgents.get(scope))));
        run(thread, world.owner);
        run(agentsThread, world.agentToken);
        keepDocuments(thread, world.owner);
        keepDocuments(agentsThread, world.agentToken);
        world.api.must("DELETE", THREADS + "/" + thread + "/participants/user:" + world.removedId, world.owner, "");
        world.server.setSource(thread, "slack");
        String spare = world.newAgent(world.owner, "Spare", "private");
        shared.put(EXAMPLE + "01", guest);
        shared.put(EXAMPLE + "02", guest);
        shared.put(
                EXAMPLE + "e1",
                world.token(world.owner, spare, List.of("observe"), null)
                        .path("token_id")
                        .asString());
        shared.put(EXAMPLE + "f1", world.newKey("relay").path("key_id").asString());
        shared.put("spare agent", spare);
        shared.put("https://hooks.example.org/parley", World.NOBODYS_URL);
        if (withWebhooks) {
            keepWebhooks();
        }
        shared.put(EXAMPLE + "b8", world.deadLetter(thread));
        shared.put(EXAMPLE + "be", world.newErasure());
        owners.put(world.agentToken, "agent-" + world.agent);
        world.unscopedTokens.forEach((scope, token) -> owners.put(token, "agent-" + world.unscopedAgents.get(scope)));
        keepObjects();
    }

    private void keepWebhooks() {
        List.of(world.owner, world.member).forEach(who -> webhooks.put(who, newWebhook(thread, who)));
        webhooks.put(world.agentToken, newWebhook(agentsThread, world.agentToken));
        world.unscopedTokens.forEach((scope, token) -> {
            if (!scope.equals("observe")) {
                webhooks.put(token, newWebhook(thread, token));
            }
        });
    }

    private String newWebhook(String in, String credential) {
        return world.api
                .must("POST", THREADS + "/" + in + "/webhooks", credential, Map.of("callback_url", World.NOBODYS_URL))
                .path("webhook_id")
                .asString();
    }

    /** Stores one object of the same name for every possible owner. */
    private void keepObjects() {
        keep(world.owner);
        owners.keySet().stream()
                .filter(token -> !token.equals(world.unscopedTokens.get("run")))
                .forEach(this::keep);
        String named = "/agent-files/" + folderOf(world.owner);
        shared.put("token-to-read", tokenOf("/storage/v1/object/sign" + named + "/today.txt", Map.of("expiresIn", 60)));
        shared.put("token-to-upload", tokenOf("/storage/v1/object/upload/sign" + named + "/new.txt", Map.of()));
    }

    private void keep(String credential) {
        Calls.Got got = world.api.call(
                "POST",
                "/storage/v1/object/agent-files/" + folderOf(credential) + "/today.txt",
                credential,
                new Calls.Sent("text/plain", "hello".getBytes(StandardCharsets.UTF_8)));
        if (got.status() != 200) {
            throw new AssertionError("An object could not be stored: " + got);
        }
    }

    private String tokenOf(String path, Map<String, Object> body) {
        Calls.Got got =
                world.api.call("POST", path, world.owner, Json.MAPPER.writeValueAsString(body), "x-upsert", "true");
        return got.body().replaceAll("(?s).*token=([^\"]*).*", "$1");
    }

    private String folderOf(String credential) {
        return "agent-inputs/" + owners.getOrDefault(credential, world.ownerId.toString()) + "/" + folder;
    }

    private String newThread(String credential, List<String> participants) {
        return world.api
                .must("POST", THREADS, credential, Map.of("title", "A scene", "participants", participants))
                .path("thread_id")
                .asString();
    }

    private String post(String in, String route, String credential) {
        return world.api
                .must("POST", THREADS + "/" + in + "/" + route, credential, Map.of("content", "I am here"))
                .path("id")
                .asString();
    }

    /** Starts a run of an agent in the thread; the agent never claims it, so it stays queued. */
    private void run(String in, String credential) {
        Map<String, Object> message = Map.of("id", "msg-001", "role", "user", "content", "Are you here?");
        world.api.must(
                "POST",
                "/api/v1/agent/runs",
                credential,
                Map.of("threadId", in, "runId", RUN, "messages", List.of(message)));
    }

    /** Stores the document of a session and of a run in it, as a client of Agno does. */
    private void keepDocuments(String of, String credential) {
        String session = "/api/v1/sessions/" + of;
        world.api.must("PUT", session + "/document", credential, Map.of("document", Map.of(), "version", 0));
        world.api.must("PUT", session + "/runs/" + RUN, credential, Map.of("document", Map.of()));
    }

    /** Posts a message of an agent. The token may lack the right, so the owner posts it. */
    private String postAs(@Nullable String agent) {
        Map<String, Object> body = Map.of("content", "So am I", "agent_id", String.valueOf(agent));
        return world.api
                .must("POST", THREADS + "/" + thread + "/agent-messages", world.owner, body)
                .path("id")
                .asString();
    }

    /**
     * An operation with the values of its examples, before the call.
     *
     * @param path the values of the path's parameters by their names, encoded
     * @param query the values of the query's parameters, empty if they are optional
     */
    record Example(
            ApiDocument.Operation operation,
            Map<String, String> path,
            Map<String, String> query,
            Calls.Sent body,
            String[] headers) {
        /** The path with its parameters filled in. */
        String address() {
            String address = operation.path();
            for (Map.Entry<String, String> each : path.entrySet()) {
                address = address.replace("{" + each.getKey() + "}", each.getValue());
            }
            return address;
        }
    }

    /** Calls an operation with the values of its examples, on this scene. */
    Calls.Got call(ApiDocument.Operation operation, Visitor visitor) {
        Example example = example(operation, visitor);
        StringBuilder query = new StringBuilder("?");
        example.query().forEach((name, value) -> {
            if (!value.isEmpty()) {
                query.append(name).append('=').append(value).append('&');
            }
        });
        return world.api.call(
                operation.method(), example.address() + query, visitor.credential(), example.body(), example.headers());
    }

    /** The call of an operation with the values of its examples on this scene; values in the URL are encoded. */
    Example example(ApiDocument.Operation operation, Visitor visitor) {
        String fresh = "run-" + UUID.randomUUID();
        Map<String, String> path = new LinkedHashMap<>();
        Map<String, String> query = new LinkedHashMap<>();
        for (JsonNode each : operation.node().path("parameters")) {
            JsonNode parameter = document.resolve(each);
            String name = parameter.path("name").asString();
            if (parameter.path("in").asString().equals("query")) {
                String value = parameter.path("example").asString("");
                query.put(
                        name,
                        parameter.path("required").asBoolean(false) ? encoded(fill(operation, visitor, value)) : "");
            }
            if (parameter.path("in").asString().equals("path")) {
                String value =
                        fill(operation, visitor, parameter.path("example").asString());
                // An agent that drives a run opens one of its own.
                value = DRIVING.contains(operation.id()) ? value.replace(RUN, fresh) : value;
                boolean rest = parameter.path("x-parley-slashes").asBoolean(false);
                path.put(name, rest ? encoded(value).replace("%2F", "/") : encoded(value));
            }
        }
        JsonNode example = operation.node().at("/requestBody/content/application~1json/example");
        // A starter starts another run.
        String body = example.isMissingNode()
                ? ""
                : fill(operation, visitor, example.toString()).replace(RUN, fresh);
        if (body.contains(FIRST)) {
            body = body.replace(FIRST, now(visitor));
        }
        boolean local = operation
                .node()
                .path("x-parley-callers")
                .valueStream()
                .anyMatch(caller -> caller.asString().equals("local"));
        // Calls as through a proxy, which need a credential, unlike calls from this machine.
        String[] headers = local ? new String[] {"X-Forwarded-For", "192.0.2.1"} : new String[0];
        return new Example(operation, path, query, sent(operation, body), headers);
    }

    /** The version of the present document, as a client that has read it would send it. */
    private String now(Visitor visitor) {
        String in = visitor.credential().equals(world.agentToken) ? agentsThread : thread;
        return "\"version\":"
                + world.server.count(
                        "select coalesce(max(version), 0) from session_documents where thread_id = '" + in + "'");
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The text of the example, or some bytes where bytes are expected. */
    private static Calls.Sent sent(ApiDocument.Operation operation, String json) {
        JsonNode contents = operation.node().at("/requestBody/content");
        if (contents.has("application/octet-stream")) {
            return new Calls.Sent("application/octet-stream", new byte[] {1, 2, 3});
        }
        return contents.has("multipart/form-data")
                ? Calls.Sent.form("file", "image/png", SampleImages.png(2, 2))
                : new Calls.Sent("application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    private String fill(ApiDocument.Operation operation, Visitor visitor, String text) {
        boolean agents = visitor.credential().equals(world.agentToken);
        boolean ownAgent =
                operation.path().contains("{agent_id}") || operation.path().startsWith(World.TOKENS);
        boolean open = operation
                .node()
                .path("x-parley-callers")
                .valueStream()
                .anyMatch(caller -> caller.asString().equals("anyone"));
        String filled = text.replace(
                        "agent-inputs/" + EXAMPLE + "01/notes", folderOf(open ? world.owner : visitor.credential()))
                .replace(EXAMPLE_IMAGE, folderOf(visitor.credential()) + "/today.txt")
                .replace(EXAMPLE_SCRIPT, BuiltConsole.anyScript())
                .replace(AGENT_FACE_THREAD, EXAMPLE + "a1")
                .replace(EXAMPLE + "a1", agents ? agentsThread : thread)
                .replace(
                        EXAMPLE + "d1",
                        messages.getOrDefault(visitor.credential(), messages.getOrDefault(world.owner, "")))
                .replace(
                        EXAMPLE + "b7",
                        webhooks.getOrDefault(visitor.credential(), webhooks.getOrDefault(world.owner, "")))
                .replace(
                        EXAMPLE + "c1",
                        ownAgent ? shared.getOrDefault("spare agent", "") : agentOf(operation, visitor));
        if (filled.contains(EXAMPLE + "9b")) {
            // Created on demand: no visitor has a link for each operation.
            shared.computeIfAbsent(
                    EXAMPLE + "9b",
                    id -> world.api
                            .must("POST", "/api/v1/auth/identity-links", world.owner, Map.of("source", "slack"))
                            .path("link_id")
                            .asString());
        }
        for (Map.Entry<String, String> each : shared.entrySet()) {
            filled = filled.replace(each.getKey(), each.getValue());
        }
        return filled;
    }

    private String agentOf(ApiDocument.Operation operation, Visitor visitor) {
        if (operation.id().equals("postAgentMessage") && visitor.kind().equals("agent")) {
            // An agent's token may name that agent only.
            String sender = world.api
                    .must("GET", "/api/v1/auth/me", visitor.credential(), "")
                    .path("sender_id")
                    .asString();
            return sender.substring("agent:".length());
        }
        return visitor.credential().equals(world.member) ? world.memberAgent : world.agent;
    }

    /** The state that a refused call must not change, including new objects. */
    List<Object> state() {
        ObjectNode view = (ObjectNode) world.api.must("GET", THREADS + "/" + thread, world.owner, "");
        // These fields follow the log by themselves.
        view.remove(List.of("last_message_at", "last_message_preview"));
        return List.of(
                view,
                world.api.must("GET", THREADS + "/" + thread + "/events?limit=200", world.owner, ""),
                world.api.must("GET", "/api/v1/owner/agents", world.owner, ""),
                world.made());
    }
}
