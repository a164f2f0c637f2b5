package dev.parley.sessions;

import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.attachments.StoredObject;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.ContentPart;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the JSON of an {@link AgnoMessage}, and records the offsets at which its files belong. */
final class AgnoMessageWriter {
    /**
     * The file types that every version of Agno takes. Text types are left out, because Agno would read base64 as the
     * text.
     */
    private static final Set<String> FILE_TYPES =
            Set.of("application/pdf", "application/json", "application/x-javascript", "application/x-python");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Medium> media = new ArrayList<>();

    /** @param head the fields before the media; at least one field */
    AgnoMessageWriter(ObjectNode head) {
        openObject(head);
    }

    /** A medium of a message: a stored object, or a URL on another server. */
    private sealed interface Item {
        record Stored(ObjectNode attributes, StoredObject object) implements Item {}

        record Remote(ObjectNode whole) implements Item {}
    }

    void addMedia(JsonNode metadata, Map<ObjectKey, StoredObject> shown) {
        Map<MediaKind, List<Item>> items = new EnumMap<>(MediaKind.class);
        for (JsonNode file : MessageFiles.in(metadata)) {
            find(file, shown).ifPresent(object -> {
                MediaKind kind = MediaKind.ofMimeType(object.mimeType());
                items.computeIfAbsent(kind, any -> new ArrayList<>())
                        .add(new Item.Stored(attributes(kind, file, object), object));
            });
        }
        for (ContentPart.Media part : MessageFiles.elsewhere(metadata)) {
            if (part.source() instanceof ContentPart.UrlSource url
                    && url.value().startsWith("http")) {
                items.computeIfAbsent(kind(part.medium()), any -> new ArrayList<>())
                        .add(new Item.Remote(Json.MAPPER.createObjectNode().put("url", url.value())));
            }
        }
        items.forEach(this::addList);
    }

    private static Optional<StoredObject> find(JsonNode file, Map<ObjectKey, StoredObject> shown) {
        return ObjectKey.of(file.path("bucket").asString(""), file.path("path").asString(""))
                .flatMap(key -> Optional.ofNullable(shown.get(key)));
    }

    private static MediaKind kind(ContentPart.Medium medium) {
        return switch (medium) {
            case IMAGE -> MediaKind.IMAGE;
            case AUDIO -> MediaKind.AUDIO;
            case VIDEO -> MediaKind.VIDEO;
            case DOCUMENT -> MediaKind.FILE;
        };
    }

    private static ObjectNode attributes(MediaKind kind, JsonNode file, StoredObject object) {
        ObjectNode attributes = Json.MAPPER
                .createObjectNode()
                .put("id", file.path("id").asString(object.id().toString()));
        if (kind != MediaKind.FILE || FILE_TYPES.contains(object.mimeType())) {
            attributes.put("mime_type", object.mimeType());
        }
        JsonNode filename = file.path("filename");
        if (kind == MediaKind.FILE && filename.isString()) {
            attributes.set("filename", filename);
        }
        return attributes;
    }

    private void addList(MediaKind kind, List<Item> items) {
        write(",\"" + kind.list() + "\":[");
        for (int i = 0; i < items.size(); i++) {
            write(i == 0 ? "" : ",");
            switch (items.get(i)) {
                case Item.Remote(ObjectNode whole) -> out.writeBytes(Json.MAPPER.writeValueAsBytes(whole));
                case Item.Stored ours -> add("/" + kind.list() + "/" + i, ours);
            }
        }
        write("]");
    }

    private void add(String pointer, Item.Stored item) {
        openObject(item.attributes());
        write(",");
        int start = out.size();
        write("\"content\":\"\"");
        int end = out.size();
        write("}");
        StoredObject object = item.object();
        media.add(new Medium(
                pointer,
                start,
                end - 1,
                end,
                object.bytes(),
                object.blob().hex(),
                object.key().bucket(),
                object.key().path(),
                object.mimeType(),
                item.attributes().path("id").asString(),
                false));
    }

    void addMetrics(ObjectNode metrics) {
        write(",\"metrics\":");
        out.writeBytes(Json.MAPPER.writeValueAsBytes(metrics));
    }

    /** Writes the end of the message. Agno has times in seconds. */
    StoredMessage end(Instant createdAt) {
        write(",\"created_at\":" + createdAt.getEpochSecond() + "}");
        return new StoredMessage(out.toByteArray(), List.copyOf(media));
    }

    /** Writes an object's fields without its closing brace, so that more fields can follow. */
    private void openObject(ObjectNode members) {
        byte[] text = Json.MAPPER.writeValueAsBytes(members);
        out.write(text, 0, text.length - 1);
    }

    private void write(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
