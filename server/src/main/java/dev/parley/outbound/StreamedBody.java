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
 * The body of an answer as something to wait for: piece by piece, with a limit on the silence between them, and given up
 * at once when its reader is interrupted. The next piece is asked for only when the one before has been dealt with.
 */
public final class StreamedBody implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    /** What came: some bytes, the end, or a connection that broke, which is an end as well. */
    private record Piece(List<ByteBuffer> bytes, boolean isEnd) {}

    /** At most two: a piece that was asked for, and the end. */
    private final BlockingQueue<Piece> arrived = new LinkedBlockingQueue<>();

    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean closed;
    private boolean begun;

    StreamedBody(Flow.Publisher<List<ByteBuffer>> source) {
        source.subscribe(this);
    }

    /**
     * The next bytes; empty at the end, however it came.
     *
     * @throws TimeoutException nothing came for that long
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
            // Whoever asks once more gets the same answer.
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

    /** Closes the connection, so that the other side learns that nobody listens. */
    @Override
    public void close() {
        closed = true;
        Flow.Subscription source = subscription;
        if (source != null) {
            source.cancel();
        }
    }
}
