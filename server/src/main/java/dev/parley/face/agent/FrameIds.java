package dev.parley.face.agent;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;

/** What stands behind {@code id:} of an event, by which a client says later how far it came. */
enum FrameIds {
    /** On a stream of one thread. */
    POSITION,
    /** On a stream of several. */
    THREAD_AND_POSITION;

    String of(ThreadId thread, long position) {
        return this == POSITION ? Long.toString(position) : thread + ":" + position;
    }

    /** Reads a position that a client sends back. */
    static long position(String text) {
        if (!Alphabet.DIGITS.spells(text, 1, 1000)) {
            throw new ProblemException(Problem.INVALID_CURSOR, "A cursor is the id of an event: a whole number.");
        }
        // No thread gets that far; where it lies is told like that of any other that is beyond the end.
        return text.length() > 18 ? Long.MAX_VALUE : Long.parseLong(text);
    }
}
