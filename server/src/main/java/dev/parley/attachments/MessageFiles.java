package dev.parley.attachments;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes the files in a message's metadata. Files are read only if {@link #FIRST} exists, a key that no
 * client can set. A file in the metadata gives no access to its object: {@link Attachments#shownIn} decides if a file
 * was shown.
 */
public final class MessageFiles {
    /** The key of the first file, in the form that clients know. */
    public static final String FIRST = "user_message_attachments";
    /** The key of all files, including the first file. */
    public static final String ALL = "attachments";

    /** The key of media on other servers, as AG-UI content parts. This server never fetches the media. */
    public static final String ELSEWHERE = "media";

    private MessageFiles() {}

    /** A file of a message, with the name and the id that the sender gave it. */
    public record MessageFile(
            StoredObject object,
            @Nullable String filename,
            @Nullable String id) {}

    /** Writes the files of a message into its metadata. */
    public static void put(ObjectNode metadata, List<MessageFile> files) {
        if (files.isEmpty()) {
            return;
        }
        metadata.set(FIRST, reference(files.getFirst().object()));
        ArrayNode list = metadata.putArray(ALL);
        for (MessageFile shown : files) {
            StoredObject object = shown.object();
            ObjectNode item = reference(object);
            String filename = shown.filename() == null ? object.filename() : shown.filename();
            item.put("filename", filename);
            item.put("width", object.width());
            item.put("height", object.height());
            if (shown.id() != null) {
                item.put("id", shown.id());
            }
            list.add(item);
        }
    }

    private static ObjectNode reference(StoredObject object) {
        return Json.MAPPER
                .createObjectNode()
                .put("bucket", object.key().bucket())
                .put("path", object.key().path())
                .put("mime_type", object.mimeType());
    }

    /** The files in {@link #ALL}, or the first file alone. */
    public static List<JsonNode> in(JsonNode metadata) {
        JsonNode first = metadata.path(FIRST);
        if (!first.isObject()) {
            return List.of();
        }
        List<JsonNode> all = metadata.path(ALL).valueStream().toList();
        return all.isEmpty() ? List.of(first) : all;
    }

    /** The media on other servers. A chat client may write any value under this key; unreadable parts are skipped. */
    public static List<ContentPart.Media> elsewhere(JsonNode metadata) {
        List<ContentPart.Media> media = new ArrayList<>();
        for (JsonNode part : metadata.path(ELSEWHERE)) {
            ObjectNode message = Json.MAPPER.createObjectNode().put("id", "-").put("role", "user");
            message.putArray("content").add(part);
            try {
                if (AguiJson.readMessage(message, "") instanceof Message.User user
                        && user.content() instanceof Content.Parts read) {
                    read.parts().stream()
                            .filter(ContentPart.Media.class::isInstance)
                            .map(ContentPart.Media.class::cast)
                            .forEach(media::add);
                }
            } catch (ProblemException unreadable) {
                // The message is shown without this part.
            }
        }
        return media;
    }

    /** The names of the files' objects, in order. */
    public static List<ObjectKey> keysIn(JsonNode metadata) {
        return in(metadata).stream().flatMap(MessageFiles::key).toList();
    }

    private static Stream<ObjectKey> key(JsonNode file) {
        return ObjectKey.of(file.path("bucket").asString(""), file.path("path").asString("")).stream();
    }
}
