package dev.parley.face.chat;

import dev.parley.log.LogReader;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the chat face's cursors into positions: {@code 12} stands behind entry 12, {@code 12-457} behind position 457. */
public final class Cursors {
    /** Not a cursor of the wire: starts behind whatever is there now. */
    static final String LIVE = "";

    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(?:-([0-9]{1,18}))?");

    private final LogReader log;

    public Cursors(LogReader log) {
        this.log = log;
    }

    long require(ThreadId thread, String cursor) {
        if (cursor.equals(LIVE)) {
            return log.lastPosition(thread);
        }
        Matcher parts = FORM.matcher(cursor);
        if (!parts.matches()) {
            throw new ProblemException(
                    Problem.INVALID_CURSOR, "A cursor is a seq such as 12, or an event id such as 12-457.");
        }
        String position = parts.group(2);
        if (position != null) {
            return requireReached(thread, Long.parseLong(position));
        }
        long seq = Long.parseLong(parts.group(1));
        return seq == 0 ? 0 : log.positionOf(thread, seq).orElseThrow(Cursors::beyond);
    }

    private long requireReached(ThreadId thread, long position) {
        if (position > log.lastPosition(thread)) {
            throw beyond();
        }
        return position;
    }

    private static ProblemException beyond() {
        return new ProblemException(
                Problem.INVALID_CURSOR, "The cursor lies behind the end of this thread; read its messages again.");
    }
}
