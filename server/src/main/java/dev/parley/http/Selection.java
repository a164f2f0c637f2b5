package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The part of a download that a request gets: all of it, a range, or its head alone (<a
 * href="https://www.rfc-editor.org/rfc/rfc9110#section-13">RFC 9110, 13 and 14</a>).
 *
 * @param length the number of bytes to send; 0 if the head is the whole answer
 */
record Selection(Rendered head, long from, long length) {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final byte[] NO_BYTES = new byte[0];

    /** @param to the byte after the last */
    private record Span(long from, long to) {}

    /** @throws ProblemException if the range lies beyond the end */
    static Selection of(RequestHead request, Download download) {
        if (download.status() == 200 && isKnown(request, download)) {
            return new Selection(head(304, "", download, Map.of()), 0, 0);
        }
        boolean headOnly = request.method().equals("HEAD");
        Optional<Span> range = headOnly || download.status() != 200 || !isCurrent(request, download)
                ? Optional.empty()
                : request.header("Range").flatMap(text -> span(text, download.length()));
        if (range.isEmpty()) {
            Map<String, String> size = Map.of("Content-Length", Long.toString(download.length()));
            Rendered head = head(download.status(), download.contentType(), download, size);
            return new Selection(head, 0, headOnly ? 0 : download.length());
        }
        Span span = range.get();
        long length = span.to - span.from;
        Map<String, String> rangeHeaders = Map.of(
                "Content-Length",
                Long.toString(length),
                "Content-Range",
                "bytes " + span.from + "-" + (span.to - 1) + "/" + download.length());
        return new Selection(head(206, download.contentType(), download, rangeHeaders), span.from, length);
    }

    private static Rendered head(int status, String contentType, Download download, Map<String, String> more) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Accept-Ranges", "bytes");
        lastModified(download).ifPresent(at -> headers.put("Last-Modified", at));
        headers.putAll(download.headers());
        headers.put("ETag", download.etag());
        headers.putAll(more);
        return new Rendered(status, contentType, NO_BYTES, headers);
    }

    private static Optional<String> lastModified(Download download) {
        Instant at = download.lastModified();
        return at == null ? Optional.empty() : Optional.of(HTTP_DATE.format(at));
    }

    /** True if the client has these bytes already. In this check a weak tag is as good as a strong tag. */
    private static boolean isKnown(RequestHead request, Download download) {
        String known = request.header("If-None-Match").orElse("");
        int open = known.indexOf('"');
        int close = open < 0 ? -1 : known.indexOf('"', open + 1);
        while (close >= 0) {
            if (known.substring(open, close + 1).equals(download.etag())) {
                return true;
            }
            open = known.indexOf('"', close + 1);
            close = open < 0 ? -1 : known.indexOf('"', open + 1);
        }
        return known.strip().equals("*");
    }

    /** True if the client's partial bytes are still current, or if the request names no partial bytes. */
    private static boolean isCurrent(RequestHead request, Download download) {
        return request.header("If-Range")
                .map(String::strip)
                .map(validator -> validator.equals(download.etag())
                        || lastModified(download).filter(validator::equals).isPresent())
                .orElse(true);
    }

    /**
     * The range in a text. Empty, which stands for the whole download, if the text contains several ranges or no range.
     */
    private static Optional<Span> span(String text, long length) {
        Optional<RangeHeader> range = RangeHeader.parse(text);
        if (range.isEmpty()) {
            return Optional.empty();
        }
        OptionalLong last = range.get().last();
        if (range.get().first().isEmpty()) {
            return last.isEmpty() ? Optional.empty() : suffix(last.getAsLong(), length);
        }
        long from = range.get().first().getAsLong();
        long to = last.orElse(Long.MAX_VALUE);
        if (to < from) {
            return Optional.empty();
        }
        if (from >= length) {
            throw beyond(length);
        }
        return Optional.of(new Span(from, Math.min(to, length - 1) + 1));
    }

    /**
     * The range of the last bytes. Empty, which stands for the whole download, if the download has no bytes, because no
     * range has zero bytes.
     */
    private static Optional<Span> suffix(long count, long length) {
        if (count == 0) {
            throw beyond(length);
        }
        return length == 0 ? Optional.empty() : Optional.of(new Span(Math.max(0, length - count), length));
    }

    private static ProblemException beyond(long length) {
        return new ProblemException(
                Problem.RANGE_NOT_SATISFIABLE,
                "The range begins beyond the end of the " + length + " bytes.",
                List.of(),
                Map.of("length", length));
    }
}
