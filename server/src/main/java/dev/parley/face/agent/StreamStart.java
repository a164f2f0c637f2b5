package dev.parley.face.agent;

import dev.parley.http.Frames;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import java.util.Optional;
import java.util.function.Function;

/** The start of a stream: its position, and the frames that come first. */
record StreamStart(long after, Frames greeting) {
    /** The start of a stream of a whole thread. A cursor that does not lead to the stored events gets a resync. */
    static StreamStart ofThread(LogReader log, ThreadId thread, long after, FrameIds ids) {
        long head = log.lastPosition(thread);
        if (after > head) {
            return new StreamStart(head, RunEncoder.resync(ids, thread, head, "ahead"));
        }
        long expired = log.expiredTo(thread);
        return after < expired
                ? new StreamStart(expired, RunEncoder.resync(ids, thread, expired, "expired"))
                : new StreamStart(after, Frames.NONE);
    }

    /** A stream of one run without a cursor begins with the run. */
    static long ofRun(Run run) {
        return run.positions().first() == null
                ? run.positions().created()
                : run.positions().first() - 1;
    }

    /** A stream of a thread without a cursor begins with the active run; without an active run it is live only. */
    static long live(LogReader log, ThreadId thread, Function<ThreadId, Optional<Run>> active) {
        // Read first: a run that begins during the lookup comes after this position, with its first event.
        long head = log.lastPosition(thread);
        return active.apply(thread).map(StreamStart::ofRun).orElse(head);
    }
}
