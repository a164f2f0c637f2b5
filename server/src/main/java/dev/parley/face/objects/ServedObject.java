package dev.parley.face.objects;

import dev.parley.attachments.StoredObject;
import dev.parley.http.Download;
import java.util.Optional;

/**
 * Serves an object's bytes so that an untrusted file cannot act in the site's name: a browser neither guesses its type
 * nor runs its content, and shows only recognized images inline.
 */
final class ServedObject {
    private static final String NO_SCRIPTS =
            "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";
    private static final int ETAG_DIGITS = 32;

    private ServedObject() {}

    /**
     * @param download the name under which a browser saves the object; empty for the object's own name, absent if the
     *     browser may show the object inline
     */
    static Download of(StoredObject object, Optional<String> download, Download.Source source) {
        String ownName = object.filename() == null ? object.key().name() : object.filename();
        String name = download.filter(given -> !given.isEmpty()).orElse(ownName);
        return Download.of(object.mimeType(), object.bytes(), etag(object), source)
                .modified(object.updatedAt())
                .withHeader(
                        "Content-Disposition",
                        object.isImage() && download.isEmpty()
                                ? Disposition.inline(name)
                                : Disposition.attachment(name))
                .withHeader("Content-Security-Policy", NO_SCRIPTS)
                .withHeader("Cross-Origin-Resource-Policy", "cross-origin")
                // A browser must revalidate its copy, because the object may have been replaced, or the caller may have
                // lost access.
                .withHeader("Cache-Control", "private, no-cache");
    }

    /** The same bytes have the same ETag under every name. */
    static String etag(StoredObject object) {
        return "\"" + object.blob().hex().substring(0, ETAG_DIGITS) + "\"";
    }
}
