package dev.parley.ingest;

import dev.parley.assembly.Names;
import dev.parley.assembly.OneLine;
import dev.parley.threads.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of {@code thread_context}: one line for each earlier message, newest last. The first message of the thread is
 * always there; the newest ones follow for as long as they fit, and a line counts those in between that do not.
 *
 * @param messages number of messages that have a line
 * @param leftOut number of messages that have none
 */
record ThreadContext(String text, int messages, int leftOut) {
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";
    private static final String FIRST_DELETED = "- (the first message was deleted)";
    private static final String CUT_SHORT = "- (later messages could not be read)";
    /** Longer than any line that counts what was left out. */
    private static final int COUNT_BYTES = 48;

    private static final int MAX_FIRST_TEXT = 1_000;
    private static final int MAX_TEXT = 400;

    /** Null if there is nothing to tell. */
    static @Nullable ThreadContext of(PlatformHistory.Read history, long maxBytes) {
        List<EarlierMessage> messages = history.messages();
        if (messages.isEmpty() && history.leftOut() == 0 && !history.firstDeleted()) {
            return null;
        }
        boolean hasFirst = !messages.isEmpty() && messages.getFirst().first();
        long room = maxBytes - size(HEADER) - COUNT_BYTES - (history.problem() == null ? 0 : size(CUT_SHORT));
        List<String> lines = new ArrayList<>(List.of(HEADER));
        if (hasFirst) {
            lines.add(Text.startWithin(line(messages.getFirst(), MAX_FIRST_TEXT), (int) Math.max(0, room - 1)));
        } else if (history.firstDeleted()) {
            lines.add(FIRST_DELETED);
        }
        room -= lines.size() > 1 ? size(lines.get(1)) : 0;
        List<EarlierMessage> rest = hasFirst ? messages.subList(1, messages.size()) : messages;
        List<String> newest = newestWithin(rest, room);
        int leftOut = history.leftOut() + rest.size() - newest.size();
        if (leftOut > 0) {
            lines.add("- (" + leftOut + (leftOut == 1 ? " message left out)" : " messages left out)"));
        }
        lines.addAll(newest);
        if (history.problem() != null) {
            lines.add(CUT_SHORT);
        }
        return new ThreadContext(String.join("\n", lines), newest.size() + (hasFirst ? 1 : 0), leftOut);
    }

    private static List<String> newestWithin(List<EarlierMessage> messages, long room) {
        Deque<String> lines = new ArrayDeque<>();
        long left = room;
        for (EarlierMessage message : messages.reversed()) {
            String line = line(message, MAX_TEXT);
            left -= size(line);
            if (left < 0) {
                break;
            }
            lines.addFirst(line);
        }
        return List.copyOf(lines);
    }

    /** A line break in a text would let its sender write lines in the name of others. */
    private static String line(EarlierMessage message, int maxText) {
        String name = Names.neutral(message.sender());
        String token = message.mentionToken();
        String text = OneLine.of(message.text(), maxText + 1);
        boolean cut = !Text.isAtMost(text, maxText);
        return "- " + (name.isEmpty() ? "somebody" : name) + (token == null ? "" : " (" + token + ")") + ": "
                + (cut ? text.substring(0, text.offsetByCodePoints(0, maxText)) + "…" : text);
    }

    /** With the line break that ends it. */
    private static int size(String line) {
        return line.getBytes(StandardCharsets.UTF_8).length + 1;
    }
}
