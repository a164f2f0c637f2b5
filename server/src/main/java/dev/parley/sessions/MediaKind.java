package dev.parley.sessions;

import dev.parley.protocol.Split;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of media that a message of Agno has, and the fields that contain them. */
enum MediaKind {
    IMAGE("images", "image_output"),
    AUDIO("audio", "audio_output"),
    VIDEO("videos", "video_output"),
    FILE("files", "file_output");

    private final String list;
    private final String single;
    private final String wire = name().toLowerCase(Locale.ROOT);

    MediaKind(String list, String single) {
        this.list = list;
        this.single = single;
    }

    /** The field that contains a list of this kind. */
    String list() {
        return list;
    }

    /** The kind's name in a reference; MIME types of this kind begin with the same name, except for files. */
    String wire() {
        return wire;
    }

    static Optional<MediaKind> ofList(String member) {
        return Arrays.stream(values()).filter(kind -> kind.list.equals(member)).findFirst();
    }

    static Optional<MediaKind> ofSingle(String member) {
        return Arrays.stream(values())
                .filter(kind -> kind.single.equals(member))
                .findFirst();
    }

    /** The kind of the item at a JSON Pointer such as {@code /images/0} or {@code /audio_output}. */
    static MediaKind at(String pointer) {
        String member = Split.at('/', pointer, 3).get(1);
        return ofList(member).or(() -> ofSingle(member)).orElseThrow();
    }

    static MediaKind ofMimeType(String type) {
        return Arrays.stream(values())
                .filter(kind -> type.startsWith(kind.wire + "/"))
                .findFirst()
                .orElse(FILE);
    }
}
