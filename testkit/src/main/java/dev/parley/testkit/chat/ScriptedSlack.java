package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import dev.parley.testkit.chat.LocalApi.Answer;
import dev.parley.testkit.chat.LocalApi.Request;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A <a href="https://docs.slack.dev/apis/web-api/">Slack</a> with one workspace. It has the methods that a bot uses,
 * and is as strict as the real Slack about tokens, channels, threads, sizes and rates. {@link SlackPostman} signs and
 * sends its events.
 */
public final class ScriptedSlack implements AutoCloseable {
    public static final String TEAM = "T0PARLEY01";
    public static final String APP = "A0PARLEY01";
    public static final String BOT_USER = "U0BOT00001";
    public static final String BOT = "B0BOT00001";
    public static final String TOKEN = "xoxb-scripted-0123456789-token";
    public static final String SIGNING_SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

    private static final int MAX_TEXT = 40_000;
    private static final int MAX_PAGE = 999;
    private static final Pattern PING = Pattern.compile("<!(?:here|channel|everyone|subteam)[^>]*>");

    private final LocalApi api = new LocalApi(this::answer);
    private final SlackWorkspace workspace;
    private final Map<String, ObjectNode> users = new ConcurrentHashMap<>();
    private final Map<String, ScriptedFile> files = new ConcurrentHashMap<>();
    private final Map<String, String> hidden = new ConcurrentHashMap<>();
    private final List<String> pings = new CopyOnWriteArrayList<>();
    private final List<String> statuses = new CopyOnWriteArrayList<>();

    public ScriptedSlack(Clock clock) {
        workspace = new SlackWorkspace(clock);
    }

    private record ScriptedFile(ObjectNode described, byte[] bytes) {}

    /** The local API, for the calls received and for planned failures. */
    public LocalApi api() {
        return api;
    }

    /** The base address of the methods. */
    public URI url() {
        return URI.create(api.url() + "/api");
    }

    /** The flags of a server that uses this Slack. */
    public String[] flags(String... more) {
        return Stream.concat(
                        Stream.of(
                                "--slack-signing-secret",
                                SIGNING_SECRET,
                                "--slack-bot-token",
                                TOKEN,
                                "--slack-api-url",
                                url().toString()),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** Opens a channel with a new id. */
    public String openChannel() {
        String channel = newId("C");
        openChannel(channel);
        return channel;
    }

    /** A new id in Slack's form, which begins with this letter, such as U for a user. */
    public static String newId(String letter) {
        String digits = UUID.randomUUID().toString().replace("-", "");
        return letter + digits.substring(0, 10).toUpperCase(Locale.ROOT);
    }

    public void openChannel(String channel) {
        workspace.open(channel);
    }

    /** Makes posts to the channel fail with this error from now on. */
    public void closeChannel(String channel, String error) {
        workspace.close(channel, error);
    }

    /** Sets the number of posts that a channel accepts in this time. */
    public void limitPosts(int most, Duration per) {
        workspace.limit(most, per);
    }

    public void addUser(String id, String displayName, String realName) {
        ObjectNode user = Json.MAPPER.createObjectNode().put("id", id).put("real_name", realName);
        user.putObject("profile").put("display_name", displayName).put("real_name", realName);
        users.put(id, user);
    }

    /** Adds a file, and returns the JSON that a message with the file contains. */
    public ObjectNode addFile(String id, String name, String mimeType, byte[] bytes) {
        ObjectNode file = Json.MAPPER
                .createObjectNode()
                .put("id", id)
                .put("name", name)
                .put("mimetype", mimeType)
                .put("size", bytes.length)
                .put("url_private", api.url() + "/files-pri/" + id)
                .put("url_private_download", api.url() + "/files-pri/" + id + "/download");
        files.put(id, new ScriptedFile(file, bytes));
        return file.deepCopy();
    }

    /** Adds a message of a user. */
    public SlackPost say(String channel, String user, String text, @Nullable String thread) {
        String ts = workspace.add(channel, user, text, thread, null, null);
        return workspace.find(channel, ts).orElseThrow();
    }

    /** Deletes a message as its sender. */
    public void delete(SlackPost post) {
        workspace.delete(post.channel(), post.ts());
    }

    /** Forbids the bot to read a channel's history from now on, and answers with this Slack error. */
    public void hideHistory(String channel, String error) {
        hidden.put(channel, error);
    }

    public void showHistory(String channel) {
        hidden.remove(channel);
    }

    /** All messages in a channel, in order, with all its threads. */
    public List<SlackPost> messages(String channel) {
        return workspace.posts(channel);
    }

    /** The messages of the bot in a channel, in order. */
    public List<SlackPost> answers(String channel) {
        return messages(channel).stream().filter(post -> post.bot() != null).toList();
    }

    /** The messages that notified whole channels. */
    public List<String> pings() {
        return List.copyOf(pings);
    }

    /** The statuses shown beneath threads, as {@code channel/thread: status}. */
    public List<String> statuses() {
        return List.copyOf(statuses);
    }

    private Answer answer(Request request) {
        if (!request.header("Authorization").orElse("").equals("Bearer " + TOKEN)) {
            return request.path().startsWith("/files-pri/")
                    ? new Answer(302, Map.of("Location", "/login"), new byte[0])
                    : failed("invalid_auth");
        }
        if (request.path().startsWith("/files-pri/")) {
            return download(request.path().split("/")[2]);
        }
        String method = request.path().substring(request.path().lastIndexOf('/') + 1);
        boolean json = request.header("Content-Type").orElse("").startsWith("application/json");
        return switch (method) {
            case "chat.postMessage", "chat.update", "chat.delete", "assistant.threads.setStatus" ->
                json
                        ? body(request).map(body -> perform(method, body)).orElseGet(() -> failed("invalid_json"))
                        : failed("not_expected_here_without_json");
            case "auth.test", "users.info", "files.info", "conversations.history", "conversations.replies" ->
                json ? failed("invalid_form_data") : query(method, request.fields());
            default -> failed("unknown_method");
        };
    }

    private static Optional<JsonNode> body(Request request) {
        try {
            return Optional.of(Json.MAPPER.readTree(request.body())).filter(JsonNode::isObject);
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }

    private Answer perform(String method, JsonNode body) {
        return switch (method) {
            case "chat.postMessage" -> post(body);
            case "chat.update" -> update(body);
            case "chat.delete" ->
                workspace.remove(text(body, "channel"), text(body, "ts"))
                        ? done(Json.MAPPER.createObjectNode())
                        : failed("message_not_found");
            default -> status(body);
        };
    }

    private Answer post(JsonNode body) {
        String channel = text(body, "channel");
        String said = text(body, "text");
        String thread = body.has("thread_ts") ? text(body, "thread_ts") : null;
        Optional<String> closed = workspace.closed(channel, thread);
        if (closed.isPresent()) {
            return failed(closed.get());
        }
        JsonNode metadata = body.get("metadata");
        if (said.isEmpty() || said.length() > MAX_TEXT) {
            return failed(said.isEmpty() ? "no_text" : "msg_too_long");
        }
        if (metadata != null
                && (text(metadata, "event_type").isEmpty()
                        || !metadata.path("event_payload").isObject())) {
            return failed("invalid_metadata_format");
        }
        long early = workspace.tooEarly(channel);
        if (early > 0) {
            return Answer.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}")
                    .with("Retry-After", Long.toString(early));
        }
        Matcher ping = PING.matcher(said);
        while (ping.find()) {
            pings.add(ping.group());
        }
        String ts = workspace.add(channel, BOT_USER, said, thread, BOT, metadata);
        ObjectNode posted =
                Json.MAPPER.createObjectNode().put("channel", channel).put("ts", ts);
        posted.set("message", workspace.find(channel, ts).orElseThrow().toJson(true));
        return done(posted);
    }

    private Answer update(JsonNode body) {
        String channel = text(body, "channel");
        String ts = text(body, "ts");
        return workspace.replace(channel, ts, text(body, "text"))
                ? done(Json.MAPPER.createObjectNode().put("channel", channel).put("ts", ts))
                : failed("message_not_found");
    }

    private Answer status(JsonNode body) {
        if (workspace.closed(text(body, "channel_id"), text(body, "thread_ts")).isPresent()) {
            return failed("channel_not_found");
        }
        statuses.add(text(body, "channel_id") + "/" + text(body, "thread_ts") + ": " + text(body, "status"));
        return done(Json.MAPPER.createObjectNode());
    }

    private Answer query(String method, Map<String, String> arguments) {
        return switch (method) {
            case "auth.test" ->
                done(Json.MAPPER
                        .createObjectNode()
                        .put("team_id", TEAM)
                        .put("user_id", BOT_USER)
                        .put("bot_id", BOT));
            case "users.info" -> wrapped("user", users.get(arguments.getOrDefault("user", "")), "user_not_found");
            case "files.info" -> {
                ScriptedFile file = files.get(arguments.getOrDefault("file", ""));
                yield wrapped("file", file == null ? null : file.described(), "file_not_found");
            }
            default -> history(arguments, method.endsWith("replies"));
        };
    }

    private static Answer wrapped(String name, @Nullable ObjectNode found, String error) {
        if (found == null) {
            return failed(error);
        }
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.set(name, found);
        return done(body);
    }

    /**
     * A page of a channel or of a thread. A channel begins with its newest message and leaves out replies in threads. A
     * thread begins with its root.
     */
    private Answer history(Map<String, String> arguments, boolean replies) {
        String channel = arguments.getOrDefault("channel", "");
        String root = arguments.getOrDefault("ts", "");
        if (!workspace.has(channel)) {
            return failed("channel_not_found");
        }
        String refusal = hidden.get(channel);
        if (refusal != null) {
            return failed(refusal);
        }
        if (replies && workspace.find(channel, root).isEmpty()) {
            return failed("thread_not_found");
        }
        String oldest = arguments.getOrDefault("oldest", "0");
        String latest = arguments.getOrDefault("latest", "9");
        Predicate<SlackPost> between =
                post -> post.ts().compareTo(oldest) > 0 && post.ts().compareTo(latest) < 0;
        Predicate<SlackPost> shown = replies
                ? between.and(post -> root.equals(post.thread()))
                        .or(post -> post.ts().equals(root))
                : between.and(post -> !post.isReply());
        List<SlackPost> found =
                new ArrayList<>(workspace.posts(channel).stream().filter(shown).toList());
        if (!replies) {
            Collections.reverse(found);
        }
        return page(found, arguments);
    }

    private static Answer page(List<SlackPost> found, Map<String, String> arguments) {
        int limit = Math.min(MAX_PAGE, Integer.parseInt(arguments.getOrDefault("limit", "100")));
        int from = Integer.parseInt(arguments.getOrDefault("cursor", "0"));
        int to = Math.min(found.size(), from + limit);
        boolean withMetadata = "true".equals(arguments.get("include_all_metadata"));
        ObjectNode body = Json.MAPPER.createObjectNode().put("has_more", to < found.size());
        ArrayNode messages = body.putArray("messages");
        found.subList(Math.min(from, to), to).forEach(post -> messages.add(post.toJson(withMetadata)));
        body.putObject("response_metadata").put("next_cursor", to < found.size() ? Integer.toString(to) : "");
        return done(body);
    }

    private Answer download(String id) {
        ScriptedFile file = files.get(id);
        return file == null
                ? new Answer(404, Map.of(), new byte[0])
                : new Answer(200, Map.of("Content-Type", text(file.described(), "mimetype")), file.bytes());
    }

    private static String text(JsonNode object, String name) {
        return object.path(name).asString("");
    }

    private static Answer done(ObjectNode body) {
        return new Answer(
                200,
                Map.of("Content-Type", "application/json; charset=utf-8"),
                body.put("ok", true).toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Answer failed(String error) {
        return Answer.json(200, "{\"ok\":false,\"error\":\"" + error + "\"}");
    }

    @Override
    public void close() {
        api.close();
    }
}
