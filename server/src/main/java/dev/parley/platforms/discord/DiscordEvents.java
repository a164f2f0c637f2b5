package dev.parley.platforms.discord;

import static dev.parley.platforms.discord.DiscordJson.displayName;
import static dev.parley.platforms.discord.DiscordJson.id;
import static dev.parley.platforms.discord.DiscordJson.requireId;
import static dev.parley.platforms.discord.DiscordJson.text;

import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps events of Discord's gateway, which a relay forwards as {@code {"t": name, "d": data}}
 * (<a href="https://docs.discord.com/developers/events/gateway-events">Discord: gateway events</a>).
 */
final class DiscordEvents {
    private static final String FIELD = "d.";

    private final DiscordMessages messages;
    private final DiscordAccount account;

    DiscordEvents(DiscordMessages messages, DiscordAccount account) {
        this.messages = messages;
        this.account = account;
    }

    List<PlatformEvent> map(ObjectNode event) {
        String name = text(event, "t");
        if (name == null) {
            throw ProblemException.invalidField("t", "must name an event of the gateway");
        }
        JsonNode data = event.path("d");
        if (!data.isObject()) {
            throw ProblemException.invalidField("d", "must be an object");
        }
        String eventId = text(event, "event_id");
        return switch (name) {
            case "MESSAGE_CREATE" -> List.of(messages.read(data, self(event), eventId));
            case "MESSAGE_UPDATE" -> List.of(updated(data, self(event), eventId));
            case "MESSAGE_DELETE" ->
                List.of(new PlatformEvent.Deleted(messageRef(data, requireId(data, "id", FIELD), eventId)));
            case "MESSAGE_DELETE_BULK" -> deleted(data);
            case "MESSAGE_REACTION_ADD" -> List.of(reacted(data, self(event), eventId, true));
            case "MESSAGE_REACTION_REMOVE" -> List.of(reacted(data, self(event), eventId, false));
            default -> List.of(new PlatformEvent.Ignored("event"));
        };
    }

    /** The bot's own id. A relay that knows its account sends the id; otherwise the id is looked up. */
    private Optional<String> self(ObjectNode event) {
        return Optional.ofNullable(id(event, "bot_user_id", "")).or(account::id);
    }

    private static PlatformEvent.MessageRef messageRef(JsonNode data, String messageId, @Nullable String eventId) {
        String workspace = id(data, "guild_id", FIELD);
        return new PlatformEvent.MessageRef(
                workspace == null ? "" : workspace, requireId(data, "channel_id", FIELD), messageId, eventId);
    }

    /**
     * Maps an update. Discord also sends updates for the preview of a link, a pinned message and an opened thread. An
     * update has a time of editing only if the text was edited; this time identifies the edit.
     */
    private static PlatformEvent updated(JsonNode data, Optional<String> self, @Nullable String eventId) {
        String messageId = requireId(data, "id", FIELD);
        String editedAt = text(data, "edited_timestamp");
        if (editedAt == null || !data.path("content").isString()) {
            return new PlatformEvent.Ignored("not_edited");
        }
        String author = id(data.path("author"), "id", FIELD + "author.");
        if (author != null && self.filter(author::equals).isPresent()) {
            return new PlatformEvent.Ignored("own_edit");
        }
        String edit = eventId == null ? messageId + "@" + editedAt : eventId;
        return new PlatformEvent.Edited(
                messageRef(data, messageId, edit).happened(moment(editedAt)),
                data.path("content").stringValue());
    }

    private static @Nullable Instant moment(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    private static List<PlatformEvent> deleted(JsonNode data) {
        List<PlatformEvent> deletions = new ArrayList<>();
        for (JsonNode each : data.path("ids")) {
            String messageId = each.asString("");
            if (!DiscordJson.isId(messageId)) {
                throw ProblemException.invalidField(FIELD + "ids", "must be ids of Discord, as texts of digits");
            }
            deletions.add(new PlatformEvent.Deleted(messageRef(data, messageId, null)));
        }
        return deletions;
    }

    private static PlatformEvent reacted(
            JsonNode data, Optional<String> self, @Nullable String eventId, boolean added) {
        String user = requireId(data, "user_id", FIELD);
        String emoji = emoji(data.path("emoji"));
        if (self.filter(user::equals).isPresent()) {
            return new PlatformEvent.Ignored("own_reaction");
        }
        JsonNode member = data.path("member");
        return new PlatformEvent.Reacted(
                messageRef(data, requireId(data, "message_id", FIELD), eventId),
                DiscordPlatform.SOURCE + ":" + user,
                displayName(member.path("user"), member, user),
                emoji,
                added);
    }

    /** The emoji itself, or the name and id of a custom emoji. */
    private static String emoji(JsonNode emoji) {
        String id = id(emoji, "id", FIELD + "emoji.");
        String name = text(emoji, "name");
        if (id == null && name == null) {
            throw ProblemException.invalidField(FIELD + "emoji", "must have a name or an id");
        }
        return id == null ? String.valueOf(name) : (name == null ? "" : name) + ":" + id;
    }
}
