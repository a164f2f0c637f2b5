package dev.parley.streaming;

import dev.parley.http.SseConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /** A page on its way to the viewer; completed with whether it was sent. */
    private record Parcel(Tail.Page page, CompletableFuture<Boolean> sent) {}

    private final Tail tail;
    private final SseConnection connection;
    private long position;
    private boolean catchingUp;
    private @Nullable Parcel waitingForRoom;
    private boolean closed;

    TailReader(Tail tail, SseConnection connection, long position) {
        this.tail = tail;
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
            connection.send(stretch.get().frames());
            position = stretch.get().to();
        }
    }

    private void roomAgain() {
        Parcel parcel = waitingForRoom;
        if (parcel == null) {
            serve();
        } else {
            waitingForRoom = null;
            send(parcel);
        }
    }

    /** Reads pages on a virtual thread; each one is sent, on the loop, before the next one is read. */
    private void catchUp(long from) {
        try {
            Tail.Page page = tail.page(from);
            while (!page.end() && sent(page)) {
                page = tail.page(page.to());
            }
            connection.execute(this::goLive);
        } catch (RuntimeException unavailable) {
            LOG.debug("A viewer is cut, its page cannot be read: {}", unavailable.toString());
            connection.execute(connection::cut);
        }
    }

    private void goLive() {
        catchingUp = false;
        serve();
    }

    /** Waits until a page was sent; false once the viewer is gone. The slow-reader rule bounds the wait. */
    private boolean sent(Tail.Page page) {
        Parcel parcel = new Parcel(page, new CompletableFuture<>());
        connection.execute(() -> send(parcel));
        return parcel.sent().join();
    }

    private void send(Parcel parcel) {
        if (closed) {
            parcel.sent().complete(false);
        } else if (connection.writable()) {
            connection.send(parcel.page().frames());
            position = parcel.page().to();
            parcel.sent().complete(true);
        } else {
            waitingForRoom = parcel;
        }
    }
}
