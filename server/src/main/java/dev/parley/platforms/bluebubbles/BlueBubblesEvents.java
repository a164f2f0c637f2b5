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

/** Says what BlueBubbles' events mean. Decides nothing about them, and changes no text but to take placeholders out. */
final class BlueBubblesEvents {
    static final String SOURCE = "bluebubbles";
    static final String PREFIX = "bb:";

    /** Nobody wants an answer to what was said longer ago; it is stored all the same. */
    static final Duration OLD = Duration.ofMinutes(5);

    private static final int MAX_FILES = 100;
    private static final int GROUP = 43;
    /** What the Mac writes where an attachment stands. Nobody typed it. */
    private static final String PLACEHOLDER = "\uFFFC";
    /** What the Mac stores of a link's preview. The link itself is in the text. */
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

    /** What a webhook tells of. */
    List<PlatformEvent> read(String type, JsonNode message) {
        return switch (type) {
            case "new-message" -> List.of(appeared(message));
            case "updated-message" -> List.of(changed(message).orElseGet(() -> new PlatformEvent.Ignored("receipt")));
            case "" -> List.of(new PlatformEvent.Ignored("no type"));
            default -> List.of(new PlatformEvent.Ignored("other event"));
        };
    }

    /** What a message of the history tells of: that it was said, and what became of it since. */
    List<PlatformEvent> recall(JsonNode message) {
        Optional<PlatformEvent> changed = changed(message);
        if (changed.isPresent() && changed.get() instanceof PlatformEvent.Deleted) {
            // What it said is gone from the Mac.
            return List.of(changed.get());
        }
        List<PlatformEvent> recalled = new ArrayList<>(List.of(appeared(message)));
        changed.ifPresent(recalled::add);
        return recalled;
    }

    private PlatformEvent appeared(JsonNode message) {
        Chat chat = Chat.of(message);
        String guid = Fields.text(message, "guid");
        if (guid.isEmpty() || chat.guid().isEmpty()) {
            // The history names the chat of each message, so what matters is found there.
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
        return said(message, chat, text, files);
    }

    /** Somebody came or left, or gave a group a name. */
    private static boolean isAnnouncement(JsonNode message) {
        return Fields.number(message, "itemType") != 0 || Fields.number(message, "groupActionType") != 0;
    }

    private PlatformEvent said(JsonNode message, Chat chat, String text, List<RemoteFile> files) {
        boolean fromMe = Fields.isTrue(message, "isFromMe");
        boolean withOneself = !chat.isGroup() && contacts.isOwn(chat.identifier());
        Speaker speaker = speaker(message, chat);
        Optional<Instant> sent = Fields.moment(message, "dateCreated");
        boolean old = sent.isPresent() && sent.get().isBefore(clock.instant().minus(OLD));
        // The Mac's owner who writes to other people does not write to an agent.
        boolean passive = old || fromMe && !withOneself;
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
            // Who writes to this account alone means the agent behind it.
            metadata.putArray("mentions").addObject().put("is_self", true);
        }
        return new PlatformEvent.Posted(
                InboundMessage.ofPlatform(text, metadata, null, passive),
                files,
                new PlatformEvent.Echo(marker(message), fromMe, withOneself));
    }

    private static void putUnlessEmpty(ObjectNode metadata, String name, String value) {
        if (!value.isEmpty()) {
            metadata.put(name, value);
        }
    }

    /** Other programs name what they send, too. */
    private static @Nullable String marker(JsonNode message) {
        String given = Fields.text(message, "tempGuid");
        return MARKER.spells(given, 22, 22) ? given : null;
    }

    /** A changed message is told of again when it is delivered and read, still with the moment of its change. */
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
            // Nothing can be edited to be empty: newer Macs tell so of what was unsent.
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

    /** @param id with the source's prefix */
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
     * Where something was said.
     *
     * @param identifier in a chat of two the other one's address
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
                    style == 0 ? known && parts.group(1).equals("+") : style == GROUP);
        }
    }
}
