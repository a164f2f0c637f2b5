package dev.parley.attachments.images;

import java.util.ArrayList;
import java.util.List;

/** The names of formats that a file of boxes says it follows: its own first, then those it is compatible with. */
final class Brands {
    private static final int BOX_HEAD = 8;
    private static final int LETTERS = 4;

    private Brands() {}

    /** Empty if the file does not begin with a box of brands; {@code start} holds one character per byte. */
    static List<String> in(String start) {
        List<String> brands = new ArrayList<>();
        if (start.startsWith("ftyp", LETTERS)) {
            int size = start.charAt(0) << 24 | start.charAt(1) << 16 | start.charAt(2) << 8 | start.charAt(3);
            // What is too long for us to see is cut: brands are few.
            int end = size < 0 ? start.length() : Math.min(size, start.length());
            for (int at = BOX_HEAD; at + LETTERS <= end; at += LETTERS) {
                // Between the first and the others stands a version.
                if (at != BOX_HEAD + LETTERS) {
                    brands.add(start.substring(at, at + LETTERS));
                }
            }
        }
        return brands;
    }
}
