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

/** Maps events of Discord's gateway, as a relay forwards them: {@code {"t": name, "d": what happened}}. */
final class DiscordEvents {
    private static final String AT = "d.";

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
        JsonNode what = event.path("d");
        if (!what.isObject()) {
            throw ProblemException.invalidField("d", "must be an object");
        }
        String eventId = text(event, "event_id");
        return switch (name) {
            case "MESSAGE_CREATE" -> List.of(messages.said(what, self(event), eventId));
            case "MESSAGE_UPDATE" -> List.of(updated(what, self(event), eventId));
            case "MESSAGE_DELETE" -> List.of(new PlatformEvent.Deleted(spot(what, requireId(what, "id", AT), eventId)));
            case "MESSAGE_DELETE_BULK" -> deleted(what);
            case "MESSAGE_REACTION_ADD" -> List.of(reacted(what, self(event), eventId, true));
            case "MESSAGE_REACTION_REMOVE" -> List.of(reacted(what, self(event), eventId, false));
            default -> List.of(new PlatformEvent.Ignored("event"));
        };
    }

    /** A relay knows who it is signed in as; one that does not say so has the bot's account asked. */
    private Optional<String> self(ObjectNode event) {
        return Optional.ofNullable(id(event, "bot_user_id", "")).or(account::id);
    }

    private static PlatformEvent.MessageRef spot(JsonNode what, String messageId, @Nullable String eventId) {
        String workspace = id(what, "guild_id", AT);
        return new PlatformEvent.MessageRef(
                workspace == null ? "" : workspace, requireId(what, "channel_id", AT), messageId, eventId);
    }

    /**
     * Discord tells of an update also when a link's picture was found, when a message was pinned, or when a thread was
     * opened at it. Only what somebody typed anew has a time of editing, and each edit has its own.
     */
    private static PlatformEvent updated(JsonNode what, Optional<String> self, @Nullable String eventId) {
        String messageId = requireId(what, "id", AT);
        String editedAt = text(what, "edited_timestamp");
        if (editedAt == null || !what.path("content").isString()) {
            return new PlatformEvent.Ignored("not_edited");
        }
        String author = id(what.path("author"), "id", AT + "author.");
        if (author != null && self.filter(author::equals).isPresent()) {
            return new PlatformEvent.Ignored("own_edit");
        }
        String edit = eventId == null ? messageId + "@" + editedAt : eventId;
        return new PlatformEvent.Edited(
                spot(what, messageId, edit).happened(moment(editedAt)),
                what.path("content").stringValue());
    }

    private static @Nullable Instant moment(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    private static List<PlatformEvent> deleted(JsonNode what) {
        List<PlatformEvent> gone = new ArrayList<>();
        for (JsonNode each : what.path("ids")) {
            String messageId = each.asString("");
            if (!DiscordJson.isId(messageId)) {
                throw ProblemException.invalidField(AT + "ids", "must be ids of Discord, as texts of digits");
            }
            gone.add(new PlatformEvent.Deleted(spot(what, messageId, null)));
        }
        return gone;
    }

    private static PlatformEvent reacted(
            JsonNode what, Optional<String> self, @Nullable String eventId, boolean added) {
        String user = requireId(what, "user_id", AT);
        String emoji = emoji(what.path("emoji"));
        if (self.filter(user::equals).isPresent()) {
            return new PlatformEvent.Ignored("own_reaction");
        }
        JsonNode member = what.path("member");
        return new PlatformEvent.Reacted(
                spot(what, requireId(what, "message_id", AT), eventId),
                DiscordPlatform.SOURCE + ":" + user,
                displayName(member.path("user"), member, user),
                emoji,
                added);
    }

    /** The emoji itself; one that a server of Discord made by its name and id. */
    private static String emoji(JsonNode emoji) {
        String id = id(emoji, "id", AT + "emoji.");
        String name = text(emoji, "name");
        if (id == null && name == null) {
            throw ProblemException.invalidField(AT + "emoji", "must have a name or an id");
        }
        return id == null ? String.valueOf(name) : (name == null ? "" : name) + ":" + id;
    }
}
