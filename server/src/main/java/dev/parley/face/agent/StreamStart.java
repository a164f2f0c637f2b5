package dev.parley.face.agent;

import dev.parley.http.Frames;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import java.util.Optional;
import java.util.function.Function;

/** The start of a stream: its position, and the frames that come first. */
record StreamStart(long after, Frames greeting) {
    /** The start of a stream of a whole thread. A cursor outside the stored events gets a resync. */
    static StreamStart ofThread(LogReader log, ThreadId thread, long after, FrameIds ids) {
        LogReader.Bounds bounds = log.bounds(thread);
        long head = bounds.last();
        if (after > head) {
            return new StreamStart(head, RunEncoder.resync(ids, thread, head, "ahead"));
        }
        long expired = bounds.expired();
        return after < expired
                ? new StreamStart(expired, RunEncoder.resync(ids, thread, expired, "expired"))
                : new StreamStart(after, Frames.NONE);
    }

    /** The position after which a stream of one run starts if the reader has no cursor: directly before the run. */
    static long ofRun(Run run) {
        return run.positions().first() == null
                ? run.positions().created()
                : run.positions().first() - 1;
    }

    /**
     * The position after which a stream of a thread starts if the reader has no cursor: directly before the active run,
     * or the end of the thread if no run is active.
     */
    static long live(LogReader log, ThreadId thread, Function<ThreadId, Optional<Run>> active) {
        // The head is read first, so that a run that begins during the lookup has its first event after this position.
        long head = log.lastPosition(thread);
        return active.apply(thread).map(StreamStart::ofRun).orElse(head);
    }
}
