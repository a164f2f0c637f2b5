package dev.parley.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A medium that was cut out of a message's text, with the offsets at which it is restored. Offsets count bytes of the
 * stored text: there the member {@code "content":""} begins at {@code start} and ends before {@code end}, and the
 * base64 belongs at {@code at}, between the quotes.
 *
 * @param pointer the JSON Pointer of its item, such as {@code /images/0}
 * @param bytes its length, decoded
 * @param sha256 of the bytes, in hex
 * @param mediaId its client's id; null if it has none that can be stored
 * @param asItCame true if it is only ever restored inline, because its item has a URL or a reference of its own
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Medium(
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
    /** The object that holds the bytes. */
    ObjectKey key() {
        return ObjectKey.of(bucket, path).orElseThrow();
    }

    /** True if an answer in this mode has the bytes inline. */
    boolean isInlined(MediaMode mode) {
        return mode == MediaMode.INLINE || asItCame;
    }

    /** The length of its base64 in characters. */
    long encodedBytes() {
        return (bytes + 2) / 3 * 4;
    }
}
