package dev.parley.threads;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.NoSuchElementException;

/** The cursor of a list of threads: opaque to clients, the last row's place to us. */
final class ListCursors {
    private ListCursors() {}

    static String write(ThreadStore.ListCursor place) {
        String text = place.activeAt() + " " + place.thread();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    static ThreadStore.ListCursor require(String cursor) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII).split(" ", 2);
            return new ThreadStore.ListCursor(
                    Instant.parse(parts[0]), ThreadId.parse(parts[1]).orElseThrow());
        } catch (IllegalArgumentException
                | DateTimeException
                | ArrayIndexOutOfBoundsException
                | NoSuchElementException unreadable) {
            throw new ProblemException(Problem.INVALID_CURSOR, "The cursor is not one that a list of threads gave.");
        }
    }

    /** A pattern that finds titles containing the words as they are. */
    static String pattern(String words) {
        Text.requireStorable("q", words);
        String literal = words.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
        return "%" + literal + "%";
    }
}
