package dev.parley.face.objects;

import dev.parley.attachments.StoredObject;
import dev.parley.http.Download;
import java.util.Optional;

/**
 * Hands an object's bytes out such that nobody's file can do anything in our name: a browser neither guesses its type nor
 * runs what is in it, and shows in place only what was found to be an image.
 */
final class ServedObject {
    private static final String NOTHING_RUNS =
            "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
    private static final int ETAG_DIGITS = 32;

    private ServedObject() {}

    /** @param download the name to keep it under, empty for its own; absent if it may be shown in place */
    static Download of(StoredObject object, Optional<String> download, Download.Source source) {
        String own = object.filename() == null ? object.key().name() : object.filename();
        String name = download.filter(given -> !given.isEmpty()).orElse(own);
        return Download.of(object.mimeType(), object.bytes(), etag(object), source)
                .modified(object.updatedAt())
                .withHeader(
                        "Content-Disposition",
                        object.isImage() && download.isEmpty()
                                ? Disposition.inline(name)
                                : Disposition.attachment(name))
                .withHeader("Content-Security-Policy", NOTHING_RUNS)
                .withHeader("Cross-Origin-Resource-Policy", "cross-origin")
                // Whoever has it already asks again: it may have been replaced, or the caller shut out.
                .withHeader("Cache-Control", "private, no-cache");
    }

    /** The same bytes have the same one, whatever they are called. */
    static String etag(StoredObject object) {
        return "\"" + object.blob().hex().substring(0, ETAG_DIGITS) + "\"";
    }
}
