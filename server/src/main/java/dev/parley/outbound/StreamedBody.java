package dev.parley.outbound;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer, read piece by piece with a timeout for each. An interrupt of the reader ends the wait at once.
 * The next piece is requested only after the previous piece was handled.
 */
public final class StreamedBody implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    /** Some bytes, or the end of the body. A broken connection also counts as the end. */
    private record Piece(List<ByteBuffer> bytes, boolean isEnd) {}

    /** The arrived pieces, at most two: a requested piece, and the end. */
    private final BlockingQueue<Piece> arrived = new LinkedBlockingQueue<>();

    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean closed;
    private boolean begun;

    StreamedBody(Flow.Publisher<List<ByteBuffer>> source) {
        source.subscribe(this);
    }

    /**
     * The next bytes; empty at the end, also after a broken connection.
     *
     * @throws TimeoutException no bytes arrived within {@code silence}
     */
    public Optional<List<ByteBuffer>> next(Duration silence) throws TimeoutException, InterruptedException {
        Flow.Subscription source = subscription;
        if (begun && source != null) {
            source.request(1);
        }
        begun = true;
        Piece piece = arrived.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
        if (piece == null) {
            throw new TimeoutException();
        }
        if (piece.isEnd()) {
            // A further call gets the end again.
            arrived.add(piece);
            return Optional.empty();
        }
        return Optional.of(piece.bytes());
    }

    @Override
    public void onSubscribe(Flow.Subscription source) {
        subscription = source;
        if (closed) {
            source.cancel();
        } else {
            source.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        arrived.add(new Piece(bytes, false));
    }

    @Override
    public void onError(Throwable broken) {
        arrived.add(new Piece(List.of(), true));
    }

    @Override
    public void onComplete() {
        arrived.add(new Piece(List.of(), true));
    }

    /** Closes the connection, so that the server stops sending. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription source = subscription;
        if (source != null) {
            source.cancel();
        }
    }
}
