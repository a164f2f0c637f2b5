package dev.parley.face.agent;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;

/** The format of {@code id:} of an event, which a client sends back as its cursor. */
enum FrameIds {
    /** The position alone, for a stream of one thread. */
    POSITION,
    /** The thread and the position, for a stream of several threads. */
    THREAD_AND_POSITION;

    String of(ThreadId thread, long position) {
        return this == POSITION ? Long.toString(position) : thread + ":" + position;
    }

    /** Parses a position that a client sends back. */
    static long position(String text) {
        if (!Alphabet.DIGITS.spells(text, 1, 1000)) {
            throw new ProblemException(Problem.INVALID_CURSOR, "A cursor is the id of an event: a whole number.");
        }
        // A number this long is beyond the end of every thread. It is handled like any other position beyond the end.
        return text.length() > 18 ? Long.MAX_VALUE : Long.parseLong(text);
    }
}
