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

/** The cursor of a list of threads: opaque to clients, the last row's place to us. */
final class ListCursors {
    /** Times that the database can compare with; no list gave one beyond them. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private ListCursors() {}

    static String write(ThreadStore.ListCursor place) {
        String text = place.activeAt() + " " + place.thread();
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
            throw new ProblemException(Problem.INVALID_CURSOR, "The cursor is not one that a list of threads gave.");
        }
    }

    private static Instant requireStorable(Instant time) {
        if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
            throw new DateTimeException("The time is out of range.");
        }
        return time;
    }

    /** A pattern that finds titles containing the words as they are. */
    static String pattern(String words) {
        Text.requireStorable("q", words);
        String literal = words.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
        return "%" + literal + "%";
    }
}
