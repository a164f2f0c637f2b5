package dev.parley.sessions;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A medium that was cut out of a message's text, with the offsets at which it is restored. Offsets count bytes of the
 * stored text. There the field {@code "content":""} begins at {@code start} and ends before {@code end}. The base64 is
 * inserted at {@code at}, between the quotes.
 *
 * @param pointer the JSON Pointer of its item, such as {@code /images/0}
 * @param bytes the length of the decoded bytes
 * @param sha256 the SHA-256 of the bytes, in hex
 * @param mediaId the client's id of the medium; null if there is none that can be stored
 * @param asItCame true if the medium is only restored inline, because its item already has a URL or a reference
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
