package dev.parley.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a download's bytes. The handler's virtual thread reads them in pieces, and the event loop writes each piece
 * when the queue has room after the piece before. Once the head is written, every failure ends the connection, so that
 * a client never takes a part for the whole.
 */
final class Transfer {
    private static final Logger LOG = LoggerFactory.getLogger(Transfer.class);
    private static final int PIECE = 64 * 1024;
    private static final int QUEUE = 128 * 1024;

    /** The maximum bytes of a download that are in memory at the same time. */
    static final int MEMORY = QUEUE + 2 * PIECE;

    private final HttpServerResponse response;
    private final ConnectionGuard guard;
    private final EventLoop loop;
    private final LongConsumer whenOver;
    private final BooleanSupplier stopping;
    private final ReaderClock clock;
    private @Nullable CompletableFuture<Boolean> waiting;
    private long sent;
    private boolean ending;
    private boolean closed;

    /**
     * @param whenOver receives the number of sent bytes when the last byte is sent or the client is gone
     * @param stopping true if the server stops; a download that the stop ends is not logged as a failure
     */
    Transfer(HttpServerResponse response, ConnectionGuard guard, LongConsumer whenOver, BooleanSupplier stopping) {
        this.response = response;
        this.guard = guard;
        this.loop = guard.channel().eventLoop();
        this.whenOver = whenOver;
        this.stopping = stopping;
        this.clock = new ReaderClock(guard.channel());
    }

    /**
     * Reads and sends all bytes, on the handler's thread. Throws a failure that precedes the first bytes, because the
     * request can still be answered then.
     *
     * @param begin sets the response's head on the event loop, and calls {@link #begin} or {@link #abandon}
     */
    void run(Download.Source source, long from, long length, Runnable begin) throws IOException {
        InputStream in = source.open(from, length);
        boolean begun = false;
        boolean interrupted = false;
        try {
            byte[] piece = next(in, length);
            begun = true;
            loop.execute(begin);
            long left = length - piece.length;
            while (send(piece, left == 0) && left > 0) {
                piece = next(in, left);
                left -= piece.length;
            }
        } catch (IOException | InterruptedException | ExecutionException | RuntimeException e) {
            if (!begun && e instanceof IOException failed) {
                throw failed;
            }
            if (!begun && e instanceof RuntimeException failed) {
                throw failed;
            }
            interrupted = e instanceof InterruptedException;
            breakOff(e);
        } finally {
            close(in);
            if (interrupted) {
                // The thread is interrupted only now, because an interrupted thread may not be able to close the
                // source.
                Thread.currentThread().interrupt();
            }
        }
    }

    private void breakOff(Exception cause) {
        if (stopping.getAsBoolean()) {
            LOG.debug("Download broke off because the server stops.", cause);
        } else {
            LOG.warn("Download broke off; its client must ask again.", cause);
        }
        loop.execute(this::cut);
    }

    private static byte[] next(InputStream in, long left) throws IOException {
        byte[] piece = new byte[(int) Math.min(PIECE, left)];
        if (in.readNBytes(piece, 0, piece.length) < piece.length) {
            throw new EOFException("The source is shorter than promised; " + left + " bytes were to come.");
        }
        return piece;
    }

    private static void close(InputStream in) {
        try {
            in.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("Could not close the source of a download.", e);
        }
    }

    /** Waits until the piece is written and there is room for another; false if the client is gone. */
    private boolean send(byte[] piece, boolean last) throws InterruptedException, ExecutionException {
        CompletableFuture<Boolean> room = new CompletableFuture<>();
        loop.execute(() -> write(piece, last, room));
        return room.get();
    }

    /** Starts to send; the response has its head. This method and all methods below run on the event loop. */
    void begin() {
        response.setWriteQueueMaxSize(QUEUE);
        response.closeHandler(gone -> over());
        response.drainHandler(drained -> drained());
        guard.watch().add(this);
    }

    /** Gives up the transfer, because the request gets another answer. */
    void abandon() {
        closed = true;
    }

    private void write(byte[] piece, boolean last, CompletableFuture<Boolean> room) {
        if (closed) {
            room.complete(false);
            return;
        }
        waiting = room;
        sent += piece.length;
        ending = last;
        try {
            Future<Void> written = response.write(BufferInternal.buffer(Unpooled.wrappedBuffer(piece)));
            if (last) {
                // The response ends only when its last byte is out. Otherwise the next request would begin while the
                // queue is still full.
                clock.filled(System.nanoTime());
                written.onSuccess(out -> finish()).onFailure(gone -> cut());
            } else if (response.writeQueueFull()) {
                clock.filled(System.nanoTime());
            } else {
                goOn();
            }
        } catch (RuntimeException e) {
            LOG.warn("Could not write a download; its connection is closed.", e);
            cut();
        }
    }

    private void drained() {
        if (!closed && !ending && clock.full()) {
            clock.drained();
            goOn();
        }
    }

    private void goOn() {
        CompletableFuture<Boolean> room = waiting;
        waiting = null;
        if (room != null) {
            room.complete(!closed);
        }
    }

    private void finish() {
        if (!closed) {
            response.end();
            over();
        }
    }

    long stuckFor(long now) {
        return clock.stuckFor(now);
    }

    long slowFor(long now) {
        return clock.slowFor(now);
    }

    void cut() {
        if (!closed) {
            ConnectionGuard.cut(guard.channel());
            over();
        }
    }

    void over() {
        if (closed) {
            return;
        }
        closed = true;
        guard.watch().remove(this);
        goOn();
        whenOver.accept(sent);
    }
}
