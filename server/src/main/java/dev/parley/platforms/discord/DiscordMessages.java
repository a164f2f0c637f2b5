package dev.parley.platforms.discord;

import static dev.parley.platforms.discord.DiscordJson.displayName;
import static dev.parley.platforms.discord.DiscordJson.id;
import static dev.parley.platforms.discord.DiscordJson.isTrue;
import static dev.parley.platforms.discord.DiscordJson.requireId;
import static dev.parley.platforms.discord.DiscordJson.text;

import dev.parley.ingest.InboundMessage;
import dev.parley.ingest.PlatformEvent;
import dev.parley.ingest.RemoteFile;
import dev.parley.protocol.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps Discord's messages (<a href="https://docs.discord.com/developers/resources/message">Discord: messages</a>). The
 * text stays unchanged; sender, channel and mentions become metadata.
 */
final class DiscordMessages {
    private static final String FIELD = "d.";
    /**
     * The types of messages that a sender wrote: a message, a reply, and the answer to a command. Messages of other
     * types are notices in the channel.
     */
    private static final Set<Integer> MESSAGE_TYPES = Set.of(0, 19, 20);

    /** Limit of the metadata, well below the limit for the metadata of messages. */
    private static final int MAX_METADATA_BYTES = 12 * 1024;

    private static final int DIRECT = 1;
    private static final int GROUP = 3;

    private final DiscordFiles files;
    private final DiscordThreads threads;

    DiscordMessages(DiscordFiles files, DiscordThreads threads) {
        this.files = files;
        this.threads = threads;
    }

    static boolean isMessage(JsonNode message) {
        return MESSAGE_TYPES.contains(message.path("type").asInt(0));
    }

    static boolean isByBot(JsonNode message) {
        return isTrue(message.path("author"), "bot") || text(message, "webhook_id") != null;
    }

    /**
     * Maps a message.
     *
     * @param self the bot's own user id, if it is known
     * @param eventId the relay's id of the event; null if it sends none
     */
    PlatformEvent read(JsonNode message, Optional<String> self, @Nullable String eventId) {
        String messageId = requireId(message, "id", FIELD);
        String channel = requireId(message, "channel_id", FIELD);
        JsonNode author = message.path("author");
        String authorId = requireId(author, "id", FIELD + "author.");
        if (!isMessage(message)) {
            return new PlatformEvent.Ignored("not_said");
        }
        String typed = text(message, "content");
        Map<String, JsonNode> parts = typed == null ? DiscordParts.of(message) : Map.of();
        String content = typed == null ? DiscordParts.textOf(message) : typed;
        List<RemoteFile> attached = files.of(message.path("attachments"));
        boolean empty = content.isEmpty() && attached.isEmpty();
        if (empty && parts.isEmpty()) {
            // Discord hides the content from bots without the message content intent.
            return new PlatformEvent.Ignored("no_text");
        }
        boolean bot = isByBot(message);
        boolean fromSelf = self.filter(authorId::equals).isPresent();
        String workspace = id(message, "guild_id", FIELD);
        String kind = kind(message, workspace);
        ObjectNode metadata = sender(authorId, displayName(author, message.path("member"), authorId), bot)
                .put("channel_external_id", channel)
                .put("external_message_id", messageId)
                .put("conversation_kind", kind);
        putIfPresent(metadata, "workspace_id", workspace);
        putIfPresent(metadata, "external_event_id", eventId);
        String repliedTo = repliedTo(message);
        putIfPresent(metadata, "reply_to_external_id", repliedTo);
        putIfPresent(metadata, "sent_at", text(message, "timestamp"));
        putIfPresent(metadata, "webhook_id", text(message, "webhook_id"));
        ArrayNode mentions = mentions(message.path("mentions"), self);
        if (kind.equals("dm") && !bot) {
            addImplied(mentions, self.orElse(null), "dm");
        }
        if (!mentions.isEmpty()) {
            metadata.set("mentions", mentions);
        }
        parts.forEach((name, value) -> putIfItFits(metadata, "discord_" + name, value));
        return new PlatformEvent.Posted(
                // Without text and files a message cannot be answered.
                InboundMessage.ofPlatform(content, metadata, null, empty),
                attached,
                new PlatformEvent.Echo(fromSelf ? text(message, "nonce") : null, fromSelf, false),
                threads.before(message, channel, messageId, repliedTo));
    }

    static ObjectNode sender(String id, String displayName, boolean bot) {
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("source", DiscordPlatform.SOURCE)
                .put("sender_id", DiscordPlatform.SOURCE + ":" + id)
                .put("sender_display_name", displayName)
                .put("sender_type", bot ? "bot" : "human");
        if (!bot) {
            metadata.put("mention_token", "<@" + id + ">");
        }
        return metadata;
    }

    /** Adds the mention that a direct message or a command implies. */
    static void addImplied(ArrayNode mentions, @Nullable String self, String by) {
        ObjectNode mention = mentions.addObject();
        putIfPresent(mention, "external_id", self);
        mention.put("is_self", true).put("implied_by", by);
    }

    private static void putIfItFits(ObjectNode metadata, String name, JsonNode value) {
        metadata.set(name, value);
        if (Json.MAPPER.writeValueAsBytes(metadata).length > MAX_METADATA_BYTES) {
            metadata.remove(name);
        }
    }

    static void putIfPresent(ObjectNode object, String name, @Nullable String value) {
        if (value != null) {
            object.put(name, value);
        }
    }

    static String kind(JsonNode channel, @Nullable String workspace) {
        return switch (channel.path("channel_type").asInt(-1)) {
            case DIRECT -> "dm";
            case GROUP -> "group";
            default -> workspace == null ? "dm" : "channel";
        };
    }

    private static ArrayNode mentions(JsonNode users, Optional<String> self) {
        ArrayNode mentions = Json.MAPPER.createArrayNode();
        for (JsonNode user : users) {
            String id = text(user, "id");
            if (id != null && DiscordJson.isId(id)) {
                mentions.addObject()
                        .put("external_id", id)
                        .put("display", displayName(user, user.path("member"), id))
                        .put("token", "<@" + id + ">")
                        .put("is_self", self.filter(id::equals).isPresent());
            }
        }
        return mentions;
    }

    /**
     * The id of the message that the given message answers; null if it answers no message or is a forwarded message.
     */
    private static @Nullable String repliedTo(JsonNode message) {
        JsonNode reference = message.path("message_reference");
        return reference.path("type").asInt(0) == 0 ? id(reference, "message_id", FIELD + "message_reference.") : null;
    }
}
