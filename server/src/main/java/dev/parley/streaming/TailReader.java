package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One viewer of a tail. While it keeps up it takes stretches of the ring, one write per wake-up; when the ring has moved
 * on without it, it reads pages from the log until it has caught up. Its position only moves past what was sent.
 *
 * <p>All state belongs to the connection's event loop; only {@link #catchUp} runs elsewhere.
 */
final class TailReader {
    private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);

    /** A parcel on its way to the viewer; completed with whether it was sent. */
    private record Sending(Tail.Parcel parcel, CompletableFuture<Boolean> sent) {}

    private final Tail tail;
    private final CatchUps catchUps;
    private final SseConnection connection;
    private long position;
    private boolean catchingUp;
    private @Nullable Sending waitingForRoom;
    private boolean closed;

    TailReader(Tail tail, CatchUps catchUps, SseConnection connection, long position) {
        this.tail = tail;
        this.catchUps = catchUps;
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

    /** Sends what the ring has, if the connection takes it; when there is room again, this is called again. */
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

    /** Writes to a connection that has room; tells whether it was taken. */
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

    /** Reads pages on a virtual thread; each parcel is sent, on the loop, before the next one. */
    private void catchUp(long from) {
        try {
            long reached = from;
            for (List<Tail.Parcel> page = catchUps.page(tail, reached);
                    !page.isEmpty();
                    page = catchUps.page(tail, reached)) {
                for (Tail.Parcel parcel : page) {
                    if (!sent(parcel)) {
                        // Without this a viewer that only drips would stay connected and never hear another event.
                        connection.execute(connection::breakOff);
                        return;
                    }
                    reached = parcel.to();
                }
            }
            connection.execute(this::goLive);
        } catch (RuntimeException unavailable) {
            LOG.debug("A viewer is given up, its page cannot be read: {}", unavailable.toString());
            connection.execute(connection::breakOff);
        }
    }

    private void goLive() {
        catchingUp = false;
        serve();
    }

    /** Waits until a parcel was sent; false if the viewer is gone, or takes less than anybody should. */
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
