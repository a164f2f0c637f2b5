package dev.parley.streaming;

import dev.parley.http.SseConnection;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One viewer's membership in a thread's tail. The membership begins before the viewer's stream is open. It ends once,
 * when the stream is over or goes on without this thread. After {@link #join}, it belongs to the connection's event
 * loop.
 */
public final class Following {
    private final Tail tail;
    private final CatchUps catchUps;
    private final Semaphore pages;
    private final long after;
    private final Runnable release;
    private @Nullable TailReader reader;
    private boolean left;

    Following(Tail tail, CatchUps catchUps, Semaphore pages, long after, Runnable release) {
        this.tail = tail;
        this.catchUps = catchUps;
        this.pages = pages;
        this.after = after;
        this.release = release;
    }

    /** Starts to receive wake-ups. Sends nothing yet, because the stream may have to send a greeting first. */
    public void join(SseConnection connection) {
        TailReader joined = new TailReader(tail, catchUps, pages, connection, after);
        reader = joined;
        tail.join(joined);
    }

    /** Sends the pending events. Called once after {@link #join}, in the same task. */
    public void begin() {
        if (reader != null) {
            reader.serve();
        }
    }

    public void leave() {
        if (left) {
            return;
        }
        left = true;
        if (reader != null) {
            reader.close();
            tail.leave(reader);
        }
        release.run();
    }
}
