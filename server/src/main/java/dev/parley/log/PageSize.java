package dev.parley.log;

/**
 * The limits of a page, and the number of bytes that may be read now.
 *
 * @param items the maximum number of items
 * @param bytes the text length that ends the page; the item that reaches this length is the last one, so a page always
 *     has at least one item
 * @param room the bytes that may be read; a larger page returns only its length
 */
public record PageSize(int items, long bytes, long room) {
    /** A page that is read at once, whatever its length. */
    public static PageSize of(int items, long bytes) {
        return new PageSize(items, bytes, Long.MAX_VALUE);
    }
}
