package dev.parley.platforms.discord;

import static dev.parley.platforms.discord.DiscordJson.displayName;
import static dev.parley.platforms.discord.DiscordJson.text;

import dev.parley.ingest.EarlierMessage;
import dev.parley.ingest.HistoryCalls;
import dev.parley.ingest.MissingHistory;
import dev.parley.ingest.PlatformHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the messages before a given message in a Discord thread, and the message that a reply answers, by <a
 * href="https://docs.discord.com/developers/resources/message#get-channel-messages">Get Channel Messages</a>. A thread
 * that was opened at a message begins with a message of type 21, which refers to that message in the parent channel.
 */
final class DiscordThreads {
    private static final Set<Integer> THREAD_CHANNELS = Set.of(10, 11, 12);
    private static final int STARTER = 21;
    private static final int MAX_PAGE = 100;

    private final @Nullable DiscordApi api;

    /** @param api null if there is no token; Discord then cannot be asked */
    DiscordThreads(@Nullable DiscordApi api) {
        this.api = api;
    }

    /**
     * The missing messages before a message.
     *
     * @param repliedTo the id of the message that the given message answers; null if it answers no message
     */
    List<MissingHistory> before(JsonNode message, String channel, String id, @Nullable String repliedTo) {
        List<MissingHistory> earlier = new ArrayList<>();
        if (isInThread(message)) {
            earlier.add(new MissingHistory.InThread(
                    null, false, (maxMessages, limit) -> ask(limit, reads -> thread(reads, channel, id, maxMessages))));
        }
        if (repliedTo != null) {
            JsonNode included = message.path("referenced_message");
            earlier.add(new MissingHistory.Reply(
                    repliedTo, (maxMessages, limit) -> answered(channel, repliedTo, included, limit)));
        }
        return earlier;
    }

    /** True for messages in threads: by the type of the channel, or by the position if the gateway omits the type. */
    private static boolean isInThread(JsonNode message) {
        JsonNode type = message.path("channel_type");
        return type.isInt()
                ? THREAD_CHANNELS.contains(type.intValue())
                : message.path("position").isInt();
    }

    /** A read of history. */
    private interface HistoryRead {
        PlatformHistory from(DiscordReads reads) throws DiscordReads.Unreadable, InterruptedException;
    }

    private PlatformHistory ask(Duration limit, HistoryRead read) throws InterruptedException {
        DiscordApi discord = api;
        if (discord == null) {
            return new PlatformHistory.Unread(
                    "Without discord-bot-token Discord cannot be asked for earlier messages.",
                    HistoryCalls.MISSING_TOKEN_RETRY_DELAY);
        }
        try {
            return read.from(new DiscordReads(discord, limit));
        } catch (DiscordReads.Unreadable unreadable) {
            return unreadable.toHistory();
        }
    }

    /**
     * The answered message, which Discord usually includes. A null means that the message was deleted. If the field is
     * absent, Discord left the message out, and the message is requested.
     */
    private PlatformHistory answered(String channel, String id, JsonNode included, Duration limit)
            throws InterruptedException {
        if (included.isNull()) {
            return new PlatformHistory.Unread("The message that this one answers was deleted.", null);
        }
        return included.isObject()
                ? single(included)
                : ask(limit, reads -> single(reads.get("/channels/" + channel + "/messages/" + id)));
    }

    private static PlatformHistory single(JsonNode message) {
        return new PlatformHistory.Read(message(message, false), PlatformHistory.Skipped.NONE, false, null);
    }

    private static PlatformHistory thread(DiscordReads reads, String channel, String before, int maxMessages)
            throws DiscordReads.Unreadable, InterruptedException {
        int limit = Math.min(maxMessages, MAX_PAGE);
        String path = "/channels/" + channel + "/messages?limit=";
        List<JsonNode> page = oldestFirst(reads.get(path + limit + "&before=" + before));
        // A thread has the id of the message at which it was opened, so no message in the thread has a lower id.
        JsonNode first = page.size() < limit
                ? page.isEmpty() ? null : page.getFirst()
                : oldestFirst(reads.get(path + "1&after=" + Snowflake.before(channel))).stream()
                        .findFirst()
                        .orElse(null);
        if (first == null) {
            return new PlatformHistory.Read(List.of(), PlatformHistory.Skipped.NONE, false, null);
        }
        boolean text = page.getFirst().path("id").equals(first.path("id"));
        List<JsonNode> rest = text ? page.subList(1, page.size()) : page;
        JsonNode root = first.path("type").asInt(0) == STARTER ? starter(reads, first) : first;
        List<EarlierMessage> messages = new ArrayList<>();
        if (root != null) {
            messages.addAll(message(root, true));
        }
        rest.forEach(message -> messages.addAll(message(message, false)));
        int skipped = text ? 0 : between(first, rest.getFirst());
        return new PlatformHistory.Read(messages, new PlatformHistory.Skipped(List.of(), skipped), root == null, null);
    }

    /** The message at which a thread was opened; null if the message was deleted. */
    private static @Nullable JsonNode starter(DiscordReads reads, JsonNode first)
            throws DiscordReads.Unreadable, InterruptedException {
        JsonNode included = first.path("referenced_message");
        JsonNode reference = first.path("message_reference");
        String channel = text(reference, "channel_id");
        String id = text(reference, "message_id");
        if (included.isObject() || included.isNull() || channel == null || id == null) {
            return included.isObject() ? included : null;
        }
        return reads.get("/channels/" + channel + "/messages/" + id);
    }

    /**
     * The number of messages between two messages, computed from the positions that Discord gives them; at least one.
     */
    private static int between(JsonNode first, JsonNode next) {
        return Math.max(
                1, next.path("position").asInt(0) - first.path("position").asInt(0) - 1);
    }

    private static List<JsonNode> oldestFirst(JsonNode page) {
        return page.valueStream().toList().reversed();
    }

    /** The message if a sender wrote it; empty for notices from Discord, and for messages without text and files. */
    private static List<EarlierMessage> message(JsonNode message, boolean first) {
        String id = text(message, "id");
        JsonNode author = message.path("author");
        String authorId = text(author, "id");
        String content = text(message, "content");
        String text = content == null ? DiscordFiles.placeholder(message.path("attachments")) : content;
        if (id == null || authorId == null || text.isBlank() || !DiscordMessages.isMessage(message)) {
            return List.of();
        }
        String token = DiscordMessages.isByBot(message) || !DiscordJson.isId(authorId) ? null : "<@" + authorId + ">";
        return List.of(new EarlierMessage(
                id,
                text(message, "channel_id"),
                text(message, "nonce"),
                new EarlierMessage.Author(
                        DiscordPlatform.SOURCE + ":" + authorId,
                        displayName(author, message.path("member"), authorId),
                        token),
                text,
                DiscordJson.isId(id) ? Snowflake.madeAt(id) : null,
                first));
    }
}
