package dev.parley.face.agent;

import dev.parley.http.Frames;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Run;
import java.util.Optional;

/** Where a stream begins, and what it says before everything else. */
record Beginning(long after, Frames greeting) {
    /** A stream of a whole thread; a cursor that does not lead on to what is kept is told so. */
    static Beginning ofThread(LogReader log, ThreadId thread, long after, FrameIds ids) {
        long head = log.lastPosition(thread);
        if (after > head) {
            return new Beginning(head, RunEncoder.resync(ids, thread, head, "ahead"));
        }
        long expired = log.expiredTo(thread);
        return after < expired
                ? new Beginning(expired, RunEncoder.resync(ids, thread, expired, "expired"))
                : new Beginning(after, Frames.NONE);
    }

    /** Without a cursor a stream begins with the run that it is about, or else is live. */
    static long start(LogReader log, ThreadId thread, Optional<Run> run) {
        return run.map(each -> each.firstPosition() == null ? each.createdPosition() : each.firstPosition() - 1)
                .orElseGet(() -> log.lastPosition(thread));
    }
}
