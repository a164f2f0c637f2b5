package dev.parley.http;

import dev.parley.protocol.Alphabet;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer whose bytes are read while they are sent, so that its size costs no memory. The edge handles ranges, bytes
 * that the client has already, and readers that are slow or gone.
 *
 * @param status the status; ranges and conditions apply only to 200
 * @param length the length of the whole download, which the source must keep to
 * @param etag a strong tag with its quotes; two downloads with the same tag are equal to the byte
 * @param headers additional headers, which may replace the headers that every answer carries
 */
public record Download(
        int status,
        String contentType,
        long length,
        String etag,
        @Nullable Instant lastModified,
        Map<String, String> headers,
        Source source)
        implements Reply {
    private static final Alphabet TAG = Alphabet.of("!#-~");

    /** The source of the bytes. */
    public interface Source {
        /**
         * Opens a range of at least one byte. Called at most once, on the handler's thread. The edge closes the stream.
         */
        InputStream open(long from, long length) throws IOException;
    }

    public Download {
        headers = Map.copyOf(headers);
        if (etag.length() < 2
                || !etag.startsWith("\"")
                || !etag.endsWith("\"")
                || !TAG.spells(etag.substring(1, etag.length() - 1))) {
            throw new IllegalArgumentException("A strong ETag is a text in quotes, not " + etag);
        }
        if (length < 0) {
            throw new IllegalArgumentException("A download cannot be shorter than nothing: " + length);
        }
    }

    public static Download of(String contentType, long length, String etag, Source source) {
        return new Download(200, contentType, length, etag, null, Map.of(), source);
    }

    public Download modified(Instant at) {
        return new Download(status, contentType, length, etag, at, headers, source);
    }

    public Download withHeader(String name, String value) {
        Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(name, value);
        return new Download(status, contentType, length, etag, lastModified, more, source);
    }
}
