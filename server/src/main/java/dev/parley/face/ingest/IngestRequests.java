package dev.parley.face.ingest;

import dev.parley.ingest.KnownKeys;
import dev.parley.ingest.Submission;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads what integrations send: shape only. Members that mean nothing here are handed on, not dropped. */
final class IngestRequests {
    private static final Pattern WHITESPACE = Pattern.compile("\\s+");
    private static final KnownKeys BODY = new KnownKeys("", kinds(), List.of("msg_metadata"));

    private IngestRequests() {}

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
        return kinds;
    }

    static Submission submission(ObjectNode body) {
        List<FieldError> faults = BODY.faults(body);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        ArrayNode files = body.path("file_metadata") instanceof ArrayNode list && !list.isEmpty() ? list : null;
        return new Submission(
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

    private static @Nullable String text(ObjectNode body, String name) {
        JsonNode value = body.path(name);
        return value.isString() && !value.asString().isEmpty() ? value.asString() : null;
    }

    private static ObjectNode extras(ObjectNode body) {
        ObjectNode extras = Json.MAPPER.createObjectNode();
        body.properties().forEach(member -> {
            if (!BODY.contains(member.getKey())) {
                extras.set(member.getKey(), member.getValue());
            }
        });
        return extras;
    }

    private static List<Submission.File> files(JsonNode attachments) {
        List<Submission.File> files = new ArrayList<>();
        for (JsonNode attachment : attachments) {
            files.add(file("attachments[" + files.size() + "].", (ObjectNode) attachment));
        }
        return files;
    }

    private static Submission.File file(String prefix, ObjectNode attachment) {
        Map<String, KnownKeys.Kind> kinds = new LinkedHashMap<>();
        List.of("type", "content", "mime_type", "name").forEach(name -> kinds.put(name, KnownKeys.Kind.TEXT));
        List<FieldError> faults = new KnownKeys(prefix, kinds, List.of("content")).faults(attachment);
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return new Submission.File(
                bytes(prefix + "content", attachment.path("content").asString("")),
                text(attachment, "mime_type"),
                text(attachment, "name"));
    }

    /** Some send it with line breaks. */
    private static byte[] bytes(String field, String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(WHITESPACE.matcher(base64).replaceAll(""));
        } catch (IllegalArgumentException undecodable) {
            throw ProblemException.invalidField(field, "is not base64");
        }
        if (bytes.length == 0) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        return bytes;
    }
}
