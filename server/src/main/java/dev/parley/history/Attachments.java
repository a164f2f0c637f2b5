package dev.parley.history;

import dev.parley.protocol.agent.HistoryAttachment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The files that hang on a message, read from its metadata. They are believed only beside {@code user_message_attachments},
 * a key that no client can set: otherwise anybody could name a file of others and be given an address of it.
 */
final class Attachments {
    private static final String FIRST = "user_message_attachments";
    private static final String ALL = "attachments";

    private final Links links;

    Attachments(Links links) {
        this.links = links;
    }

    List<HistoryAttachment> of(@Nullable ObjectNode metadata) {
        if (metadata == null || !isOurs(metadata)) {
            return List.of();
        }
        List<HistoryAttachment> files = new ArrayList<>();
        for (JsonNode each : metadata.path(ALL)) {
            add(files, each);
        }
        if (files.isEmpty()) {
            add(files, metadata.path(FIRST));
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

    private void add(List<HistoryAttachment> files, JsonNode file) {
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
                    links.fresh(bucket, path)));
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
