package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.protocol.MediaType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One part of a message's content. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"type"})
public sealed interface ContentPart {
    @JsonProperty
    String type();

    record Text(String text, @Nullable String id, @Nullable JsonNode metadata) implements ContentPart {
        public Text {
            metadata = Absent.ifNull(metadata);
        }

        public Text(String text) {
            this(text, null, null);
        }

        @Override
        public String type() {
            return "text";
        }
    }

    /** @param medium the kind of the part, written on the wire as the part's type */
    record Media(
            @JsonIgnore Medium medium,
            Source source,
            @Nullable String id,
            @Nullable JsonNode metadata) implements ContentPart {
        public Media {
            metadata = Absent.ifNull(metadata);
        }

        @Override
        public String type() {
            return medium.toString();
        }
    }

    /**
     * A file in the form that clients before 1.0 send. It has some of these fields. The server never sends this form to
     * clients of 1.0.
     */
    record Binary(
            String mimeType,
            @Nullable String id,
            @Nullable String url,
            @Nullable String data,
            @Nullable String filename)
            implements ContentPart {
        @Override
        public String type() {
            return "binary";
        }
    }

    /** The kind of a media part. */
    enum Medium {
        IMAGE,
        AUDIO,
        VIDEO,
        DOCUMENT;

        /** The kind of part that shows a file of this media type. */
        public static Medium of(String mimeType) {
            return switch (MediaType.parse(mimeType).kind()) {
                case "image" -> IMAGE;
                case "audio" -> AUDIO;
                case "video" -> VIDEO;
                default -> DOCUMENT;
            };
        }

        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The source of a media part's bytes. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonPropertyOrder({"type"})
    sealed interface Source {
        @JsonProperty
        String type();

        String value();

        @Nullable
        String mimeType();
    }

    /** @param value the bytes themselves, in base64 */
    record InlineSource(String value, String mimeType) implements Source {
        @Override
        public String type() {
            return "data";
        }
    }

    record UrlSource(String value, @Nullable String mimeType) implements Source {
        @Override
        public String type() {
            return "url";
        }
    }

    /** @param value a handle that only its provider can resolve; the server never fetches it */
    record FileSource(
            String value,
            @Nullable String provider,
            @Nullable String mimeType) implements Source {
        @Override
        public String type() {
            return "file";
        }
    }
}
