package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A <a href="https://docs.bluebubbles.app/server/developer-guides/rest-api-and-webhooks">BlueBubbles</a> server with a
 * Mac's history. It is strict about requests. Like the real server, it sends each event only once, even if the delivery
 * fails. The marker that a caller gives to a message (its tempGuid) appears in the event, but not in the history.
 */
public final class ScriptedBlueBubbles implements AutoCloseable {
    public static final String PASSWORD = "pass word & 密碼";

    private static final String ROOT = "/api/v1/";
    private static final int MAX_ASKED = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Clock clock;
    private final LocalApi api = new LocalApi(this::answer);
    private final HttpClient client = HttpClient.newHttpClient();
    /** A single thread sends the events, so that a test sees them in their order. */
    private final ExecutorService webhooks =
            Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());

    private final List<Integer> answered = new CopyOnWriteArrayList<>();
    private final Set<String> chats = new HashSet<>();
    private final List<ObjectNode> history = new ArrayList<>();
    private final Set<String> queued = new HashSet<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, byte[]> attachments = new LinkedHashMap<>();
    private final List<String> typing = new CopyOnWriteArrayList<>();
    private @Nullable String owner;
    private volatile @Nullable URI webhook;

    public ScriptedBlueBubbles(Clock clock) {
        this.clock = clock;
    }

    /** The base address. */
    public URI url() {
        return api.url();
    }

    /**
     * The flags of a Parley server that uses this BlueBubbles server. Its events are sent to a path with this secret.
     */
    public String[] flags(String secret) {
        return new String[] {
            "--bluebubbles-url", url().toString(),
            "--bluebubbles-password", PASSWORD,
            "--bluebubbles-webhook-secret", secret
        };
    }

    /** The local API, for the calls received and for planned failures. */
    public LocalApi api() {
        return api;
    }

    /** Sets the address to which all events are sent from now on; null for no address. */
    public void tell(@Nullable URI address) {
        webhook = address;
    }

    public synchronized void addChat(String guid) {
        chats.add(guid);
    }

    public synchronized void addContact(String address, String name) {
        names.put(address, name);
    }

    public synchronized void addAttachment(String guid, byte[] bytes) {
        attachments.put(guid, bytes.clone());
    }

    /** Sets the address of the Mac's owner. */
    public synchronized void belongTo(String address) {
        owner = address;
    }

    /** Refuses a message with this marker from now on, because it is already queued to be sent. */
    public synchronized void queue(String tempGuid) {
        queued.add(tempGuid);
    }

    /** Chats in which the server showed that an agent is typing. */
    public List<String> typing() {
        return List.copyOf(typing);
    }

    /** The messages of a chat, in their order. */
    public synchronized List<JsonNode> messages(String chatGuid) {
        return history.stream()
                .filter(message -> isIn(message, chatGuid))
                .map(JsonNode.class::cast)
                .toList();
    }

    /** The texts that the owner has sent to a chat, in order. */
    public List<String> sent(String chatGuid) {
        return messages(chatGuid).stream()
                .filter(message -> message.path("isFromMe").asBoolean())
                .map(message -> message.path("text").asString())
                .toList();
    }

    /** The statuses of the answers to events, in order; 0 for an event without an answer. */
    public List<Integer> answered() {
        return List.copyOf(answered);
    }

    /** Adds a message of this address, or of the owner if the address is null, and sends its event. */
    public ObjectNode say(String chatGuid, @Nullable String address, String text) {
        return appear(BlueBubblesMessages.said(chatGuid, address, text, clock.instant()));
    }

    /** Adds a message to the history and sends its event. */
    public ObjectNode appear(ObjectNode message) {
        keep(message);
        emit("new-message", message);
        return message;
    }

    /** Adds a message to the history without an event. */
    public synchronized ObjectNode keep(ObjectNode message) {
        chats.add(message.at("/chats/0/guid").asString());
        history.add(message);
        return message;
    }

    /** Edits a message and sends the event. */
    public void edit(ObjectNode message, String text) {
        synchronized (this) {
            message.put("text", text).put("dateEdited", clock.millis());
        }
        emit("updated-message", message);
    }

    /** Unsends a message and sends the event. */
    public void unsend(ObjectNode message) {
        synchronized (this) {
            message.putNull("text").put("dateRetracted", clock.millis());
        }
        emit("updated-message", message);
    }

    /** Sends an event once, without waiting for the answer. */
    public void emit(String type, JsonNode about) {
        ObjectNode event = Json.MAPPER.createObjectNode().put("type", type);
        event.set("data", about.deepCopy());
        String body = event.toString();
        webhooks.execute(() -> post(body));
    }

    private void post(String body) {
        URI address = webhook;
        if (address == null) {
            return;
        }
        try {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .timeout(LIMIT)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            answered.add(
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        } catch (IOException nobody) {
            answered.add(0);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until all events so far are sent. */
    public void settle() {
        try {
            webhooks.submit(() -> {}).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException stuck) {
            throw new IllegalStateException(stuck);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized LocalApi.Answer answer(LocalApi.Request request) {
        if (!PASSWORD.equals(request.parameters().get("password"))) {
            return error(401, "The password is wrong", "Unauthorized");
        }
        String path = request.path().startsWith(ROOT) ? request.path().substring(ROOT.length()) : "";
        String call = request.method() + " " + path;
        if (call.startsWith("GET attachment/") && call.endsWith("/download")) {
            return download(path.substring("attachment/".length(), path.length() - "/download".length()));
        }
        if (call.startsWith("POST chat/") && call.endsWith("/typing")) {
            typing.add(path.substring("chat/".length(), path.length() - "/typing".length()));
            return success(Json.MAPPER.createObjectNode());
        }
        return switch (call) {
            case "POST message/text" -> send(body(request));
            case "POST message/query" -> query(body(request));
            case "POST contact/query" -> contacts(body(request));
            case "GET server/info" ->
                success(Json.MAPPER
                        .createObjectNode()
                        .put("server_version", "1.9.9")
                        .put("private_api", false)
                        .put("detected_imessage", owner)
                        .putNull("detected_icloud"));
            default -> notFound();
        };
    }

    private LocalApi.Answer send(@Nullable ObjectNode body) {
        String method = body == null ? "" : body.path("method").asString("apple-script");
        if (body == null || !text(body, "chatGuid") || !text(body, "message") || !method.equals("apple-script")) {
            return bad("The request is not what it should be");
        }
        String marker = body.path("tempGuid").asString("");
        if (marker.isEmpty()) {
            return bad("tempGuid is missing");
        }
        if (queued.contains(marker)) {
            return bad("Message is already queued to be sent! (Temp GUID: " + marker + ")");
        }
        String chat = body.path("chatGuid").asString();
        if (!chats.contains(chat)) {
            return error(500, "Message Send Error", "Chat does not exist!");
        }
        ObjectNode message =
                BlueBubblesMessages.said(chat, null, body.path("message").asString(), clock.instant());
        history.add(message);
        ObjectNode shown = message.deepCopy().put("tempGuid", marker);
        emit("new-message", shown);
        return success(shown);
    }

    private LocalApi.Answer query(@Nullable ObjectNode body) {
        if (body == null
                || body.path("limit").asInt(100) > MAX_ASKED
                || body.path("limit").asInt(100) < 1
                || body.path("offset").asInt(0) < 0
                || !Set.of("ASC", "DESC").contains(body.path("sort").asString("DESC"))) {
            return bad("The request is not what it should be");
        }
        String chat = body.path("chatGuid").asString("");
        if (!chat.isEmpty() && !chats.contains(chat)) {
            return notFound();
        }
        long after = body.path("after").asLong(0);
        long before = body.path("before").asLong(Long.MAX_VALUE);
        Comparator<ObjectNode> byTime =
                Comparator.comparingLong(message -> message.path("dateCreated").asLong());
        boolean latest = body.path("sort").asString("DESC").equals("DESC");
        boolean withChats = body.path("with")
                .valueStream()
                .anyMatch(each -> each.asString("").startsWith("chat"));
        List<ObjectNode> found = history.stream()
                .filter(message -> chat.isEmpty() || isIn(message, chat))
                .filter(message -> message.path("dateCreated").asLong() >= after)
                .filter(message -> message.path("dateCreated").asLong() <= before)
                .sorted(latest ? byTime.reversed() : byTime)
                .toList();
        ArrayNode page = Json.MAPPER.createArrayNode();
        found.stream()
                .skip(body.path("offset").asInt(0))
                .limit(body.path("limit").asInt(100))
                .forEach(message -> {
                    ObjectNode copy = message.deepCopy();
                    if (!withChats) {
                        copy.remove("chats");
                    }
                    page.add(copy);
                });
        return success(page);
    }

    private LocalApi.Answer contacts(@Nullable ObjectNode body) {
        if (body == null || !body.path("addresses").isArray()) {
            return bad("addresses is not a list");
        }
        ArrayNode found = Json.MAPPER.createArrayNode();
        for (JsonNode address : body.path("addresses")) {
            String name = names.get(address.asString(""));
            if (name != null) {
                ObjectNode contact = found.addObject().put("displayName", name).put("sourceType", "api");
                contact.putArray(address.asString().contains("@") ? "emails" : "phoneNumbers")
                        .addObject()
                        .put("address", address.asString());
            }
        }
        return success(found);
    }

    private LocalApi.Answer download(String guid) {
        byte[] bytes = attachments.get(guid);
        return bytes == null
                ? error(404, "Nothing is there", "There is no such attachment")
                : new LocalApi.Answer(200, Map.of("Content-Type", "application/octet-stream"), bytes);
    }

    private static boolean isIn(ObjectNode message, String chatGuid) {
        return message.at("/chats/0/guid").asString("").equals(chatGuid);
    }

    private static boolean text(ObjectNode body, String name) {
        return body.path(name).isString() && !body.path(name).stringValue().isEmpty();
    }

    private static @Nullable ObjectNode body(LocalApi.Request request) {
        try {
            return request.header("Content-Type").orElse("").startsWith("application/json")
                            && Json.MAPPER.readTree(request.text()) instanceof ObjectNode object
                    ? object
                    : null;
        } catch (JacksonException notJson) {
            return null;
        }
    }

    private static LocalApi.Answer success(JsonNode content) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("status", 200).put("message", "Success");
        answer.set("data", content);
        return LocalApi.Answer.json(200, answer.toString());
    }

    private static LocalApi.Answer bad(String why) {
        return error(400, "That cannot be asked", why);
    }

    private static LocalApi.Answer error(int status, String message, String why) {
        ObjectNode answer = Json.MAPPER.createObjectNode().put("status", status).put("message", message);
        answer.putObject("error").put("type", "Error").put("message", why);
        return LocalApi.Answer.json(status, answer.toString());
    }

    /** The web framework's answer to an unknown path. */
    private static LocalApi.Answer notFound() {
        return new LocalApi.Answer(
                404, Map.of("Content-Type", "text/plain"), "Not Found".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        webhooks.shutdownNow();
        api.close();
        client.shutdownNow();
        client.close();
    }
}
