package dev.parley.http;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.MediaType;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a form with files (multipart/form-data, RFC 7578) part by part as it arrives, holding no more than a part's
 * headers and one buffer. Unlike the usual readers it accepts parts with an empty name, which clients do send.
 */
public final class Multipart {
    private static final int MAX_HEADERS_BYTES = 8 * 1024;
    private static final int MAX_PARTS = 16;
    private static final int MAX_BOUNDARY = 70;
    private static final Alphabet PRINTABLE = Alphabet.of(" -~");

    /**
     * One part.
     *
     * @param name the name, which may be empty
     * @param filename the file name as the client gave it, which may contain any characters, such as slashes
     * @param content the content, which can be read until the next part is requested
     */
    public record Part(
            String name,
            @Nullable String filename,
            @Nullable String contentType,
            InputStream content) {}

    private final BoundaryReader reader;
    private @Nullable PartStream current;
    private int parts;
    private boolean over;

    private Multipart(InputStream in, String boundary) {
        this.reader = new BoundaryReader(in, boundary.getBytes(StandardCharsets.US_ASCII));
    }

    /** The form in the call's body; a body of another type is refused with a problem. */
    public static Multipart of(Call<?> call) {
        return of(call.header("Content-Type").orElse(""), call.stream());
    }

    public static boolean isForm(String contentType) {
        return MediaType.parse(contentType).essence().equals("multipart/form-data");
    }

    static Multipart of(String contentType, InputStream in) {
        if (!isForm(contentType)) {
            throw new ProblemException(
                    Problem.UNSUPPORTED_MEDIA_TYPE, "The body must be sent as Content-Type: multipart/form-data.");
        }
        String boundary = HeaderValue.parse(contentType).parameter("boundary").orElse("");
        if (!PRINTABLE.spells(boundary, 1, MAX_BOUNDARY)) {
            throw malformed("The form's Content-Type has no valid boundary.");
        }
        return new Multipart(in, boundary);
    }

    /** The next part; empty after the last part. Unread bytes of the part before are skipped. */
    public Optional<Part> next() throws IOException {
        if (current != null) {
            current.leave();
            current = null;
        }
        if (over) {
            return Optional.empty();
        }
        reader.skipContent();
        over = reader.isLastBoundary();
        if (over) {
            return Optional.empty();
        }
        parts++;
        if (parts > MAX_PARTS) {
            throw malformed("The form has more than " + MAX_PARTS + " parts.");
        }
        return Optional.of(part());
    }

    private Part part() throws IOException {
        int left = MAX_HEADERS_BYTES;
        String line = reader.line(left);
        if (!line.isBlank()) {
            throw malformed("A boundary of the form is not followed by a line break.");
        }
        Optional<String> disposition = Optional.empty();
        Optional<String> contentType = Optional.empty();
        for (line = reader.line(left - 2); !line.isEmpty(); line = reader.line(left - 2)) {
            left -= line.length() + 2;
            int colon = line.indexOf(':');
            if (colon <= 0 || line.charAt(0) == ' ' || line.charAt(0) == '\t') {
                throw malformed("A part of the form has a header that cannot be read.");
            }
            String value = line.substring(colon + 1).strip();
            switch (line.substring(0, colon).strip().toLowerCase(Locale.ROOT)) {
                case "content-disposition" -> disposition = Optional.of(utf8(value));
                case "content-type" -> contentType = Optional.of(utf8(value));
                default -> {} // Other headers have no use here.
            }
        }
        HeaderValue form = HeaderValue.parse(disposition.orElse(""));
        if (!form.value().equalsIgnoreCase("form-data")) {
            throw malformed("A part of the form has no Content-Disposition: form-data.");
        }
        String name = form.parameter("name").orElseThrow(() -> malformed("A part of the form has no name."));
        PartStream content = new PartStream(reader);
        current = content;
        return new Part(name, form.extended("filename").orElse(null), contentType.orElse(null), content);
    }

    /**
     * Decodes a value as UTF-8, in which browsers write names. Lines are read as Latin-1, so that one character is one
     * byte.
     */
    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    static ProblemException malformed(String detail) {
        return new ProblemException(Problem.MALFORMED_REQUEST, detail);
    }
}
