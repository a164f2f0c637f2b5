package dev.parley.ingest;

import dev.parley.auth.Sources;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import dev.parley.threads.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The validated metadata of an inbound message. Unknown fields are stored and never read. */
record MessageMetadata(ObjectNode given, String source, Sender sender) {
    private static final String PREFIX = "msg_metadata.";
    private static final List<String> IDS = List.of(
            "channel_external_id",
            "recipient_id",
            "external_message_id",
            "external_thread_id",
            "reply_to_external_id",
            "external_event_id",
            "workspace_id",
            "conversation_kind",
            "sent_at");
    private static final KnownKeys KEYS =
            new KnownKeys(PREFIX, kinds(), List.of("source", "sender_id", "sender_display_name", "sender_type"));

    private static Map<String, KnownKeys.Kind> kinds() {
        Map<String, KnownKeys.Kind> kinds = new LinkedHashMap<>();
        for (String text : List.of(
                "source", "sender_id", "sender_display_name", "sender_type", "mention_token", "thread_context")) {
            kinds.put(text, KnownKeys.Kind.TEXT);
        }
        for (String id : IDS) {
            kinds.put(id, KnownKeys.Kind.TEXT);
        }
        for (String truth : List.of("is_from_me", "passive", "trigger_rag", "include_in_memory", "legacy_prefix")) {
            kinds.put(truth, KnownKeys.Kind.TRUTH);
        }
        kinds.put("mentions", KnownKeys.Kind.OBJECTS);
        return kinds;
    }

    static MessageMetadata read(ObjectNode given, Limits.Ingest limits, int maxDisplayName) {
        refuse(KEYS.faults(given));
        refuse(mentionFaults(given));
        Metadata.requireStorable("msg_metadata", given);
        String source = text(given, "source");
        String type = text(given, "sender_type");
        List<FieldError> faults = new ArrayList<>();
        if (!Sources.isSource(source)) {
            faults.add(new FieldError(PREFIX + "source", "is not the name of a source"));
        }
        if (!type.equals("human") && !type.equals("bot")) {
            faults.add(new FieldError(PREFIX + "sender_type", "must be human or bot"));
        }
        faults.addAll(sizeFaults(given, limits, maxDisplayName));
        Optional<Actor> sender = sender(source, text(given, "sender_id"));
        if (sender.isEmpty() && faults.isEmpty()) {
            faults.add(new FieldError(
                    PREFIX + "sender_id",
                    "must be " + Sources.prefixOf(source)
                            + ": and the sender's id there: no source speaks for others"));
        }
        refuse(faults);
        boolean bot = type.equals("bot") && !isTrue(given, "is_from_me");
        return new MessageMetadata(
                given, source, new Sender(sender.orElseThrow(), text(given, "sender_display_name"), bot));
    }

    static Optional<Actor> sender(String source, String id) {
        String prefix = Sources.prefixOf(source) + ":";
        return id.startsWith(prefix) && !id.substring(prefix.length()).isBlank() ? Actor.parse(id) : Optional.empty();
    }

    private static List<FieldError> sizeFaults(ObjectNode given, Limits.Ingest limits, int maxDisplayName) {
        List<FieldError> faults = new ArrayList<>();
        characters(faults, given, "sender_display_name", maxDisplayName);
        characters(faults, given, "mention_token", limits.mentionToken());
        bytes(faults, given, "thread_context", limits.threadContext());
        bytes(faults, given, "sender_id", limits.externalId());
        for (String id : IDS) {
            bytes(faults, given, id, limits.externalId());
            if (Text.hasControl(text(given, id))) {
                faults.add(new FieldError(PREFIX + id, "must not hold a control character"));
            }
        }
        return faults;
    }

    private static void characters(List<FieldError> faults, ObjectNode given, String name, int limit) {
        if (!Text.isAtMost(text(given, name), limit)) {
            faults.add(new FieldError(PREFIX + name, "is longer than the limit of " + limit + " characters"));
        }
    }

    private static void bytes(List<FieldError> faults, ObjectNode given, String name, long limit) {
        if (text(given, name).getBytes(StandardCharsets.UTF_8).length > limit) {
            faults.add(new FieldError(PREFIX + name, "is longer than the limit of " + limit + " bytes"));
        }
    }

    private static List<FieldError> mentionFaults(ObjectNode given) {
        List<FieldError> faults = new ArrayList<>();
        int index = 0;
        for (JsonNode mention : given.path("mentions")) {
            JsonNode self = mention.path("is_self");
            if (!self.isMissingNode() && !self.isNull() && !self.isBoolean()) {
                faults.add(new FieldError(PREFIX + "mentions[" + index + "].is_self", "must be true or false"));
            }
            index++;
        }
        return faults;
    }

    private static void refuse(List<FieldError> faults) {
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
    }

    private static String text(ObjectNode given, String name) {
        return given.path(name).asString("");
    }

    private static boolean isTrue(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isBoolean() && value.booleanValue();
    }

    /** An id; null if it is absent or empty. */
    @Nullable
    String id(String name) {
        String id = text(given, name);
        return id.isEmpty() ? null : id;
    }

    boolean passive() {
        return isTrue(given, "passive");
    }

    /** True if the sender's own device sent the message. */
    boolean isFromMe() {
        return isTrue(given, "is_from_me");
    }

    /** True if the message mentions the integration's own account. */
    boolean mentionsSelf() {
        return given.path("mentions").valueStream().anyMatch(mention -> isTrue(mention, "is_self"));
    }
}
