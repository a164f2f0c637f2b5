package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import dev.parley.testkit.chat.DiscordChannel.Message;
import dev.parley.testkit.chat.DiscordChannel.User;
import dev.parley.testkit.chat.LocalApi.Answer;
import dev.parley.testkit.chat.LocalApi.Request;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A <a href="https://docs.discord.com/developers/reference">Discord</a> on this machine with the parts that a bot
 * needs: channels and their history, one bot with its token, nonces that are remembered for a while, rate limits,
 * files. It refuses and notes each forbidden action of the bot.
 */
public final class ScriptedDiscord implements AutoCloseable {
    public static final String TOKEN = "scripted.discord.token";
    public static final User BOT = new User("1100000000000000001", "parley", null, true);

    private static final String BASE = "/api/v10";
    private static final long FIRST_MILLISECOND = 1_420_070_400_000L;
    private static final int MAX_TEXT = 2_000;
    private static final int MAX_NONCE = 25;
    private static final int MAX_PAGE = 100;
    private static final int REPLY = 19;
    private static final int STARTER = 21;

    private final Clock clock;
    private final LocalApi api = new LocalApi(this::answer);
    private final Map<String, DiscordChannel> channels = new ConcurrentHashMap<>();
    private final Map<String, String> refusing = new ConcurrentHashMap<>();
    private final Map<String, Deque<Instant>> posted = new ConcurrentHashMap<>();
    private final Map<String, Message> nonces = new ConcurrentHashMap<>();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final List<String> typed = new CopyOnWriteArrayList<>();
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    private final Set<String> deleted = ConcurrentHashMap.newKeySet();
    private final AtomicLong counter = new AtomicLong();
    private volatile boolean showsNonces;
    private volatile Duration remembersNonces = Duration.ofMinutes(3);
    private volatile int maxPosts = Integer.MAX_VALUE;
    private volatile Duration window = Duration.ofSeconds(5);
    private volatile @Nullable Instant closedUntil;

    public ScriptedDiscord(Clock clock) {
        this.clock = clock;
    }

    /** The base address of the API, in the form that a Parley server takes as a setting. */
    public URI url() {
        return URI.create(api.url() + BASE);
    }

    /**
     * The flags of a server that uses this Discord.
     *
     * @param publicKey the application's public key
     * @param relayKey the integration key of the relay that forwards Discord's events
     */
    public String[] flags(String publicKey, String relayKey, String... more) {
        return Stream.concat(
                        Stream.of(
                                "--integration-keys",
                                "discord=" + relayKey,
                                "--discord-public-key",
                                publicKey,
                                "--discord-bot-token",
                                TOKEN,
                                "--discord-api-url",
                                url().toString()),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    /** The local API, for the calls received and for planned failures. */
    public LocalApi api() {
        return api;
    }

    /** Sets whether a channel's history shows the nonces of messages, which Discord does not promise. */
    public void showNonces(boolean shows) {
        showsNonces = shows;
    }

    void rememberNonces(Duration time) {
        remembersNonces = time;
    }

    /** Sets the number of messages that a channel accepts in this time. */
    public void limitPosts(int most, Duration time) {
        maxPosts = most;
        window = time;
    }

    /** Refuses every call for this time. */
    public void closeFor(Duration time) {
        closedUntil = clock.instant().plus(time);
    }

    /** @param guild null for a direct message channel */
    public DiscordChannel open(@Nullable String guild) {
        DiscordChannel channel = new DiscordChannel(nextId(), guild, false);
        channels.put(channel.id(), channel);
        return channel;
    }

    /**
     * Opens a thread at a message. The thread has the id of the message, and begins with a reference to the message.
     */
    public DiscordChannel openThread(DiscordChannel parent, Message at) {
        DiscordChannel thread = new DiscordChannel(at.id(), parent.guild().orElse(null), true);
        channels.put(thread.id(), thread);
        thread.add(new Message(
                nextId(),
                thread.id(),
                at.author(),
                "",
                null,
                clock.instant(),
                STARTER,
                new DiscordChannel.Reference(parent.id(), at.id(), at)));
        return thread;
    }

    /** Deletes a message of a user. References to the message become empty. */
    public void delete(DiscordChannel channel, Message message) {
        channel.replace(message.id(), message.author(), null);
        deleted.add(message.id());
    }

    /** Forbids the bot to read a channel's history from now on. */
    public void hideHistory(DiscordChannel channel) {
        hidden.add(channel.id());
    }

    /** Forbids the bot to write in a channel from now on, and answers with this Discord error. */
    public void refuse(DiscordChannel channel, int code, String message) {
        refusing.put(channel.id(), error(code, message));
    }

    /** Adds a message of a user without the API. */
    public Message say(DiscordChannel channel, User author, String text) {
        return add(channel, author, text, null);
    }

    /** The texts of the bot in a channel, in order. */
    public List<String> answers(DiscordChannel channel) {
        return channel.messages().stream()
                .filter(message -> message.author().equals(BOT))
                .map(Message::content)
                .toList();
    }

    /** Adds a user's reply to a message without the API. */
    public Message reply(DiscordChannel channel, User author, String text, Message to) {
        Message message = new Message(
                nextId(), channel.id(), author, text, null, clock.instant(), REPLY, DiscordChannel.Reference.to(to));
        channel.add(message);
        return message;
    }

    /** Stores a file, and returns its address. */
    public URI keep(String name, byte[] bytes) {
        String path = "/attachments/" + nextId() + "/" + name;
        files.put(path, bytes);
        return URI.create(api.url() + path);
    }

    /** The forbidden actions of the bot. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** The channels in which the bot was seen typing, in order. */
    public List<String> typing() {
        return List.copyOf(typed);
    }

    /** A new id for this moment; ids grow even while the clock stands still. */
    public String nextId() {
        return Long.toString(((clock.millis() - FIRST_MILLISECOND) << 22) + counter.incrementAndGet());
    }

    private Message add(DiscordChannel channel, User author, String text, @Nullable String nonce) {
        Message message = new Message(nextId(), channel.id(), author, text, nonce, clock.instant(), 0, null);
        channel.add(message);
        return message;
    }

    private Answer answer(Request request) {
        byte[] file = files.get(request.path());
        if (file != null) {
            return new Answer(200, Map.of("Content-Type", "application/octet-stream"), file);
        }
        if (!request.header("Authorization").filter(("Bot " + TOKEN)::equals).isPresent()) {
            violations.add("without the bot's token: " + request.path());
            return Answer.json(401, "{\"message\":\"401: Unauthorized\",\"code\":0}");
        }
        if (!request.header("User-Agent").orElse("").startsWith("DiscordBot (")) {
            violations.add("without a name of its own: " + request.path());
        }
        String path = request.path().startsWith(BASE) ? request.path().substring(BASE.length()) : "";
        if (request.method().equals("GET") && path.equals("/users/@me")) {
            return Answer.json(200, BOT.toJson().toString());
        }
        String[] parts = path.split("/");
        if (parts.length < 4 || parts.length > 5 || !parts[1].equals("channels")) {
            return Answer.json(404, error(0, "404: Not Found"));
        }
        DiscordChannel channel = channels.get(parts[2]);
        if (channel == null) {
            return Answer.json(404, error(10_003, "Unknown Channel"));
        }
        if (parts.length == 5) {
            return revise(channel, parts[4], request);
        }
        return switch (request.method() + " " + parts[3]) {
            case "GET messages" -> history(channel, request.parameters());
            case "POST messages" -> post(channel, request);
            case "POST typing" -> {
                typed.add(channel.id());
                yield new Answer(204, Map.of(), new byte[0]);
            }
            default -> Answer.json(405, error(0, "405: Method Not Allowed"));
        };
    }

    private Answer revise(DiscordChannel channel, String id, Request request) {
        if (request.method().equals("DELETE")) {
            return channel.replace(id, BOT, null)
                    ? new Answer(204, Map.of(), new byte[0])
                    : Answer.json(404, error(10_008, "Unknown Message"));
        }
        if (request.method().equals("GET")) {
            return hidden.contains(channel.id())
                    ? Answer.json(403, error(50_001, "Missing Access"))
                    : channel.find(id)
                            .map(message ->
                                    Answer.json(200, message.toJson(showsNonces).toString()))
                            .orElseGet(() -> Answer.json(404, error(10_008, "Unknown Message")));
        }
        String text = read(request).path("content").asString("");
        return request.method().equals("PATCH") && !text.isEmpty() && channel.replace(id, BOT, text)
                ? Answer.json(200, "{\"id\":\"" + id + "\"}")
                : Answer.json(404, error(10_008, "Unknown Message"));
    }

    private Answer history(DiscordChannel channel, Map<String, String> parameters) {
        int limit = Integer.parseInt(parameters.getOrDefault("limit", "50"));
        if (limit < 1 || limit > MAX_PAGE) {
            return Answer.json(400, error(50_035, "Invalid Form Body"));
        }
        if (hidden.contains(channel.id())) {
            return Answer.json(403, error(50_001, "Missing Access"));
        }
        ArrayNode page = Json.MAPPER.createArrayNode();
        channel.page(number(parameters, "before"), number(parameters, "after"), limit)
                .forEach(message -> page.add(json(channel, message)));
        return Answer.json(200, page.toString());
    }

    private static @Nullable Long number(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        return value == null ? null : Long.valueOf(value);
    }

    private ObjectNode json(DiscordChannel channel, Message message) {
        ObjectNode json = message.toJson(showsNonces);
        if (channel.isThread()) {
            json.put("position", channel.messages().indexOf(message));
        }
        DiscordChannel.Reference reference = message.reference();
        return reference != null && deleted.contains(reference.id()) ? json.putNull("referenced_message") : json;
    }

    private synchronized Answer post(DiscordChannel channel, Request request) {
        Optional<Answer> limited = limited(channel);
        if (limited.isPresent()) {
            return limited.get();
        }
        String refusal = refusing.get(channel.id());
        if (refusal != null) {
            return Answer.json(403, refusal);
        }
        JsonNode body = read(request);
        // Like the real Discord, the script removes blanks around a text.
        String text = body.path("content").asString("").strip();
        String nonce = body.path("nonce").asString("");
        Optional<String> fault = fault(body, text, nonce);
        if (fault.isPresent()) {
            violations.add(fault.get());
            return Answer.json(400, error(text.isEmpty() ? 50_006 : 50_035, fault.get()));
        }
        Message before = nonces.get(nonce);
        if (before != null && clock.instant().isBefore(before.time().plus(remembersNonces))) {
            return Answer.json(200, before.toJson(true).toString());
        }
        posted.computeIfAbsent(channel.id(), id -> new ArrayDeque<>()).add(clock.instant());
        Message message = add(channel, BOT, text, nonce);
        nonces.put(nonce, message);
        return Answer.json(200, message.toJson(true).toString());
    }

    private static JsonNode read(Request request) {
        try {
            return Json.MAPPER.readTree(request.body());
        } catch (JacksonException notJson) {
            return Json.MAPPER.createObjectNode();
        }
    }

    private static Optional<String> fault(JsonNode body, String text, String nonce) {
        if (text.isEmpty()) {
            return Optional.of("Cannot send an empty message");
        }
        if (text.codePointCount(0, text.length()) > MAX_TEXT) {
            return Optional.of("Must be 2000 or fewer in length.");
        }
        if (nonce.isEmpty()
                || nonce.length() > MAX_NONCE
                || !body.path("enforce_nonce").asBoolean(false)) {
            return Optional.of("A nonce of at most 25 characters is expected, and to be enforced.");
        }
        for (JsonNode kind : body.path("allowed_mentions").path("parse")) {
            if (!kind.asString("").equals("users")) {
                return Optional.of("Only users may be called.");
            }
        }
        return body.path("allowed_mentions").path("parse").isArray()
                ? Optional.empty()
                : Optional.of("It must be said who may be called.");
    }

    private Optional<Answer> limited(DiscordChannel channel) {
        Instant now = clock.instant();
        Instant until = closedUntil;
        if (until != null && now.isBefore(until)) {
            return Optional.of(tooMany(Duration.between(now, until), true));
        }
        Deque<Instant> recent = posted.computeIfAbsent(channel.id(), id -> new ArrayDeque<>());
        while (!recent.isEmpty() && !recent.getFirst().plus(window).isAfter(now)) {
            recent.removeFirst();
        }
        return recent.size() < maxPosts
                ? Optional.empty()
                : Optional.of(tooMany(Duration.between(now, recent.getFirst().plus(window)), false));
    }

    private static Answer tooMany(Duration wait, boolean global) {
        double seconds = wait.toMillis() / 1_000.0;
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("message", "You are being rate limited.")
                .put("retry_after", seconds)
                .put("global", global);
        return Answer.json(429, body.toString())
                .with("Retry-After", Long.toString((long) Math.ceil(seconds)))
                .with("X-RateLimit-Remaining", "0")
                .with("X-RateLimit-Reset-After", Double.toString(seconds))
                .with("X-RateLimit-Scope", global ? "global" : "user");
    }

    private static String error(int code, String message) {
        return Json.MAPPER
                .createObjectNode()
                .put("message", message)
                .put("code", code)
                .toString();
    }

    @Override
    public void close() {
        api.close();
    }
}
