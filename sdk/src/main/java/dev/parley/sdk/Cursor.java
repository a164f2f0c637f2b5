package dev.parley.sdk;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in a thread's event stream: after entry {@code seq}, or after the event at {@code position} between that
 * entry and the next. The text form is the event id, {@code 12} or {@code 12-457}.
 */
public record Cursor(long seq, long position) implements Comparable<Cursor> {
    /** The cursor before the first event. */
    public static final Cursor START = new Cursor(0, 0);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(?:-([0-9]{1,18}))?");
    private static final Comparator<Cursor> ORDER =
            Comparator.comparingLong(Cursor::seq).thenComparingLong(Cursor::position);

    public Cursor {
        if (seq < 0 || position < 0) {
            throw new IllegalArgumentException("a cursor has no negative parts");
        }
    }

    public static Cursor after(long seq) {
        return new Cursor(seq, 0);
    }

    /** Empty unless the text is an event id. */
    public static Optional<Cursor> parse(String eventId) {
        Matcher form = FORM.matcher(eventId);
        if (!form.matches()) {
            return Optional.empty();
        }
        String position = form.group(2);
        return Optional.of(new Cursor(Long.parseLong(form.group(1)), position == null ? 0 : Long.parseLong(position)));
    }

    /**
     * True if the event at this cursor may come directly after {@code earlier}. Seqs have no gaps, and positions
     * between two entries only grow.
     */
    boolean follows(Cursor earlier) {
        return position == 0 ? seq == earlier.seq + 1 : seq == earlier.seq && position > earlier.position;
    }

    @Override
    public int compareTo(Cursor other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return position == 0 ? Long.toString(seq) : seq + "-" + position;
    }
}
