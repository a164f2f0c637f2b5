package dev.parley.wakeups;

import dev.parley.protocol.Split;
import dev.parley.protocol.ThreadId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The format of messages between nodes: {@code parley1 NODE PULSE THREAD.POSITION.NEWS …}, ids as 32 hex digits,
 * numbers in base 36. Any other text is ignored.
 */
final class Wire {
    /** The maximum length of a message. PostgreSQL carries less than 8,000 bytes in one notification. */
    static final int MAX_CHARACTERS = 7_900;

    private static final String VERSION = "parley1";
    private static final int RADIX = 36;
    private static final int ID_DIGITS = 32;

    private Wire() {}

    /**
     * The parsed message of a node.
     *
     * @param pulse the number of the pulse in the message; 0 if the message has no pulse
     */
    record Envelope(UUID node, long pulse, List<Hint> hints) {}

    /** Writes hints into as few messages as their subjects allow. The pulse uses the subjects in turn. */
    static List<Wakeups.Message> write(UUID node, long pulse, Collection<Hint> hints, int subjects) {
        List<Wakeups.Message> messages = new ArrayList<>();
        String head = VERSION + ' ' + digits(node) + ' ';
        if (pulse > 0) {
            messages.add(new Wakeups.Message((int) (pulse % subjects), head + Long.toString(pulse, RADIX)));
        }
        StringBuilder[] open = new StringBuilder[subjects];
        for (Hint hint : hints) {
            int subject = Math.floorMod(hint.thread().hashCode(), subjects);
            String text = ' '
                    + digits(hint.thread().value())
                    + '.'
                    + Long.toString(hint.position(), RADIX)
                    + '.'
                    + Integer.toString(hint.news(), RADIX);
            StringBuilder message = open[subject];
            if (message != null && message.length() + text.length() > MAX_CHARACTERS) {
                messages.add(new Wakeups.Message(subject, message.toString()));
                message = null;
            }
            if (message == null) {
                message = new StringBuilder(head).append('0');
                open[subject] = message;
            }
            message.append(text);
        }
        for (int subject = 0; subject < subjects; subject++) {
            if (open[subject] != null) {
                messages.add(new Wakeups.Message(subject, open[subject].toString()));
            }
        }
        return messages;
    }

    static Optional<Envelope> read(String text) {
        if (text.length() > MAX_CHARACTERS || !text.startsWith(VERSION + ' ')) {
            return Optional.empty();
        }
        try {
            List<String> words = Split.at(' ', text);
            List<Hint> hints = new ArrayList<>(words.size());
            for (int i = 3; i < words.size(); i++) {
                hints.add(hint(words.get(i)));
            }
            return Optional.of(new Envelope(id(words.get(1)), number(words.get(2)), hints));
        } catch (IllegalArgumentException | IndexOutOfBoundsException foreign) {
            return Optional.empty();
        }
    }

    private static Hint hint(String word) {
        List<String> parts = Split.at('.', word);
        if (parts.size() != 3) {
            throw new IllegalArgumentException("no hint");
        }
        return new Hint(
                new ThreadId(id(parts.get(0))), number(parts.get(1)), Math.toIntExact(number(parts.get(2)) & 0xFFFF));
    }

    private static long number(String text) {
        long number = Long.parseLong(text, RADIX);
        if (number < 0) {
            throw new IllegalArgumentException("below zero");
        }
        return number;
    }

    private static UUID id(String text) {
        if (text.length() != ID_DIGITS) {
            throw new IllegalArgumentException("no id");
        }
        return new UUID(
                Long.parseUnsignedLong(text, 0, ID_DIGITS / 2, 16),
                Long.parseUnsignedLong(text, ID_DIGITS / 2, ID_DIGITS, 16));
    }

    private static String digits(UUID id) {
        return id.toString().replace("-", "");
    }
}
