package dev.parley.sessions;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.parley.attachments.ObjectKey;

/**
 * Something that was cut out of a message's text, and how it goes back in. Its place is counted in bytes of the text that
 * is stored: there its member {@code "content":""} begins at {@code start} and ends before {@code end}, and the base64
 * belongs at {@code at}, between the quotes.
 *
 * @param pointer where it hangs, such as {@code /images/0}
 * @param bytes how many there are, decoded
 * @param sha256 of the bytes, in hex
 */
public record Medium(
        String pointer,
        int start,
        int at,
        int end,
        long bytes,
        String sha256,
        String bucket,
        String path,
        @JsonProperty("mime_type") String mimeType) {
    ObjectKey key() {
        return ObjectKey.of(bucket, path).orElseThrow();
    }
}
