package dev.parley.history;

import dev.parley.attachments.ObjectKey;
import dev.parley.protocol.agent.HistoryAttachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files that hang on a message, read from its metadata. They are believed only beside {@code user_message_attachments},
 * a key that no client can set; and an address is given only of a file that is known to have been shown in the thread.
 */
final class ShownFiles {
    private static final String FIRST = "user_message_attachments";
    private static final String ALL = "attachments";

    private ShownFiles() {}

    /** The names of all files that a message has. */
    static List<ObjectKey> keysOf(@Nullable ObjectNode metadata) {
        return of(metadata, Map.of()).stream()
                .flatMap(file -> ObjectKey.of(file.bucket(), file.path()).stream())
                .toList();
    }

    /** @param links fresh addresses of those files that have one */
    static List<HistoryAttachment> of(@Nullable ObjectNode metadata, Map<ObjectKey, String> links) {
        if (metadata == null || !isOurs(metadata)) {
            return List.of();
        }
        List<HistoryAttachment> files = new ArrayList<>();
        for (JsonNode each : metadata.path(ALL)) {
            add(files, each, links);
        }
        if (files.isEmpty()) {
            add(files, metadata.path(FIRST), links);
        }
        return files;
    }

    /** The metadata without what is shown beside it. */
    static @Nullable ObjectNode without(@Nullable ObjectNode metadata) {
        if (metadata != null && isOurs(metadata)) {
            metadata.remove(ALL);
        }
        return metadata;
    }

    private static boolean isOurs(ObjectNode metadata) {
        return metadata.path(FIRST).isObject();
    }

    private static void add(List<HistoryAttachment> files, JsonNode file, Map<ObjectKey, String> links) {
        String bucket = text(file, "bucket");
        String path = text(file, "path");
        if (bucket != null && path != null) {
            files.add(new HistoryAttachment(
                    bucket,
                    path,
                    text(file, "mime_type"),
                    text(file, "filename"),
                    number(file, "width"),
                    number(file, "height"),
                    ObjectKey.of(bucket, path).map(links::get).orElse(null)));
        }
    }

    private static @Nullable String text(JsonNode file, String name) {
        JsonNode value = file.path(name);
        return value.isString() ? value.asString() : null;
    }

    private static @Nullable Integer number(JsonNode file, String name) {
        JsonNode value = file.path(name);
        return value.isIntegralNumber() && value.canConvertToInt() ? value.asInt() : null;
    }
}
