package dev.parley.runs.input;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.DataUrl;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ContentPart;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The files in messages, in all forms in which clients send them. */
final class FileParts {
    private FileParts() {}

    /** The identity of a file: its source's URL, or the bytes themselves. */
    private record Identity(String type, String value) {}

    /** The bytes of a part; refuses parts without valid bytes. */
    static byte[] bytes(String messageId, ContentPart.InlineSource inline) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64(inline.value()));
        } catch (IllegalArgumentException undecodable) {
            throw ProblemException.invalidField(
                    "messages", "message " + messageId + " has a data part that is not base64");
        }
        if (bytes.length == 0) {
            throw ProblemException.invalidField("messages", "message " + messageId + " has an empty data part");
        }
        return bytes;
    }

    /** The base64 text of a part. Some clients add line breaks, and some send a whole data URL. */
    private static String base64(String value) {
        String bare = DataUrl.startsAsOne(value) ? value.substring(value.indexOf(',') + 1) : value;
        return Alphabet.SPACES.removedFrom(bare);
    }

    /** The parts, with files of the older form converted to media parts. A file that occurs twice is listed once. */
    static List<ContentPart> withoutMirrors(List<ContentPart> parts) {
        Map<Object, ContentPart> unique = new LinkedHashMap<>();
        for (ContentPart part : parts) {
            switch (part) {
                case ContentPart.Text text -> unique.put(new Object(), text);
                case ContentPart.Media media -> {
                    ContentPart.Media inlined = inlined(media);
                    unique.merge(identity(inlined), inlined, FileParts::richer);
                }
                case ContentPart.Binary binary ->
                    modern(binary)
                            .map(FileParts::inlined)
                            .ifPresent(media -> unique.merge(identity(media), media, FileParts::richer));
            }
        }
        return List.copyOf(unique.values());
    }

    /** The part with its bytes inline, if its URL is a data URL, which some clients send as a URL source. */
    private static ContentPart.Media inlined(ContentPart.Media media) {
        if (!(media.source() instanceof ContentPart.UrlSource url)) {
            return media;
        }
        return DataUrl.parse(url.value())
                .map(data -> new ContentPart.Media(
                        media.medium(),
                        new ContentPart.InlineSource(data.base64(), data.mimeType()),
                        media.id(),
                        media.metadata()))
                .orElse(media);
    }

    /** Of two parts with the same file, the part with metadata. */
    private static ContentPart richer(ContentPart first, ContentPart second) {
        return first instanceof ContentPart.Media media && media.metadata() == null ? second : first;
    }

    private static Identity identity(ContentPart.Media media) {
        return new Identity(media.source().type(), media.source().value());
    }

    /** The part in the newer form. A part with nothing but an id is dropped, since only its client knows the file. */
    private static Optional<ContentPart.Media> modern(ContentPart.Binary binary) {
        ContentPart.Source source;
        if (binary.data() != null && !binary.data().isEmpty()) {
            source = new ContentPart.InlineSource(binary.data(), binary.mimeType());
        } else if (binary.url() != null && !binary.url().isEmpty()) {
            source = new ContentPart.UrlSource(binary.url(), binary.mimeType());
        } else {
            return Optional.empty();
        }
        JsonNode metadata = binary.filename() == null
                ? null
                : Json.MAPPER.createObjectNode().put("filename", binary.filename());
        return Optional.of(
                new ContentPart.Media(ContentPart.Medium.of(binary.mimeType()), source, binary.id(), metadata));
    }
}
