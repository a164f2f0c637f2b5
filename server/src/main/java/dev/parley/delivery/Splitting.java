package dev.parley.delivery;

import dev.parley.protocol.Split;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into parts within a platform's limit: between paragraphs if possible, else between lines, words or
 * graphemes. A block of code that is cut is closed, and opened again in the next part, so that each part can be shown
 * by itself. Pure: equal texts give equal parts.
 */
final class Splitting {
    /** The note at the end of a text that would have too many parts. */
    static final String CUT_NOTE = "\n[…] The message goes on in its thread.";

    private static final Pattern FENCE = Pattern.compile("^([ \\t>]*)(`{3,12}|~{3,12})([^\\r]*)\\r?$");
    private static final int MAX_OPENING = 60;
    private static final int MAX_MARGIN = 12;
    /** The largest length of the text that closes a fence: a line break, a margin and the marks. */
    private static final int MAX_CLOSING = 1 + MAX_MARGIN + 12;
    /** The largest number of chars in a code point. */
    private static final int MAX_CHARS = 2;

    private final int limit;
    private final int maxParts;
    private final ToIntFunction<String> size;

    /**
     * @param limit the limit of one part, by {@code size}
     * @param maxParts the largest number of parts of one text
     */
    Splitting(int limit, int maxParts, ToIntFunction<String> size) {
        this.limit = limit;
        this.maxParts = maxParts;
        this.size = size;
    }

    /** An open block of code, with the line that closes it and the line that opens it again. */
    private record Fence(String marks, String close, String open) {}

    /** The parts of a text, none of them empty; no parts for a blank text. */
    List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        String rest = text.stripTrailing();
        Fence fence = null;
        while (!rest.isBlank()) {
            String opening = fence == null ? "" : fence.open() + "\n";
            if (rest.length() <= MAX_CHARS * limit && size.applyAsInt(opening + rest) <= limit) {
                parts.add(opening + rest);
                return parts;
            }
            boolean last = parts.size() == maxParts - 1;
            int room = limit - size.applyAsInt(opening) - (last ? size.applyAsInt(CUT_NOTE) : 0);
            // Leaves room to close a fence that the piece opens.
            int end = cut(rest, room - MAX_CLOSING);
            String piece = rest.substring(0, end).stripTrailing();
            if (piece.isBlank()) {
                rest = withoutBreak(rest.substring(end));
                continue;
            }
            fence = fenceAfter(fence, piece);
            String closing = fence == null ? "" : "\n" + fence.close();
            parts.add(opening + piece + closing + (last ? CUT_NOTE : ""));
            if (last) {
                return parts;
            }
            rest = withoutBreak(rest.substring(end));
        }
        return parts;
    }

    /** The end of the next part: the best border in the second half of the text that fits. */
    private int cut(String text, int room) {
        int fits = fitting(text, room);
        int minEnd = fits / 2;
        for (String border : List.of("\n\n", "\n", " ")) {
            int at = text.lastIndexOf(border, fits);
            if (at > minEnd) {
                return at;
            }
        }
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text.substring(0, Math.min(text.length(), fits + 64)));
        int at = characters.isBoundary(fits) ? fits : characters.preceding(fits);
        return at > minEnd ? at : fits;
    }

    /** Number of chars that fit, at least one code point, and never half of a surrogate pair. */
    private int fitting(String text, int room) {
        int low = text.offsetByCodePoints(0, 1);
        // An upper bound, because the size of each code point is at least one.
        int high = Math.max(low, Math.min(text.length(), MAX_CHARS * room));
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            int end = middle < text.length() && Character.isLowSurrogate(text.charAt(middle)) ? middle - 1 : middle;
            if (end > low && size.applyAsInt(text.substring(0, end)) <= room) {
                low = end;
            } else {
                high = end > low ? middle - 1 : low;
            }
        }
        return low;
    }

    private static @Nullable Fence fenceAfter(@Nullable Fence before, String piece) {
        Fence open = before;
        for (String line : Split.at('\n', piece)) {
            Matcher fence = FENCE.matcher(line);
            if (!fence.matches()) {
                continue;
            }
            // Within a quotation or a list, a fence follows the marks of the quotation or list.
            String margin = fence.group(1).length() > MAX_MARGIN ? "" : fence.group(1);
            String marks = fence.group(2);
            if (open == null) {
                String opening = margin + marks + fence.group(3).stripTrailing();
                open = new Fence(marks, margin + marks, opening.length() > MAX_OPENING ? margin + marks : opening);
            } else if (closes(open, marks, fence.group(3))) {
                open = null;
            }
        }
        return open;
    }

    private static boolean closes(Fence open, String marks, String info) {
        return marks.charAt(0) == open.marks().charAt(0)
                && marks.length() >= open.marks().length()
                && info.isBlank();
    }

    /** The rest without the break at the cut; indentation stays. */
    private static String withoutBreak(String rest) {
        int start = 0;
        while (start < rest.length() && rest.charAt(start) == '\n') {
            start++;
        }
        return start == 0 && rest.startsWith(" ") ? rest.substring(1) : rest.substring(start);
    }
}
