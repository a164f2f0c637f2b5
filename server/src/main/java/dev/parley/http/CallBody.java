package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A request's body for its handler. The body is collected when the handler first asks for it. A handler that refuses
 * the request because of its head therefore reads no body. On an upload route the body is a stream that is read once.
 */
final class CallBody {
    private static final byte[] NO_BYTES = new byte[0];

    private final Route<?> route;
    private final @Nullable IncomingBody incoming;
    private final RequestSlot slot;
    private final RequestMemory memory;
    private final JsonWork work;
    private byte @Nullable [] collected;

    /** @param memory the memory in which the body and its tree are reserved */
    CallBody(Route<?> route, @Nullable IncomingBody incoming, RequestSlot slot, RequestMemory memory, JsonWork work) {
        this.route = route;
        this.incoming = incoming;
        this.slot = slot;
        this.memory = memory;
        this.work = work;
    }

    byte[] bytes() {
        if (route.uploads()) {
            throw new IllegalStateException("The body of an upload route is read by stream().");
        }
        byte[] bytes = collected;
        if (bytes == null) {
            bytes = collect();
            collected = bytes;
        }
        return bytes;
    }

    private byte[] collect() {
        try {
            return route.takesBody() && incoming instanceof RequestBody body ? body.take(memory, slot) : NO_BYTES;
        } catch (InterruptedException stopping) {
            throw stopping();
        }
    }

    /** The problem of an interrupted request: only a stop of the server interrupts a request. */
    static ProblemException stopping() {
        Thread.currentThread().interrupt();
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
    }

    <T> T json(String contentType, Class<T> type) {
        byte[] bytes = bytes();
        long wanted = bytes.length + JsonWeight.of(bytes);
        try {
            if (wanted > memory.reserved()) {
                // The request keeps only the memory of its bytes while it waits for more, because a caller's requests
                // must not wait for each other.
                memory.resize(bytes.length);
            }
            memory.resize(wanted);
        } catch (InterruptedException stopping) {
            throw stopping();
        }
        return work.read(bytes, contentType, type);
    }

    InputStream stream() {
        if (!route.uploads()) {
            return new ByteArrayInputStream(bytes());
        }
        if (!(incoming instanceof UploadBody upload)) {
            return InputStream.nullInputStream();
        }
        try {
            memory.reserve(UploadBody.MEMORY);
        } catch (InterruptedException stopping) {
            throw stopping();
        }
        return upload.open(slot);
    }

    /** Drops the body after the handler, because later parts, such as a stream's source, may keep the call for long. */
    void release() {
        collected = NO_BYTES;
    }
}
