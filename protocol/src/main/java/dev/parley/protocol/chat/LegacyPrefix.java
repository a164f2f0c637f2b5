package dev.parley.protocol.chat;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The prefix with sender and channel that integrations once put in front of a message's text. Each source has a form of
 * its own. Strip the prefix for display only, and only from messages whose metadata has {@code legacy_prefix: true},
 * because in other messages the sender typed the prefix. This class is to be removed after the third quarter of 2026.
 */
public final class LegacyPrefix {
    private static final Map<String, LegacyPrefix> BY_SOURCE = Map.of(
            "slack", new LegacyPrefix(Pattern.compile("\\[Slack channel:[^ \\r\\n]+ user:"), "]"),
            "discord", new LegacyPrefix(Pattern.compile("\\[Discord channel:[^ \\r\\n]+ user:"), "]"),
            "bluebubbles", new LegacyPrefix(Pattern.compile("\\["), "]:"));

    private static final Pattern LINE_END = Pattern.compile("[\\r\\n]");

    /** The prefix up to the sender's name. */
    private final Pattern opening;
    /** The text after the name. */
    private final String closing;

    private LegacyPrefix(Pattern opening, String closing) {
        this.opening = opening;
        this.closing = closing;
    }

    /** The content without the prefix of its source; an empty text if the content is null. */
    public static String strip(@Nullable String content, @Nullable String source) {
        String text = content == null ? "" : content;
        LegacyPrefix prefix = source == null ? null : BY_SOURCE.get(source);
        return prefix == null ? text : prefix.strippedFrom(text);
    }

    private String strippedFrom(String text) {
        Matcher start = opening.matcher(text);
        if (!start.lookingAt()) {
            return text;
        }
        Matcher lineEnd = LINE_END.matcher(text);
        String firstLine = lineEnd.find() ? text.substring(0, lineEnd.start()) : text;
        int end = end(firstLine, start.end());
        if (end < 0) {
            return text;
        }
        return text.substring(text.startsWith(" ", end) ? end + 1 : end);
    }

    /**
     * The prefix ends at the first closing text that is outside of the name's own brackets and is followed by a space
     * or by the line's end. A name with unpaired brackets may leave no such place; then the prefix ends at the first
     * closing text.
     *
     * @return the index after the closing, or -1 if there is no prefix
     */
    private int end(String line, int nameStart) {
        if (line.startsWith("]", nameStart)) {
            return -1;
        }
        int depth = 0;
        for (int at = nameStart; at < line.length(); at++) {
            int end = at + closing.length();
            if (line.charAt(at) == '[') {
                depth++;
            } else if (line.charAt(at) == ']' && depth > 0) {
                depth--;
            } else if (line.startsWith(closing, at) && (end == line.length() || line.charAt(end) == ' ')) {
                return end;
            }
        }
        int first = line.indexOf(closing, nameStart);
        return first < 0 ? -1 : first + closing.length();
    }
}
