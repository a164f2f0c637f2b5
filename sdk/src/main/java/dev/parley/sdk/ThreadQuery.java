package dev.parley.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A query for the caller's threads.
 *
 * @param archived true for the archived threads, false for the others
 * @param words the text that the title must contain; null for any title
 * @param limit number of threads on a page; the server gives at most 200
 */
public record ThreadQuery(boolean archived, @Nullable String words, int limit) {
    private static final int PAGE = 50;

    public static final ThreadQuery ACTIVE = new ThreadQuery(false, null, PAGE);
    public static final ThreadQuery ARCHIVED = new ThreadQuery(true, null, PAGE);

    public static ThreadQuery titled(String words) {
        return new ThreadQuery(false, words, PAGE);
    }

    String text(@Nullable String cursor) {
        return "?limit=" + limit
                + (archived ? "&archived=true" : "")
                + (words == null ? "" : "&q=" + Request.encode(words))
                + (cursor == null ? "" : "&cursor=" + Request.encode(cursor));
    }
}
