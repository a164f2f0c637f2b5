package dev.parley.platforms.slack;

import dev.parley.ingest.PlatformEvent;
import tools.jackson.databind.JsonNode;

/**
 * Maps Slack's events (<a href="https://docs.slack.dev/reference/events/message">Slack: message events</a>). An event
 * that is no message and changes no message is ignored, with its type as the reason.
 */
final class SlackEvents {
    private final SlackMessages messages;
    private final SlackAccount account;
    private final SlackNames names;

    SlackEvents(SlackMessages messages, SlackAccount account, SlackNames names) {
        this.messages = messages;
        this.account = account;
        this.names = names;
    }

    PlatformEvent read(SlackEnvelope envelope) {
        String type = SlackJson.text(envelope.event(), "type");
        return switch (type) {
            case "message" -> message(envelope);
            case "app_mention" -> messages.read(envelope);
            case "reaction_added" -> reaction(envelope, true);
            case "reaction_removed" -> reaction(envelope, false);
            default -> new PlatformEvent.Ignored(SlackJson.first(type, "unknown"));
        };
    }

    private PlatformEvent message(SlackEnvelope envelope) {
        String subtype = SlackJson.text(envelope.event(), "subtype");
        return switch (subtype) {
            case "message_changed" -> changed(envelope);
            case "message_deleted" -> deleted(envelope);
            default -> isMessage(envelope.event()) ? messages.read(envelope) : new PlatformEvent.Ignored(subtype);
        };
    }

    /** True if a sender wrote the message; the other subtypes are Slack's own notices. */
    static boolean isMessage(JsonNode message) {
        return switch (SlackJson.text(message, "subtype")) {
            case "", "file_share", "thread_broadcast", "me_message", "bot_message" -> true;
            default -> false;
        };
    }

    /**
     * Maps an edit. Slack also sends the event of an edit for the preview of a link, for the first reply to a message,
     * and for a deleted root.
     */
    private PlatformEvent changed(SlackEnvelope envelope) {
        JsonNode event = envelope.event();
        JsonNode now = event.path("message");
        PlatformEvent.MessageRef message = envelope.messageRef(
                SlackEnvelope.require(event, "event.", "channel"), SlackEnvelope.require(now, "event.message.", "ts"));
        if (SlackJson.text(now, "subtype").equals("tombstone")) {
            return new PlatformEvent.Deleted(message);
        }
        if (account.isOwnMessage(envelope, now)) {
            return new PlatformEvent.Ignored("own_edit");
        }
        String text = SlackBlocks.text(now);
        JsonNode before = event.path("previous_message");
        boolean same = before.isObject() ? text.equals(SlackBlocks.text(before)) : !now.has("edited");
        return same
                ? new PlatformEvent.Ignored("same_text")
                : new PlatformEvent.Edited(message, SlackText.decode(text));
    }

    private static PlatformEvent deleted(SlackEnvelope envelope) {
        JsonNode event = envelope.event();
        return new PlatformEvent.Deleted(envelope.messageRef(
                SlackEnvelope.require(event, "event.", "channel"),
                SlackEnvelope.require(event, "event.", "deleted_ts")));
    }

    private PlatformEvent reaction(SlackEnvelope envelope, boolean added) {
        JsonNode event = envelope.event();
        JsonNode item = event.path("item");
        String user = SlackEnvelope.require(event, "event.", "user");
        if (!SlackJson.text(item, "type").equals("message") || account.isUser(envelope, user)) {
            return new PlatformEvent.Ignored("reaction_to_no_message_or_by_us");
        }
        return new PlatformEvent.Reacted(
                envelope.messageRef(
                        SlackEnvelope.require(item, "event.item.", "channel"),
                        SlackEnvelope.require(item, "event.item.", "ts")),
                SlackPlatform.SOURCE + ":" + user,
                names.of(user),
                SlackEnvelope.require(event, "event.", "reaction"),
                added);
    }
}
