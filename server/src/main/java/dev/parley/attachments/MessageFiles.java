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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a message's metadata names its files. They are read only beside {@link #FIRST}, a key that no client can set; and
 * even then they open nothing: whether a file was shown is asked of {@link Attachments#shownIn}.
 */
public final class MessageFiles {
    /** The first file, in the form that clients know. */
    public static final String FIRST = "user_message_attachments";
    /** All files, the first among them. */
    public static final String ALL = "attachments";

    /** Media that others keep, as parts of AG-UI: nobody here fetches them. */
    public static final String ELSEWHERE = "media";

    private MessageFiles() {}

    /** The members of {@link #ALL}, or the first file if that is all there is. */
    public static List<JsonNode> in(JsonNode metadata) {
        JsonNode first = metadata.path(FIRST);
        if (!first.isObject()) {
            return List.of();
        }
        List<JsonNode> all = metadata.path(ALL).valueStream().toList();
        return all.isEmpty() ? List.of(first) : all;
    }

    /** The media that others keep; what a chat client wrote under that name may be anything, and is left out. */
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
                // It is shown without it.
            }
        }
        return media;
    }

    /** What they are called, in order. */
    public static List<ObjectKey> keysIn(JsonNode metadata) {
        return in(metadata).stream().flatMap(MessageFiles::key).toList();
    }

    private static Stream<ObjectKey> key(JsonNode file) {
        return ObjectKey.of(file.path("bucket").asString(""), file.path("path").asString("")).stream();
    }
}
