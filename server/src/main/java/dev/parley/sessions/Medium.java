package dev.parley.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Something that was cut out of a message's text, and how it goes back in. Its place is counted in bytes of the text that
 * is stored: there its member {@code "content":""} begins at {@code start} and ends before {@code end}, and the base64
 * belongs at {@code at}, between the quotes.
 *
 * @param pointer where it hangs, such as {@code /images/0}
 * @param bytes how many there are, decoded
 * @param sha256 of the bytes, in hex
 * @param mediaId what its client calls it; null if it has no name that can be kept
 * @param asItCame whether it goes back only as it came: what it hangs on says already, beside its content, where it is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Medium(
        String pointer,
        int start,
        int at,
        int end,
        long bytes,
        String sha256,
        String bucket,
        String path,
        @JsonProperty("mime_type") String mimeType,
        @JsonProperty("media_id") @Nullable String mediaId,
        @JsonProperty("as_it_came") boolean asItCame) {
    /** The object that holds it. */
    ObjectKey key() {
        return ObjectKey.of(bucket, path).orElseThrow();
    }

    /** Whether an answer of this kind has its bytes inside. */
    boolean goesInside(MediaMode mode) {
        return mode == MediaMode.INLINE || asItCame;
    }

    /** How many characters its base64 has. */
    long encodedBytes() {
        return (bytes + 2) / 3 * 4;
    }
}
