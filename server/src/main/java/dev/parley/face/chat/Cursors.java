package dev.parley.face.chat;

import dev.parley.log.LogReader;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the chat face's cursors into positions: {@code 12} is after entry 12, {@code 12-457} after position 457. */
public final class Cursors {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})(?:-([0-9]{1,18}))?");

    private final LogReader log;

    public Cursors(LogReader log) {
        this.log = log;
    }

    /** The current end of the thread. */
    long live(ThreadId thread) {
        return log.lastPosition(thread);
    }

    long require(ThreadId thread, String cursor) {
        Matcher parts = FORM.matcher(cursor);
        if (!parts.matches()) {
            throw new ProblemException(
                    Problem.INVALID_CURSOR, "A cursor is a seq such as 12, or an event id such as 12-457.");
        }
        long seq = Long.parseLong(parts.group(1));
        String position = parts.group(2);
        if (position != null) {
            return requireBoth(thread, seq, Long.parseLong(position));
        }
        return seq == 0 ? 0 : log.positionOf(thread, seq).orElseThrow(Cursors::beyond);
    }

    /** Checks that seq and position belong together, because an invented pair would repeat or skip events. */
    private long requireBoth(ThreadId thread, long seq, long position) {
        if (position > log.lastPosition(thread)) {
            throw beyond();
        }
        if (log.seqAt(thread, position) != seq) {
            throw new ProblemException(Problem.INVALID_CURSOR, "The thread has no event with this id.");
        }
        return position;
    }

    private static ProblemException beyond() {
        return new ProblemException(
                Problem.INVALID_CURSOR, "The cursor lies beyond the end of this thread; read its messages again.");
    }
}
