package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One viewer of a tail. A viewer that keeps up takes stretches of the ring, one write per wake-up. A viewer that falls
 * behind the ring reads pages from the log until it has caught up. A viewer's position only moves past sent frames.
 *
 * <p>All state belongs to the connection's event loop; only {@link #catchUp} runs elsewhere.
 */
final class TailReader {
    private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);

    private static final long NOT_TAKEN = -1;

    /**
     * A parcel in transit to the viewer.
     *
     * @param sent true if the parcel was sent
     */
    private record Sending(Tail.Parcel parcel, CompletableFuture<Boolean> sent) {}

    private final Tail tail;
    private final CatchUps catchUps;
    private final Semaphore pages;
    private final SseConnection connection;
    private long position;
    private boolean catchingUp;
    private @Nullable Sending waitingForRoom;
    private boolean closed;

    /**
     * @param pages the number of pages that the readers of this connection may hold at the same time; the readers take
     *     turns
     */
    TailReader(Tail tail, CatchUps catchUps, Semaphore pages, SseConnection connection, long position) {
        this.tail = tail;
        this.catchUps = catchUps;
        this.pages = pages;
        this.connection = connection;
        this.position = position;
        connection.onWritable(this::roomAgain);
    }

    SseConnection connection() {
        return connection;
    }

    void close() {
        closed = true;
        roomAgain();
    }

    /** Sends the frames of the ring if the connection has room. Called again when there is room. */
    void serve() {
        if (closed || catchingUp || !connection.writable()) {
            return;
        }
        Optional<Ring.Stretch> stretch = tail.ring().after(position);
        if (stretch.isEmpty()) {
            catchingUp = true;
            long from = position;
            Thread.startVirtualThread(() -> catchUp(from));
        } else if (stretch.get().to() > position) {
            position = stretch.get().to();
            write(stretch.get().frames());
        }
    }

    /** Writes to a connection that has room; true if it took the frames. */
    private boolean write(Frames frames) {
        if (frames.isLast()) {
            connection.close(frames);
            return true;
        }
        return frames.size() == 0 || connection.send(frames);
    }

    private void roomAgain() {
        Sending sending = waitingForRoom;
        if (sending == null) {
            serve();
        } else {
            waitingForRoom = null;
            send(sending);
        }
    }

    /** Reads pages on a virtual thread; each parcel is sent on the loop before the next one. */
    private void catchUp(long from) {
        try {
            long reached = from;
            long before;
            do {
                before = reached;
                reached = sendPage(before);
            } while (reached > before);
            // A viewer that takes no whole parcel must be given up, because it would stay connected and never get
            // another event.
            connection.execute(reached == before ? this::goLive : this::giveUp);
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not read a page for a viewer; closing its stream: {}", unavailable.toString());
            connection.execute(this::giveUp);
        }
    }

    /** Sends the page after a position. Returns the position that the page reaches, or {@link #NOT_TAKEN}. */
    private long sendPage(long after) {
        pages.acquireUninterruptibly();
        try {
            long reached = after;
            for (Tail.Parcel parcel : catchUps.page(tail, after)) {
                if (!sent(parcel)) {
                    return NOT_TAKEN;
                }
                reached = parcel.to();
            }
            return reached;
        } finally {
            pages.release();
        }
    }

    /** Breaks the connection off, unless the viewer has left, because a connection may go on without the viewer. */
    private void giveUp() {
        if (!closed) {
            connection.breakOff();
        }
    }

    private void goLive() {
        catchingUp = false;
        serve();
    }

    /** Waits until a parcel was sent; false if the viewer is gone or too slow. */
    private boolean sent(Tail.Parcel parcel) {
        Sending sending = new Sending(parcel, new CompletableFuture<>());
        connection.execute(() -> send(sending));
        return sending.sent()
                .completeOnTimeout(false, catchUps.parcelTime().toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    private void send(Sending sending) {
        if (closed) {
            sending.sent().complete(false);
        } else if (connection.writable()) {
            boolean sent = write(sending.parcel().frames());
            if (sent) {
                position = sending.parcel().to();
            }
            sending.sent().complete(sent);
        } else {
            waitingForRoom = sending;
        }
    }
}
