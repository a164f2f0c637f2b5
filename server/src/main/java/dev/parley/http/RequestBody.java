package dev.parley.http;

import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Collects one request's body up to its exact limit. Until a handler takes the body, only a small part is held, which
 * arrives with the head. The rest stays in the socket. The body is then read in three steps, and the memory for each
 * step is reserved first. A client that sends little therefore holds little, whatever length it declared. The last step
 * is the whole body. With more steps, the bodies of one caller would each hold a part of the caller's memory and wait
 * for each other. All methods but {@link #take} run on the event loop.
 */
final class RequestBody implements IncomingBody {
    private static final int FIRST_ROOM = RequestMemory.UNCOUNTED;
    private static final int SECOND_ROOM = 64 * 1024;
    /**
     * The room of an additional step for a body without a declared length. Without this step, such a body would count
     * with its route's limit.
     */
    private static final int THIRD_ROOM = 1024 * 1024;

    /**
     * The number of bytes that are reserved for each byte of a body: for the body, its parsed tree and its copies. If
     * the memory for tree and copies were reserved later, many bodies would wait for memory that other waiting bodies
     * hold.
     */
    private static final int COPIES = 3;

    private static final byte[] EMPTY = new byte[0];

    /** The connection ended before the body did, so no answer can be sent. */
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
    private final Drain drain;
    /** Wakes the taker when the room is full, and when the body is over. */
    private final Semaphore progress = new Semaphore(0);

    private Fate fate = Fate.HELD;
    private int room = FIRST_ROOM;
    private boolean continued;

    // These fields belong to the event loop until the body is over, and then to the taker.
    private byte[] bytes = EMPTY;
    private int size;
    private @Nullable RuntimeException failure;
    private volatile boolean ended;
    private volatile boolean over;

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
                conclude(null);
            }
            whenEnded.run();
        });
        request.exceptionHandler(failure -> conclude(new Lost()));
        guard.bodyFailsInto(this::conclude);
        if (declared > limit.bytes()) {
            guard.pause(request);
        }
    }

    /** Refuses a body whose declared length exceeds its route's limit. */
    void requireWithinLimit() {
        if (declared > limit.bytes()) {
            throw limit.exceeded();
        }
    }

    /** Waits for the whole body; called once, on the handler's virtual thread. */
    byte[] take(RequestMemory memory, RequestSlot slot) throws InterruptedException {
        if (!over) {
            boolean waits = slot.beginToWait("Too many requests wait for their bodies; try again soon.");
            loop.execute(this::admit);
            progress.acquire();
            while (!over) {
                int larger = largerRoom(memory);
                memory.reserve(COPIES * (long) (larger - room));
                loop.execute(() -> goOn(larger));
                progress.acquire();
            }
            if (waits) {
                slot.goOn();
            }
        }
        if (failure != null) {
            throw failure;
        }
        // The request lives as long as its answer, which may be a stream, and must not keep the body for so long.
        byte[] taken = size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        bytes = EMPTY;
        return taken;
    }

    /** The next room. Called by the taker while the event loop waits for the larger room. */
    private int largerRoom(RequestMemory memory) {
        long next = maxLength();
        if (size < SECOND_ROOM) {
            next = SECOND_ROOM;
        } else if (declared < 0) {
            next = size < THIRD_ROOM ? THIRD_ROOM : room + memory.available() / COPIES;
        }
        // If no room is left at all, the reservation refuses.
        return (int) (next <= room ? maxLength() : Math.min(next, maxLength()));
    }

    private long maxLength() {
        return declared < 0 ? limit.bytes() : declared;
    }

    @Override
    public void drop(long atMost) {
        if (ended) {
            return;
        }
        fate = Fate.DROPPED;
        drain.begin(atMost);
        bytes = EMPTY;
        guard.resume(request);
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public boolean mayNeverCome() {
        return awaitsContinue && !continued && !ended;
    }

    /** Lets the body arrive, since the handler has asked for it. */
    private void admit() {
        if (over || fate != Fate.HELD) {
            return;
        }
        fate = Fate.TAKEN;
        if (awaitsContinue) {
            continued = true;
            request.response().writeContinue();
        }
        if (size > room) {
            progress.release();
        } else {
            resume();
        }
    }

    private void goOn(int largerRoom) {
        if (over || fate != Fate.TAKEN) {
            return;
        }
        room = largerRoom;
        resume();
    }

    private void pause() {
        guard.pause(request);
        guard.bodyWaits();
    }

    private void resume() {
        guard.bodyGoesOn();
        guard.resume(request);
    }

    private void conclude(@Nullable RuntimeException cause) {
        if (!over) {
            failure = cause;
            over = true;
            progress.release();
        }
    }

    private void chunk(Buffer chunk) {
        int length = chunk.length();
        if (fate == Fate.DROPPED) {
            drain.take(length);
            return;
        }
        if ((long) size + length > limit.bytes()) {
            conclude(limit.exceeded());
            guard.pause(request); // The answer drops the rest.
            return;
        }
        append(chunk, length);
        if (size > room || (size == room && size != declared)) {
            pause();
            if (fate == Fate.TAKEN) {
                progress.release();
            }
        }
    }

    private void append(Buffer chunk, int length) {
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(size + length, Math.min(room, maxLength())));
        }
        chunk.getBytes(bytes, size);
        size += length;
    }
}
