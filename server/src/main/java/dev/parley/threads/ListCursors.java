package dev.parley.threads;

import dev.parley.basics.Text;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.Split;
import dev.parley.protocol.ThreadId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.NoSuchElementException;

/** The cursor of a list of threads: opaque to clients; it holds the position of the last row. */
final class ListCursors {
    /** The range of times that the database can compare. No list returns a cursor outside this range. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private ListCursors() {}

    static String write(ThreadStore.ListCursor cursor) {
        String text = cursor.activeAt() + " " + cursor.thread();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    static ThreadStore.ListCursor require(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            List<String> parts = Split.at(' ', text, 2);
            return new ThreadStore.ListCursor(
                    requireStorable(Instant.parse(parts.getFirst())),
                    ThreadId.parse(parts.getLast()).orElseThrow());
        } catch (IllegalArgumentException | DateTimeException | NoSuchElementException unreadable) {
            throw new ProblemException(Problem.INVALID_CURSOR, "The cursor is invalid; send one from a thread list.");
        }
    }

    private static Instant requireStorable(Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new DateTimeException("The time is out of range.");
        }
        return time;
    }

    /** A pattern that finds titles with the given words taken literally. */
    static String pattern(String words) {
        Text.requireStorable("q", words);
        String literal = words.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
        return "%" + literal + "%";
    }
}
