package dev.parley.history;

import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.protocol.agent.HistoryAttachment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The files of a message in history; only files that were shown in the thread have a URL. */
final class ShownFiles {
    private ShownFiles() {}

    /** The keys of all files of a message. */
    static List<ObjectKey> keysOf(@Nullable ObjectNode metadata) {
        return metadata == null ? List.of() : MessageFiles.keysIn(metadata);
    }

    /** @param links new URLs of the files that have a URL */
    static List<HistoryAttachment> of(@Nullable ObjectNode metadata, Map<ObjectKey, String> links) {
        List<HistoryAttachment> files = new ArrayList<>();
        if (metadata != null) {
            MessageFiles.in(metadata).forEach(file -> add(files, file, links));
        }
        return files;
    }

    /** The metadata without the files that are shown beside it. */
    static @Nullable ObjectNode without(@Nullable ObjectNode metadata) {
        return metadata == null || MessageFiles.in(metadata).isEmpty()
                ? metadata
                : metadata.deepCopy().without(MessageFiles.ALL);
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
