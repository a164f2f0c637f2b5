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

/** Maps messages that were said in Discord. The text stays as it is; who, where and to whom goes beside it. */
final class DiscordMessages {
    private static final String AT = "d.";
    /** What people say: a message, a reply, what a command made somebody's bot say. All others tell of the channel. */
    private static final Set<Integer> SAID = Set.of(0, 19, 20);

    /** Well below what a message may have. */
    private static final int MAX_METADATA_BYTES = 12 * 1024;

    private static final int DIRECT = 1;
    private static final int GROUP = 3;

    private final DiscordFiles files;
    private final DiscordThreads threads;

    DiscordMessages(DiscordFiles files, DiscordThreads threads) {
        this.files = files;
        this.threads = threads;
    }

    static boolean isSaid(JsonNode message) {
        return SAID.contains(message.path("type").asInt(0));
    }

    static boolean isByBot(JsonNode message) {
        return isTrue(message.path("author"), "bot") || text(message, "webhook_id") != null;
    }

    /**
     * A message that was said.
     *
     * @param self the bot's own user id, if it is known
     * @param eventId what the relay calls this delivery, if it does
     */
    PlatformEvent said(JsonNode message, Optional<String> self, @Nullable String eventId) {
        String messageId = requireId(message, "id", AT);
        String channel = requireId(message, "channel_id", AT);
        JsonNode author = message.path("author");
        String authorId = requireId(author, "id", AT + "author.");
        if (!isSaid(message)) {
            return new PlatformEvent.Ignored("not_said");
        }
        String typed = text(message, "content");
        Map<String, JsonNode> parts = typed == null ? DiscordParts.of(message) : Map.of();
        String content = typed == null ? DiscordParts.words(message) : typed;
        List<RemoteFile> attached = files.of(message.path("attachments"));
        boolean silent = content.isEmpty() && attached.isEmpty();
        if (silent && parts.isEmpty()) {
            // Discord hides all of it from bots without the intent to read it.
            return new PlatformEvent.Ignored("no_text");
        }
        boolean bot = isByBot(message);
        boolean fromSelf = self.filter(authorId::equals).isPresent();
        String workspace = id(message, "guild_id", AT);
        String kind = kind(message, workspace);
        ObjectNode metadata = sender(authorId, displayName(author, message.path("member"), authorId), bot)
                .put("channel_external_id", channel)
                .put("external_message_id", messageId)
                .put("conversation_kind", kind);
        putIfThere(metadata, "workspace_id", workspace);
        putIfThere(metadata, "external_event_id", eventId);
        String repliedTo = repliedTo(message);
        putIfThere(metadata, "reply_to_external_id", repliedTo);
        putIfThere(metadata, "sent_at", text(message, "timestamp"));
        putIfThere(metadata, "webhook_id", text(message, "webhook_id"));
        ArrayNode mentions = mentions(message.path("mentions"), self);
        if (kind.equals("dm") && !bot) {
            addImplied(mentions, self.orElse(null), "dm");
        }
        if (!mentions.isEmpty()) {
            metadata.set("mentions", mentions);
        }
        parts.forEach((name, value) -> putIfItFits(metadata, "discord_" + name, value));
        return new PlatformEvent.Posted(
                // Nobody can answer what has no words and no files.
                InboundMessage.ofPlatform(content, metadata, null, silent),
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

    /** Who speaks to the bot alone, or calls it by a command, speaks to it without naming it. */
    static void addImplied(ArrayNode mentions, @Nullable String self, String by) {
        ObjectNode mention = mentions.addObject();
        putIfThere(mention, "external_id", self);
        mention.put("is_self", true).put("implied_by", by);
    }

    private static void putIfItFits(ObjectNode metadata, String name, JsonNode value) {
        metadata.set(name, value);
        if (Json.MAPPER.writeValueAsBytes(metadata).length > MAX_METADATA_BYTES) {
            metadata.remove(name);
        }
    }

    static void putIfThere(ObjectNode object, String name, @Nullable String value) {
        if (value != null) {
            object.put(name, value);
        }
    }

    static String kind(JsonNode where, @Nullable String workspace) {
        return switch (where.path("channel_type").asInt(-1)) {
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

    /** A message that is passed on refers to another one too, but answers nothing. */
    private static @Nullable String repliedTo(JsonNode message) {
        JsonNode reference = message.path("message_reference");
        return reference.path("type").asInt(0) == 0 ? id(reference, "message_id", AT + "message_reference.") : null;
    }
}
