package dev.parley.face.objects;

import dev.parley.attachments.ReceivedUpload;
import dev.parley.attachments.StoredObjects;
import dev.parley.http.Call;
import dev.parley.http.Multipart;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.ProblemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An upload in either of the storage client's two forms: the bytes alone with headers, or a multipart form in which the
 * file has no name. {@link #close} deletes received bytes that were not stored.
 */
final class UploadedBody implements AutoCloseable {
    private static final String DEFAULT_CACHE_CONTROL = "no-cache";

    private final StoredObjects.ObjectTarget target;
    private final StoredObjects objects;
    private final long metadataBytes;
    private @Nullable ReceivedUpload file;
    private @Nullable String type;
    private String cacheControl = DEFAULT_CACHE_CONTROL;
    private @Nullable String metadata;

    private UploadedBody(StoredObjects.ObjectTarget target, StoredObjects objects, long metadataBytes) {
        this.target = target;
        this.objects = objects;
        this.metadataBytes = metadataBytes;
    }

    static UploadedBody read(Call<?> call, StoredObjects.ObjectTarget target, StoredObjects objects, long metadataBytes)
            throws IOException {
        UploadedBody body = new UploadedBody(target, objects, metadataBytes);
        boolean complete = false;
        try {
            if (isForm(call)) {
                body.readForm(Multipart.of(call));
            } else {
                body.readBytes(call);
            }
            complete = true;
            return body;
        } finally {
            if (!complete) {
                body.close();
            }
        }
    }

    private static boolean isForm(Call<?> call) {
        return Multipart.isForm(call.header("Content-Type").orElse(""));
    }

    private void readBytes(Call<?> call) throws IOException {
        type = call.header("Content-Type").orElse(null);
        cacheControl = call.header("Cache-Control").orElse(DEFAULT_CACHE_CONTROL);
        metadata = call.header("x-metadata").map(UploadedBody::fromBase64).orElse(null);
        file = objects.receive(target, call.stream());
    }

    private void readForm(Multipart parts) throws IOException {
        Optional<Multipart.Part> next = parts.next();
        while (next.isPresent()) {
            readPart(next.get());
            next = parts.next();
        }
    }

    private void readPart(Multipart.Part part) throws IOException {
        if (part.name().isEmpty() || part.filename() != null) {
            if (file != null) {
                throw ProblemException.invalidField("file", "is given twice: send one file at a time");
            }
            type = part.contentType();
            file = objects.receive(target, part.content());
        } else if (part.name().equals("cacheControl")) {
            String seconds = text(part);
            cacheControl = Alphabet.DIGITS.spells(seconds, 1, 18) ? "max-age=" + seconds : DEFAULT_CACHE_CONTROL;
        } else if (part.name().equals("metadata")) {
            metadata = text(part);
        }
    }

    /** Reads one byte more than the limit, so that the front door recognizes an excess. */
    private String text(Multipart.Part part) throws IOException {
        return new String(part.content().readNBytes((int) metadataBytes + 1), StandardCharsets.UTF_8);
    }

    private static String fromBase64(String text) {
        try {
            return new String(Base64.getDecoder().decode(text.strip()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.invalidField("x-metadata", "must be JSON in Base64");
        }
    }

    ReceivedUpload file() {
        if (file == null) {
            throw ProblemException.invalidField("file", "is missing: send it as a part of the form");
        }
        return file;
    }

    StoredObjects.Label label() {
        return new StoredObjects.Label(type, cacheControl, metadata);
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
