package dev.parley.platforms.bluebubbles;

import dev.parley.ingest.InboundMessage;
import dev.parley.ingest.PlatformEvent;
import dev.parley.ingest.RemoteFile;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps BlueBubbles' webhooks and messages to platform events
 * (<a href="https://docs.bluebubbles.app/server/developer-guides/rest-api-and-webhooks">BlueBubbles: REST API and
 * webhooks</a>). It removes placeholders from texts and changes nothing else.
 */
final class BlueBubblesEvents {
    static final String SOURCE = "bluebubbles";
    static final String PREFIX = "bb:";

    /** Age from which a message is stored but not answered. */
    static final Duration MAX_ANSWER_AGE = Duration.ofMinutes(5);

    private static final int MAX_FILES = 100;
    /** The style of group chats. */
    private static final int GROUP_STYLE = 43;
    /** The Mac's placeholder for an attachment, which no person typed. */
    private static final String PLACEHOLDER = "\uFFFC";
    /** The suffix of a file that contains the preview of a link. The link itself is in the text. */
    private static final String PREVIEW = ".pluginpayloadattachment";

    private static final Alphabet MARKER = Alphabet.of("A-Za-z0-9_-");

    private final BlueBubblesApi api;
    private final Contacts contacts;
    private final Clock clock;

    BlueBubblesEvents(BlueBubblesApi api, Contacts contacts, Clock clock) {
        this.api = api;
        this.contacts = contacts;
        this.clock = clock;
    }

    /** The events of a webhook. */
    List<PlatformEvent> read(String type, JsonNode message) {
        return switch (type) {
            case "new-message" -> List.of(original(message));
            case "updated-message" -> List.of(changed(message).orElseGet(() -> new PlatformEvent.Ignored("receipt")));
            case "" -> List.of(new PlatformEvent.Ignored("no type"));
            default -> List.of(new PlatformEvent.Ignored("other event"));
        };
    }

    /** The events of a message in the history: its posting, and its latest edit or deletion. */
    List<PlatformEvent> readHistory(JsonNode message) {
        Optional<PlatformEvent> changed = changed(message);
        if (changed.isPresent() && changed.get() instanceof PlatformEvent.Deleted) {
            // The Mac no longer has the text of a deleted message.
            return List.of(changed.get());
        }
        List<PlatformEvent> events = new ArrayList<>(List.of(original(message)));
        changed.ifPresent(events::add);
        return events;
    }

    private PlatformEvent original(JsonNode message) {
        Chat chat = Chat.of(message);
        String guid = Fields.text(message, "guid");
        if (guid.isEmpty() || chat.guid().isEmpty()) {
            // The backfill finds the message later, because the history names the chat of each message.
            return new PlatformEvent.Ignored("no guid or chat");
        }
        if (isAnnouncement(message)) {
            return new PlatformEvent.Ignored("announcement");
        }
        Optional<Tapback> tapback = Tapback.read(message);
        if (tapback.isPresent()) {
            Speaker speaker = speaker(message, chat);
            return new PlatformEvent.Reacted(
                    new PlatformEvent.MessageRef("", chat.guid(), tapback.get().target(), guid)
                            .happened(Fields.moment(message, "dateCreated").orElse(null)),
                    speaker.id(),
                    speaker.name(),
                    tapback.get().emoji(),
                    tapback.get().added());
        }
        List<RemoteFile> files = files(message);
        String text = text(message);
        if (text.isEmpty() && files.isEmpty()) {
            return new PlatformEvent.Ignored("nothing said");
        }
        return posted(message, chat, text, files);
    }

    /** True for joins, leaves and renamed groups. */
    private static boolean isAnnouncement(JsonNode message) {
        return Fields.number(message, "itemType") != 0 || Fields.number(message, "groupActionType") != 0;
    }

    private PlatformEvent posted(JsonNode message, Chat chat, String text, List<RemoteFile> files) {
        boolean fromMe = Fields.isTrue(message, "isFromMe");
        boolean toSelf = !chat.isGroup() && contacts.isOwn(chat.identifier());
        Speaker speaker = speaker(message, chat);
        Optional<Instant> sent = Fields.moment(message, "dateCreated");
        boolean old = sent.isPresent() && sent.get().isBefore(clock.instant().minus(MAX_ANSWER_AGE));
        // Messages of the Mac's owner to other people are not addressed to an agent.
        boolean passive = old || fromMe && !toSelf;
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("source", SOURCE)
                .put("sender_id", speaker.id())
                .put("sender_display_name", speaker.name())
                .put("sender_type", "human")
                .put("channel_external_id", chat.guid())
                .put("external_message_id", Fields.text(message, "guid"))
                .put("message_guid", Fields.text(message, "guid"))
                .put("conversation_kind", chat.isGroup() ? "group" : "dm")
                .put("is_from_me", fromMe);
        sent.ifPresent(when -> metadata.put("sent_at", when.toString()));
        putUnlessEmpty(metadata, "reply_to_external_id", Fields.text(message, "threadOriginatorGuid"));
        putUnlessEmpty(metadata, "subject", Fields.text(message, "subject"));
        if (!chat.isGroup() && !passive) {
            // A direct message to this account addresses its agent.
            metadata.putArray("mentions").addObject().put("is_self", true);
        }
        return new PlatformEvent.Posted(
                InboundMessage.ofPlatform(text, metadata, null, passive),
                files,
                new PlatformEvent.Echo(marker(message), fromMe, toSelf));
    }

    private static void putUnlessEmpty(ObjectNode metadata, String name, String value) {
        if (!value.isEmpty()) {
            metadata.put(name, value);
        }
    }

    /** The marker of a part that this server sent; null if another program chose the id. */
    private static @Nullable String marker(JsonNode message) {
        String id = Fields.text(message, "tempGuid");
        return MARKER.spells(id, 22, 22) ? id : null;
    }

    /**
     * The edit or deletion of the message. Receipts repeat an edit or deletion with the same time, so the id of the
     * event contains that time.
     */
    private static Optional<PlatformEvent> changed(JsonNode message) {
        Chat chat = Chat.of(message);
        String guid = Fields.text(message, "guid");
        if (guid.isEmpty() || chat.guid().isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> retracted = Fields.moment(message, "dateRetracted");
        Optional<Instant> edited = Fields.moment(message, "dateEdited");
        String text = text(message);
        if (retracted.isPresent() || edited.isPresent() && text.isEmpty()) {
            // Newer Macs report an unsent message as an edit to an empty text.
            long when = retracted.or(() -> edited).orElseThrow().toEpochMilli();
            return Optional.of(new PlatformEvent.Deleted(
                    new PlatformEvent.MessageRef("", chat.guid(), guid, guid + "/unsent/" + when)));
        }
        return edited.map(when -> new PlatformEvent.Edited(
                new PlatformEvent.MessageRef("", chat.guid(), guid, guid + "/edited/" + when.toEpochMilli())
                        .happened(when),
                text));
    }

    private static String text(JsonNode message) {
        String text = Fields.text(message, "text");
        return message.path("attachments").isEmpty() ? text : text.replace(PLACEHOLDER, "");
    }

    private List<RemoteFile> files(JsonNode message) {
        return message.path("attachments")
                .valueStream()
                .filter(each -> !Fields.text(each, "guid").isEmpty())
                .filter(each -> !Fields.text(each, "transferName")
                        .toLowerCase(Locale.ROOT)
                        .endsWith(PREVIEW))
                .limit(MAX_FILES)
                .map(this::file)
                .toList();
    }

    private RemoteFile file(JsonNode attachment) {
        String guid = Fields.text(attachment, "guid");
        String name = Fields.text(attachment, "transferName");
        String type = Fields.text(attachment, "mimeType");
        return new RemoteFile(
                api.attachmentUrl(guid),
                name.isEmpty() ? null : name,
                type.isEmpty() ? null : type,
                Math.max(0, Fields.number(attachment, "totalBytes")),
                () -> api.attachment(guid));
    }

    /** @param id the address with the source's prefix */
    private record Speaker(String id, String name) {}

    private Speaker speaker(JsonNode message, Chat chat) {
        String address = Fields.text(message.path("handle"), "address").strip();
        if (address.isEmpty() && !chat.isGroup()) {
            address = chat.identifier();
        }
        if (Fields.isTrue(message, "isFromMe") || contacts.isOwn(address)) {
            return new Speaker(PREFIX + contacts.ownAddress(), "Me");
        }
        return address.isEmpty()
                ? new Speaker(PREFIX + "unknown", "Unknown")
                : new Speaker(PREFIX + address, contacts.nameOf(address));
    }

    /**
     * The chat of a message.
     *
     * @param identifier in a direct chat the other person's address
     */
    private record Chat(String guid, String identifier, boolean isGroup) {
        private static final Pattern GUID = Pattern.compile("[^;]*;([+-]);(.+)", Pattern.DOTALL);

        static Chat of(JsonNode message) {
            JsonNode chat = message.path("chats").path(0);
            String guid = Fields.text(chat, "guid");
            Matcher parts = GUID.matcher(guid);
            boolean known = parts.matches();
            String identifier = Fields.text(chat, "chatIdentifier").strip();
            long style = Fields.number(chat, "style");
            return new Chat(
                    guid,
                    identifier.isEmpty() && known ? parts.group(2) : identifier,
                    style == 0 ? known && parts.group(1).equals("+") : style == GROUP_STYLE);
        }
    }
}
