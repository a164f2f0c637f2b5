package dev.parley.attachments.images;

import java.util.ArrayList;
import java.util.List;

/** The brands of a file of boxes: the formats it follows, its own first, then the compatible ones. */
final class Brands {
    private static final int BOX_HEAD = 8;
    private static final int LETTERS = 4;

    private Brands() {}

    /** Empty if the file does not begin with a box of brands; {@code start} holds one character per byte. */
    static List<String> in(String start) {
        List<String> brands = new ArrayList<>();
        if (start.startsWith("ftyp", LETTERS)) {
            int size = start.charAt(0) << 24 | start.charAt(1) << 16 | start.charAt(2) << 8 | start.charAt(3);
            // A longer list is cut at the end of the head: brands are few.
            int end = size < 0 ? start.length() : Math.min(size, start.length());
            for (int at = BOX_HEAD; at + LETTERS <= end; at += LETTERS) {
                // A version stands between the first brand and the others.
                if (at != BOX_HEAD + LETTERS) {
                    brands.add(start.substring(at, at + LETTERS));
                }
            }
        }
        return brands;
    }
}
