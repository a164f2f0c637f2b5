package dev.parley.sdk;

import java.io.EOFException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The endless body of an answer. The reader takes it chunk by chunk, with a limit on the wait. The next chunk is
 * requested only when the reader has taken the last one, so a slow reader slows the server down instead of filling the
 * memory.
 */
final class ByteFeed implements HttpResponse.BodySubscriber<ByteFeed> {
    private sealed interface Item {
        record Bytes(List<ByteBuffer> buffers) implements Item {}

        record End(@Nullable Throwable cause) implements Item {}
    }

    private static final Flow.Subscription CANCELLED = new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
    };

    private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private final AtomicReference<Flow.@Nullable Subscription> upstream = new AtomicReference<>();

    /** Empty if no bytes came in time; fails once the body has ended or the feed was cancelled. */
    Optional<List<ByteBuffer>> poll(Duration limit) throws IOException, InterruptedException {
        return switch (items.poll(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            case null -> Optional.empty();
            case Item.Bytes bytes -> {
                request();
                yield Optional.of(bytes.buffers());
            }
            case Item.End end -> {
                items.add(end);
                Throwable cause = end.cause();
                throw cause == null
                        ? new EOFException("The server ended the stream")
                        : new IOException("The connection broke: " + cause.getMessage(), cause);
            }
        };
    }

    /** Closes the connection and wakes the waiting reader. */
    void cancel() {
        Flow.Subscription before = upstream.getAndSet(CANCELLED);
        if (before != null) {
            before.cancel();
        }
        items.add(new Item.End(null));
    }

    private void request() {
        Flow.Subscription current = upstream.get();
        if (current != null) {
            current.request(1);
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        if (upstream.compareAndSet(null, subscription)) {
            subscription.request(1);
        } else {
            subscription.cancel();
        }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        items.add(new Item.Bytes(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        items.add(new Item.End(cause));
    }

    @Override
    public void onComplete() {
        items.add(new Item.End(null));
    }

    @Override
    public CompletionStage<ByteFeed> getBody() {
        return CompletableFuture.completedFuture(this);
    }
}
