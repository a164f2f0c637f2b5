package dev.parley.http;

import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open stream, and the only class that writes to a stream. While the bounded queue is full, nothing is written
 * except a farewell, if the source has set one. A reader that leaves the queue full for too long is cut. All methods
 * but {@link #execute} and {@link #loop} belong to the event loop.
 */
public final class SseConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SseConnection.class);
    private static final CharSequence EVENT_STREAM = HttpHeaders.createOptimized("text/event-stream; charset=utf-8");
    private static final CharSequence ACCEL_BUFFERING = HttpHeaders.createOptimized("x-accel-buffering");
    private static final CharSequence NO = HttpHeaders.createOptimized("no");
    private static final Frames HELLO = Frames.comment("open");
    private static final Frames KEEP_ALIVE = Frames.comment("keep-alive");

    private final HttpServerResponse response;
    private final Channel channel;
    private final StreamEnd whenOver;
    private final ReaderClock clock;
    /** The tasks that wait for room. A task that has run goes to the end. */
    private final Deque<Runnable> onWritable = new ArrayDeque<>();

    private final List<Runnable> onClose = new ArrayList<>();
    private @Nullable Frames farewell;
    private long lastWrite;
    private long sent;
    private boolean closed;
    private boolean endedHere;

    /** @param whenOver the edge's own part of closing, which runs before the source's tasks */
    SseConnection(HttpServerResponse response, Channel channel, StreamEnd whenOver) {
        this.response = response;
        this.channel = channel;
        this.whenOver = whenOver;
        this.clock = new ReaderClock(channel);
    }

    /** Writes the response head and a first comment, so that the client sees the stream open at once. */
    void open(int queueBytes) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, EVENT_STREAM);
        response.putHeader(ACCEL_BUFFERING, NO);
        response.setWriteQueueMaxSize(queueBytes);
        response.closeHandler(gone -> over());
        response.drainHandler(drained -> drained());
        write(HELLO);
    }

    /**
     * Runs a task on this connection's event loop. Any thread may call this. A task that fails breaks the stream off.
     */
    public void execute(Runnable onLoop) {
        channel.eventLoop().execute(() -> guarded(onLoop));
    }

    /** The event loop's identity: connections with the same loop may be served by the same task. */
    public Object loop() {
        return channel.eventLoop();
    }

    public boolean writable() {
        return !closed && !clock.full();
    }

    boolean closed() {
        return closed;
    }

    /** True if a closed stream's client, or its connection, went away before the server ended the stream. */
    public boolean leftByClient() {
        return closed && !endedHere;
    }

    /**
     * Writes the frames and returns true; writes nothing and returns false if the queue is full or the client is gone.
     */
    public boolean send(Frames frames) {
        if (!writable()) {
            return false;
        }
        write(frames);
        return true;
    }

    /**
     * Adds a task that runs each time a full queue has room again. Several sources of one stream take turns: the source
     * that fills the queue is called last the next time.
     */
    public void onWritable(Runnable task) {
        onWritable.addLast(task);
    }

    /**
     * Adds a task that runs exactly once when the stream is over, for any reason. If the stream is over already, the
     * task runs at once.
     */
    public void onClose(Runnable task) {
        if (closed) {
            guarded(task);
        } else {
            onClose.add(task);
        }
    }

    /**
     * Sets the farewell: the last frames of the stream if its source does not end it. A protocol needs a farewell if
     * every answer must have a last event. With a farewell, even a slow reader is not cut before it has had time to
     * take the farewell.
     */
    public void farewell(Frames last) {
        farewell = last;
    }

    /** Ends the stream cleanly after some last frames. A slow reader is cut instead, unless there is a farewell. */
    public void close(Frames last) {
        if (closed) {
            return;
        }
        if (clock.full() && farewell == null) {
            cut();
        } else {
            finish(last);
        }
    }

    /** Ends the stream for callers other than the source: with the note, and then with the farewell if there is one. */
    public void end(Frames note) {
        close(farewell == null ? note : Frames.concat(List.of(note, farewell)));
    }

    /** Ends a stream that cannot go on. Sends the farewell if there is one, or else no further byte. */
    public void breakOff() {
        if (farewell == null) {
            cut();
        } else {
            close(farewell);
        }
    }

    /** Ends the connection without another byte, and frees its queue. */
    public void cut() {
        if (closed) {
            return;
        }
        endedHere = true;
        ConnectionGuard.cut(channel);
        over();
    }

    void feedFrom(StreamSource source) {
        guarded(() -> source.attach(this));
    }

    void heartbeat() {
        send(KEEP_ALIVE);
    }

    long silentFor(long now) {
        return now - lastWrite;
    }

    /** The time in which the reader has taken nothing although more bytes wait for it. */
    long stuckFor(long now) {
        return clock.stuckFor(now);
    }

    long sent() {
        return sent;
    }

    /**
     * Ends the stream with all remaining frames, of any size. A reader that takes nothing is cut in the end.
     *
     * @param taken the task to run once, when the reader has taken all frames or is gone
     */
    public void closeWith(Frames all, Runnable taken) {
        if (closed) {
            guarded(taken);
            return;
        }
        finish(all).onComplete(done -> guarded(taken));
    }

    private Future<Void> finish(Frames last) {
        endedHere = true;
        sent += last.size();
        Future<Void> taken = response.end(last.buffer());
        if (!taken.isComplete()) {
            whenOver.watch(Farewells.of(channel, taken));
        }
        over();
        return taken;
    }

    void over() {
        if (closed) {
            return;
        }
        closed = true;
        List<Runnable> tasks = List.copyOf(onClose);
        onClose.clear();
        onWritable.clear();
        whenOver.accept(this);
        tasks.forEach(this::guarded);
    }

    private void write(Frames frames) {
        sent += frames.size();
        lastWrite = System.nanoTime();
        response.write(frames.buffer());
        if (!closed && !clock.full() && response.writeQueueFull()) {
            clock.filled(lastWrite);
        }
    }

    private void drained() {
        if (closed || !clock.full()) {
            return;
        }
        clock.drained();
        for (int waiting = onWritable.size(); waiting > 0 && writable(); waiting--) {
            Runnable next = onWritable.removeFirst();
            onWritable.addLast(next);
            guarded(next);
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Task of a stream failed; the stream is broken off.", e);
            breakOff();
        }
    }
}
