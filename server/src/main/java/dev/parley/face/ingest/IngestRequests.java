package dev.parley.face.ingest;

import dev.parley.auth.Sources;
import dev.parley.ingest.InboundMessage;
import dev.parley.ingest.KnownKeys;
import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the requests of integrations, and checks only their shape. Unknown fields are handed on, not dropped. */
final class IngestRequests {
    /**
     * The field that flags a message whose text has a legacy prefix. It is stored with the message, like unknown
     * fields.
     */
    private static final String LEGACY_PREFIX = "legacy_prefix";

    private static final KnownKeys BODY = new KnownKeys("", kinds(), List.of("msg_metadata"));

    private static final KnownKeys INJECTED = new KnownKeys(
            "",
            Map.of(
                    "message", KnownKeys.Kind.TEXT,
                    "content", KnownKeys.Kind.TEXT,
                    "source", KnownKeys.Kind.TEXT,
                    "msg_metadata", KnownKeys.Kind.OBJECT,
                    "extra_metadata", KnownKeys.Kind.OBJECT),
            List.of());
    private static final KnownKeys REVISION = new KnownKeys(
            "",
            texts(
                    "source",
                    "workspace_id",
                    "channel_external_id",
                    "external_message_id",
                    "external_event_id",
                    "kind",
                    "message",
                    "sender_id",
                    "sender_display_name",
                    "emoji"),
            List.of("source", "channel_external_id", "external_message_id", "kind"));

    private IngestRequests() {}

    private static Map<String, KnownKeys.Kind> texts(String... names) {
        Map<String, KnownKeys.Kind> kinds = new LinkedHashMap<>();
        for (String name : names) {
            kinds.put(name, KnownKeys.Kind.TEXT);
        }
        return kinds;
    }

    private static Map<String, KnownKeys.Kind> kinds() {
        Map<String, KnownKeys.Kind> kinds = new LinkedHashMap<>();
        kinds.put("message", KnownKeys.Kind.TEXT);
        kinds.put("bot_id", KnownKeys.Kind.TEXT);
        kinds.put("client_id", KnownKeys.Kind.TEXT);
        kinds.put("session_id", KnownKeys.Kind.TEXT);
        kinds.put("msg_metadata", KnownKeys.Kind.OBJECT);
        kinds.put("attachments", KnownKeys.Kind.OBJECTS);
        kinds.put("file_metadata", KnownKeys.Kind.OBJECTS);
        kinds.put("dispatch_type", KnownKeys.Kind.TEXT);
        kinds.put("dispatch_config", KnownKeys.Kind.OBJECT);
        kinds.put("passive", KnownKeys.Kind.TRUTH);
        kinds.put(LEGACY_PREFIX, KnownKeys.Kind.TRUTH);
        return kinds;
    }

    static InboundMessage submission(ObjectNode body) {
        List<FieldError> faults = BODY.faults(body);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        ArrayNode files = body.path("file_metadata") instanceof ArrayNode list && !list.isEmpty() ? list : null;
        return new InboundMessage(
                body.path("message").asString(""),
                text(body, "bot_id"),
                text(body, "client_id"),
                text(body, "session_id"),
                (ObjectNode) body.get("msg_metadata"),
                files(body.path("attachments")),
                files,
                text(body, "dispatch_type"),
                body.path("dispatch_config") instanceof ObjectNode config ? config : null,
                body.path("passive").asBoolean(false),
                extras(body));
    }

    /**
     * A message for a thread that is named by its id, in the form of in-process integrations. In this form {@code
     * content} may replace {@code message}, {@code extra_metadata} may replace {@code msg_metadata}, and the source may
     * be a field beside the metadata.
     */
    static InboundMessage injection(String session, ObjectNode body) {
        List<FieldError> faults = INJECTED.faults(body);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        ObjectNode chat = body.deepCopy();
        move(chat, "content", "message");
        move(chat, "extra_metadata", "msg_metadata");
        String source = text(chat, "source");
        chat.remove("source");
        if (chat.get("msg_metadata") instanceof ObjectNode metadata && source != null) {
            String named = text(metadata, "source");
            if (named != null && !named.equals(source)) {
                throw ProblemException.invalidField("source", "differs from the source in the metadata");
            }
            metadata.put("source", source);
        }
        return submission(chat.put("session_id", session));
    }

    private static void move(ObjectNode body, String from, String to) {
        JsonNode value = body.remove(from);
        if (value == null || value.isNull()) {
            return;
        }
        if (body.hasNonNull(to)) {
            throw ProblemException.invalidField(from, "cannot be combined with " + to);
        }
        body.set(to, value);
    }

    /** A platform's revision of an earlier message. */
    record Revision(String source, PlatformEvent.Revision revision) {}

    static Revision revision(ObjectNode body) {
        List<FieldError> faults = REVISION.faults(body);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        for (String name : List.of("sender_id", "emoji")) {
            if (body.path(name).isString() && body.path(name).asString().isEmpty()) {
                throw ProblemException.invalidField(name, "must not be empty; omit it if the revision is no reaction");
            }
        }
        String source = body.path("source").asString();
        if (!Sources.isSource(source)) {
            throw ProblemException.invalidField("source", "is not the name of a source");
        }
        PlatformEvent.MessageRef message = new PlatformEvent.MessageRef(
                body.path("workspace_id").asString(""),
                body.path("channel_external_id").asString(),
                body.path("external_message_id").asString(),
                text(body, "external_event_id"));
        return new Revision(
                source,
                switch (body.path("kind").asString()) {
                    case "edited" -> new PlatformEvent.Edited(message, require(body, "message"));
                    case "deleted" -> new PlatformEvent.Deleted(message);
                    case "reaction_added" -> reacted(message, body, true);
                    case "reaction_removed" -> reacted(message, body, false);
                    default ->
                        throw ProblemException.invalidField(
                                "kind", "must be edited, deleted, reaction_added or reaction_removed");
                });
    }

    private static PlatformEvent.Reacted reacted(PlatformEvent.MessageRef message, ObjectNode body, boolean added) {
        return new PlatformEvent.Reacted(
                message,
                require(body, "sender_id"),
                body.path("sender_display_name").asString(""),
                require(body, "emoji"),
                added);
    }

    private static String require(ObjectNode body, String name) {
        if (!body.hasNonNull(name)) {
            throw ProblemException.invalidField(name, "is required");
        }
        return body.path(name).asString();
    }

    private static @Nullable String text(ObjectNode body, String name) {
        JsonNode value = body.path(name);
        return value.isString() && !value.asString().isEmpty() ? value.asString() : null;
    }

    private static ObjectNode extras(ObjectNode body) {
        ObjectNode extras = Json.MAPPER.createObjectNode();
        body.properties().forEach(member -> {
            if (!BODY.contains(member.getKey()) || member.getKey().equals(LEGACY_PREFIX)) {
                extras.set(member.getKey(), member.getValue());
            }
        });
        return extras;
    }

    private static List<InboundMessage.File> files(JsonNode attachments) {
        List<InboundMessage.File> files = new ArrayList<>();
        for (JsonNode attachment : attachments) {
            files.add(file("attachments[" + files.size() + "].", (ObjectNode) attachment));
        }
        return files;
    }

    private static InboundMessage.File file(String prefix, ObjectNode attachment) {
        List<FieldError> faults = new KnownKeys(
                        prefix, texts("type", "content", "mime_type", "name"), List.of("content"))
                .faults(attachment);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return new InboundMessage.File(
                bytes(prefix + "content", attachment.path("content").asString("")),
                text(attachment, "mime_type"),
                text(attachment, "name"));
    }

    /** Decodes base64, in which some integrations send line breaks. */
    private static byte[] bytes(String field, String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(Alphabet.SPACES.removedFrom(base64));
        } catch (IllegalArgumentException undecodable) {
            throw ProblemException.invalidField(field, "is not base64");
        }
        if (bytes.length == 0) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        return bytes;
    }
}
