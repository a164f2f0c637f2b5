package dev.parley.attachments.images;

import java.util.ArrayList;
import java.util.List;

/** The brands of a file that consists of boxes: first the file's own format, then the compatible formats. */
final class Brands {
    private static final int BOX_HEAD = 8;
    private static final int LETTERS = 4;

    private Brands() {}

    /**
     * The brands; empty if the file does not begin with a box of brands. {@code start} contains one character per byte.
     */
    static List<String> in(String start) {
        List<String> brands = new ArrayList<>();
        if (start.startsWith("ftyp", LETTERS)) {
            int size = start.charAt(0) << 24 | start.charAt(1) << 16 | start.charAt(2) << 8 | start.charAt(3);
            // A list beyond the end of the given start is cut, because files have few brands.
            int end = size < 0 ? start.length() : Math.min(size, start.length());
            for (int at = BOX_HEAD; at + LETTERS <= end; at += LETTERS) {
                // A version number separates the first brand from the other brands.
                if (at != BOX_HEAD + LETTERS) {
                    brands.add(start.substring(at, at + LETTERS));
                }
            }
        }
        return brands;
    }
}
