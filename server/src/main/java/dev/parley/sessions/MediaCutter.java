package dev.parley.sessions;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Cuts media out of a message's text, so that the log and its readers do not carry the base64 of media. All other bytes
 * of the text stay as they are; the text is never serialized anew. A medium that cannot be restored exactly stays in
 * the text.
 */
final class MediaCutter {
    /**
     * The smallest number of base64 characters that are cut out. A smaller medium costs less in the text than as a
     * separate object.
     */
    static final int MIN_BYTES = 1024;

    /** The largest number of media that are cut out of one message. Further media stay in its text. */
    static final int MAX_MEDIA = 64;

    private static final String CONTENT = "content";

    private final byte[] json;
    private final JsonParser parser;
    private final List<CutMedium> cuts = new ArrayList<>();

    private MediaCutter(byte[] json, JsonParser parser) {
        this.json = json;
        this.parser = parser;
    }

    /** A message's text without its media, and the media. */
    record Cut(byte[] json, List<Piece> pieces) {}

    /**
     * A medium that was cut out. The offsets have the same meaning as in {@link Medium}.
     *
     * @param asItCame true if the item already has a URL or a reference, and cannot get another one
     */
    record Piece(
            String pointer,
            int start,
            int at,
            int end,
            byte[] bytes,
            @Nullable String mimeType,
            @Nullable String filename,
            @Nullable String id,
            @Nullable String format,
            boolean asItCame) {}

    /** @param json one message, known to be a JSON object */
    static Cut cut(byte[] json) {
        try (JsonParser parser = Json.MAPPER.createParser(json)) {
            MediaCutter cutter = new MediaCutter(json, parser);
            cutter.readMessage();
            return cutter.cuts.isEmpty() ? new Cut(json, List.of()) : cutter.cutOut();
        }
    }

    private void readMessage() {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            Optional<MediaKind> many = MediaKind.ofList(member);
            Optional<MediaKind> one = MediaKind.ofSingle(member);
            if (many.isPresent() && value == JsonToken.START_ARRAY) {
                readList(many.get(), "/" + member);
            } else if (one.isPresent() && value == JsonToken.START_OBJECT) {
                readItem(one.get(), "/" + member);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void readList(MediaKind kind, String pointer) {
        JsonToken value;
        for (int i = 0; (value = parser.nextToken()) != JsonToken.END_ARRAY; i++) {
            if (value == JsonToken.START_OBJECT) {
                readItem(kind, pointer + "/" + i);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void readItem(MediaKind kind, String pointer) {
        Item item = new Item();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = parser.currentName();
            int start = (int) parser.currentTokenLocation().getByteOffset();
            JsonToken value = parser.nextToken();
            if (value != JsonToken.VALUE_STRING) {
                item.asItCame |= isReference(member);
                parser.skipChildren();
                continue;
            }
            switch (member) {
                case CONTENT -> {
                    // The parser skips values that are not read, so large strings are never decoded as text.
                    int quote = (int) parser.currentTokenLocation().getByteOffset();
                    item.start = start;
                    item.base64 = Base64Span.at(json, quote + 1).orElse(null);
                }
                case "mime_type" -> item.mimeType = parser.getString();
                case "filename" -> item.filename = parser.getString();
                case "id" -> item.id = parser.getString();
                case "format" -> item.format = parser.getString();
                default -> item.asItCame |= isReference(member);
            }
        }
        Base64Span base64 = item.base64;
        if (base64 != null && base64.length() >= MIN_BYTES && cuts.size() < MAX_MEDIA && !item.isText(kind)) {
            cuts.add(new CutMedium(pointer, item, base64));
        }
    }

    /**
     * True for a field that refers to a medium. Such a field counts even if its value is null, because a message must
     * not get two fields with one name.
     */
    private static boolean isReference(String member) {
        return member.equals("url") || member.equals("media_reference");
    }

    /** The fields of an item, which are collected because they may come in any order. */
    private static final class Item {
        private int start;
        private @Nullable Base64Span base64;
        private @Nullable String mimeType;
        private @Nullable String filename;
        private @Nullable String id;
        private @Nullable String format;
        private boolean asItCame;

        /** Text files contain the text itself, even if the text looks like base64. */
        boolean isText(MediaKind kind) {
            return kind == MediaKind.FILE
                    && mimeType != null
                    && mimeType.strip().toLowerCase(Locale.ROOT).startsWith("text/");
        }
    }

    private record CutMedium(String pointer, Item item, Base64Span base64) {}

    private Cut cutOut() {
        int gone = cuts.stream().mapToInt(each -> each.base64().length()).sum();
        byte[] stored = new byte[json.length - gone];
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        int to = 0;
        for (CutMedium each : cuts) {
            Item item = each.item();
            Base64Span base64 = each.base64();
            int length = base64.start() - from;
            System.arraycopy(json, from, stored, to, length);
            int start = to + item.start - from;
            to += length;
            from = base64.end();
            pieces.add(new Piece(
                    each.pointer(),
                    start,
                    to,
                    to + 1,
                    base64.decoded(json),
                    item.mimeType,
                    item.filename,
                    item.id,
                    item.format,
                    item.asItCame));
        }
        System.arraycopy(json, from, stored, to, json.length - from);
        return new Cut(stored, List.copyOf(pieces));
    }
}
