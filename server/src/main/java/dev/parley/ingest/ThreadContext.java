package dev.parley.ingest;

import dev.parley.assembly.OneLine;
import dev.parley.assembly.TurnNames;
import dev.parley.basics.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The text of {@code thread_context}: one line for each earlier message, newest last. The first message of the thread
 * and the answered message are always included. The newest other messages are included if they fit. One line counts the
 * messages in between that do not fit.
 *
 * @param quoted the messages with a line
 * @param leftOut number of messages without a line
 */
record ThreadContext(String text, List<EarlierMessage> quoted, int leftOut) {
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";
    private static final String FIRST_DELETED = "- (the first message was deleted)";
    private static final String CUT_SHORT = "- (later messages could not be read)";
    /** The bytes reserved for the line that counts the left-out messages. No such line is longer. */
    private static final int COUNT_BYTES = 48;

    private static final int MAX_FIRST_TEXT = 1_000;
    private static final int MAX_TEXT = 400;

    /**
     * The messages of a context.
     *
     * @param messages oldest first
     * @param answered the id of the message that the inbound message answers; null if it answers no message
     * @param leftOut the number of messages left out of {@code messages}; the gap is directly after the first message
     * @param firstDeleted true if the message that the thread began with is deleted
     * @param cutShort true if messages directly before the inbound message could not be read
     */
    record Lines(
            List<EarlierMessage> messages,
            @Nullable String answered,
            int leftOut,
            boolean firstDeleted,
            boolean cutShort) {
        private boolean isPinned(EarlierMessage message) {
            return message.first() || message.externalId().equals(answered);
        }

        boolean isEmpty() {
            return messages.isEmpty() && leftOut == 0 && !firstDeleted;
        }
    }

    /** The context; null if it would be empty. */
    static @Nullable ThreadContext of(Lines history, long maxBytes) {
        if (history.isEmpty()) {
            return null;
        }
        List<EarlierMessage> messages = history.messages();
        boolean hasFirst = !messages.isEmpty() && messages.getFirst().first();
        boolean toldDeleted = !hasFirst && history.firstDeleted();
        long room = maxBytes
                - size(HEADER)
                - COUNT_BYTES
                - (history.cutShort() ? size(CUT_SHORT) : 0)
                - (toldDeleted ? size(FIRST_DELETED) : 0);
        Map<Integer, String> included = linesWithin(history, room);
        int leftOut = history.leftOut() + messages.size() - included.size();
        List<String> lines = new ArrayList<>(List.of(HEADER));
        if (toldDeleted) {
            lines.add(FIRST_DELETED);
        }
        lines.addAll(included.values());
        if (leftOut > 0) {
            String count = "- (" + leftOut + (leftOut == 1 ? " message left out)" : " messages left out)");
            lines.add(hasFirst || toldDeleted ? 2 : 1, count);
        }
        if (history.cutShort()) {
            lines.add(CUT_SHORT);
        }
        return new ThreadContext(
                String.join("\n", lines),
                included.keySet().stream().map(messages::get).toList(),
                leftOut);
    }

    /** The lines of the first, the answered and the newest other messages, by the index of the message. */
    private static Map<Integer, String> linesWithin(Lines history, long room) {
        List<EarlierMessage> messages = history.messages();
        Map<Integer, String> lines = new TreeMap<>();
        long left = room;
        for (int i = 0; i < messages.size(); i++) {
            EarlierMessage message = messages.get(i);
            if (history.isPinned(message)) {
                String line = line(message, message.first() ? MAX_FIRST_TEXT : MAX_TEXT);
                String within = Text.startWithin(line, (int) Math.max(0, left - 1));
                if (!within.isEmpty()) {
                    left -= size(within);
                    lines.put(i, within);
                }
            }
        }
        Set<Integer> pinned = Set.copyOf(lines.keySet());
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (pinned.contains(i)) {
                continue;
            }
            String line = line(messages.get(i), MAX_TEXT);
            left -= size(line);
            if (left < 0) {
                break;
            }
            lines.put(i, line);
        }
        return lines;
    }

    /**
     * The line of a message. It has no line breaks, because its sender could use them to write lines in another
     * sender's name.
     */
    private static String line(EarlierMessage message, int maxText) {
        String name = TurnNames.neutral(message.author().name());
        String token = message.author().mentionToken();
        String text = OneLine.of(message.text(), maxText + 1);
        boolean cut = !Text.isAtMost(text, maxText);
        return "- " + (name.isEmpty() ? "somebody" : name) + (token == null ? "" : " (" + token + ")") + ": "
                + (cut ? text.substring(0, text.offsetByCodePoints(0, maxText)) + "…" : text);
    }

    /** Bytes of the line and its line break. */
    private static int size(String line) {
        return line.getBytes(StandardCharsets.UTF_8).length + 1;
    }
}
