package dev.parley.log;

/**
 * How large a page may become, and how much of it may be read now.
 *
 * @param items that it has at most
 * @param bytes with which it ends: the item with which its text reaches them is the last one, so that a page always has at
 *     least one
 * @param room bytes that may be read; if the page has more, its length is told instead
 */
public record PageSize(int items, long bytes, long room) {
    /** A page that is read at once, whatever its length. */
    public static PageSize of(int items, long bytes) {
        return new PageSize(items, bytes, Long.MAX_VALUE);
    }
}
