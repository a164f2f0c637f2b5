package dev.parley.http;

import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One upload's body: a bounded queue between the event loop and the handler's virtual thread. The event loop stops
 * reading the socket while the queue is full, and the handler's thread waits while the queue is empty. The socket is
 * not read before the handler reads.
 */
final class UploadBody implements IncomingBody {
    private static final int FULL = 128 * 1024;

    /**
     * The bytes that an upload's queue may hold. After the queue is full, one more read may arrive before the socket is
     * paused.
     */
    static final int MEMORY = FULL + 64 * 1024;

    private static final int RESUME_BELOW = 64 * 1024;

    /** The cost of a piece besides its bytes, so that a body in many tiny pieces does not fill the memory either. */
    private static final int PIECE_OVERHEAD = 256;

    private final HttpServerRequest request;
    private final ConnectionGuard guard;
    private final EventLoop loop;
    private final BodyLimit limit;
    private final long declared;
    private final boolean awaitsContinue;
    private final Drain drain;

    // These fields belong to the event loop.
    private long counted;
    private boolean continued;
    private boolean dropped;
    private boolean ended;

    // Both threads use these fields, under the lock.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Buffer> pieces = new ArrayDeque<>();
    private int taken;
    private int weight;
    private boolean paused = true;
    private boolean complete;
    private @Nullable RuntimeException failure;
    private @Nullable RequestSlot slot;

    UploadBody(HttpServerRequest request, ConnectionGuard guard, BodyLimit limit, long declared) {
        this.request = request;
        this.guard = guard;
        this.loop = guard.channel().eventLoop();
        this.limit = limit;
        this.declared = declared;
        this.awaitsContinue = "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
        this.drain = new Drain(guard);
    }

    void start() {
        guard.pause(request);
        request.handler(this::arrived);
        request.endHandler(end -> {
            ended = true;
            change(() -> complete = true);
        });
        request.exceptionHandler(lost -> fail(new RequestBody.Lost()));
        guard.uploads();
        guard.bodyFailsInto(this::fail);
    }

    /**
     * Opens the body for the handler's virtual thread, once the caller is admitted. Refuses a body that was declared
     * too long.
     */
    InputStream open(RequestSlot of) {
        if (declared > limit.bytes()) {
            throw limit.exceeded();
        }
        change(() -> slot = of);
        return new UploadStream(this);
    }

    /**
     * Waits for some bytes. Returns their number, or -1 at the body's end.
     *
     * @throws RuntimeException the problem of a body that is too long, or of too many concurrent uploads, or {@link
     *     RequestBody.Lost}
     */
    int read(byte[] into, int offset, int length) throws InterruptedIOException {
        lock.lock();
        try {
            waitForClient();
            while (failure == null && pieces.isEmpty() && !complete) {
                askForMore();
                changed.await();
            }
            if (failure != null) {
                throw failure;
            }
            return pieces.isEmpty() ? -1 : take(into, offset, length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The wait for the body was interrupted.");
        } finally {
            lock.unlock();
        }
    }

    /** Marks the request as waiting from the first read to the body's end, because that time depends on the client. */
    private void waitForClient() {
        if (slot != null && failure == null && !complete) {
            slot.beginToWait("Too many uploads are under way, or other requests are waiting.");
        }
    }

    private int take(byte[] into, int offset, int length) {
        Buffer piece = pieces.getFirst();
        int count = Math.min(length, piece.length() - taken);
        piece.getBytes(taken, taken + count, into, offset);
        taken += count;
        if (taken == piece.length()) {
            pieces.removeFirst();
            weight -= piece.length() + PIECE_OVERHEAD;
            taken = 0;
        }
        if (weight <= RESUME_BELOW && !complete) {
            askForMore();
        }
        return count;
    }

    private void askForMore() {
        if (paused) {
            paused = false;
            loop.execute(this::goOn);
        }
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public boolean mayNeverCome() {
        return awaitsContinue && !continued && !ended;
    }

    @Override
    public void drop(long atMost) {
        if (ended) {
            return;
        }
        dropped = true;
        drain.begin(atMost);
        fail(new IllegalStateException("The request is answered; its body is gone."));
        guard.resume(request);
    }

    private void goOn() {
        if (ended || dropped) {
            return;
        }
        if (awaitsContinue && !continued) {
            continued = true;
            request.response().writeContinue();
        }
        guard.listens(true);
        guard.resume(request);
    }

    private void arrived(Buffer piece) {
        if (dropped) {
            drain.take(piece.length());
            return;
        }
        counted += piece.length();
        if (counted > limit.bytes()) {
            fail(limit.exceeded());
            stop(); // The answer drops the rest.
        } else if (piece.length() > 0) {
            hold(piece);
        }
    }

    private void hold(Buffer piece) {
        boolean full;
        lock.lock();
        try {
            pieces.addLast(piece);
            weight += piece.length() + PIECE_OVERHEAD;
            full = weight >= FULL;
            paused = full;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (full) {
            stop();
        }
    }

    private void stop() {
        guard.listens(false);
        guard.pause(request);
    }

    private void fail(RuntimeException cause) {
        change(() -> {
            failure = failure == null ? cause : failure;
            pieces.clear();
        });
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            if (slot != null && (complete || failure != null)) {
                slot.goOn();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
