package dev.parley.http;

import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Collects one request's body up to its exact limit. Until the caller is admitted only what a small request brings along
 * with its head is held; the rest stays in the socket, and so does what is large until it has a place. All but {@link
 * #take} runs on the event loop.
 */
final class RequestBody implements IncomingBody {
    private static final int HOLD = 16 * 1024;
    private static final byte[] EMPTY = new byte[0];

    /** The connection ended before the body did: there is nobody left to answer. */
    static final class Lost extends RuntimeException {
        Lost() {
            super("The connection was closed before the body ended.", null, false, false);
        }
    }

    private enum Fate {
        HELD,
        TAKEN,
        DROPPED
    }

    private final HttpServerRequest request;
    private final ConnectionGuard guard;
    private final EventLoop loop;
    private final BodyLimit limit;
    private final long declared;
    private final boolean awaitsContinue;
    private final CompletableFuture<Boolean> large = new CompletableFuture<>();
    private final CompletableFuture<Void> whole = new CompletableFuture<>();
    private final Drain drain;
    private Fate fate = Fate.HELD;
    private boolean hasPlace;

    // Of the event loop until the whole is here, then of the taker.
    private byte[] bytes = EMPTY;
    private int size;
    private boolean continued;
    private boolean ended;

    RequestBody(HttpServerRequest request, ConnectionGuard guard, BodyLimit limit, long declared) {
        this.request = request;
        this.guard = guard;
        this.loop = guard.channel().eventLoop();
        this.drain = new Drain(guard);
        this.limit = limit;
        this.declared = declared;
        this.awaitsContinue = "100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT));
    }

    /** @param whenEnded called on the loop when the whole body is here */
    void start(Runnable whenEnded) {
        request.handler(this::chunk);
        request.endHandler(end -> {
            ended = true;
            if (fate != Fate.DROPPED) {
                large.complete(false);
                whole.complete(null);
            }
            whenEnded.run();
        });
        request.exceptionHandler(failure -> fail(new Lost()));
        if (declared > limit.bytes()) {
            request.pause();
        }
    }

    /**
     * Waits for the whole body; called once, on the handler's virtual thread, when the caller is admitted.
     *
     * @param place waited for before a large body is read, or read on if its length was not declared
     */
    byte[] take(BodyPlace place) throws InterruptedException {
        if (declared > limit.bytes()) {
            throw limit.exceeded();
        }
        if (declared > LargeBodies.LARGE) {
            await(place);
        }
        if (!whole.isDone()) {
            loop.execute(this::admit);
        }
        if (declared < 0 && outcome(large)) {
            await(place);
            loop.execute(this::goOn);
        }
        outcome(whole);
        place.arrived();
        // The request lives as long as its answer, which may be a stream, and must not keep the body for so long.
        byte[] taken = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        bytes = EMPTY;
        return taken;
    }

    private void await(BodyPlace place) throws InterruptedException {
        loop.execute(guard::bodyWaits);
        place.take();
    }

    private static <T> T outcome(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void drop(long atMost) {
        if (ended) {
            return;
        }
        fate = Fate.DROPPED;
        drain.begin(atMost);
        bytes = EMPTY;
        request.resume();
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public boolean mayNeverCome() {
        return awaitsContinue && !continued && !ended;
    }

    private void admit() {
        if (ended || fate != Fate.HELD) {
            return;
        }
        fate = Fate.TAKEN;
        if (awaitsContinue) {
            continued = true;
            request.response().writeContinue();
        }
        if (declared > LargeBodies.LARGE) {
            goOn();
        } else {
            request.resume();
        }
    }

    /** A large body has its place. */
    private void goOn() {
        if (ended || fate != Fate.TAKEN) {
            return;
        }
        hasPlace = true;
        guard.bodyWanted();
        request.resume();
    }

    private void fail(RuntimeException cause) {
        large.complete(false);
        whole.completeExceptionally(cause);
    }

    private void chunk(Buffer chunk) {
        int length = chunk.length();
        if (fate == Fate.DROPPED) {
            drain.take(length);
            return;
        }
        if ((long) size + length > limit.bytes()) {
            fail(limit.exceeded());
            request.pause(); // Whoever answers now drops the rest.
            return;
        }
        append(chunk, length);
        if (fate == Fate.HELD && size > HOLD) {
            request.pause();
        } else if (size > LargeBodies.LARGE && !hasPlace) {
            request.pause();
            large.complete(true);
        }
    }

    private void append(Buffer chunk, int length) {
        if (size + length > bytes.length) {
            long room = Math.max(Math.min(declared, fate == Fate.HELD ? HOLD : declared), 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, (int) Math.max(size + length, Math.min(room, limit.bytes())));
        }
        chunk.getBytes(bytes, size);
        size += length;
    }
}
