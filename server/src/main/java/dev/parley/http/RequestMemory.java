package dev.parley.http;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Map;

/**
 * One request's part of the memory budget: for its body, for the tree parsed from it, for the data read to answer it,
 * and last for the answer until the client has taken it. Used by the request's thread, and then by the event loop that
 * ends the request.
 */
final class RequestMemory implements AutoCloseable {
    /**
     * The bytes that every request may hold without being counted, because counting so few bytes would cost too much.
     */
    static final int UNCOUNTED = 4 * 1024;

    private final MemoryBudget budget;
    private final Object caller;
    private final RequestSlot slot;
    private long reserved;
    private boolean closed;

    /**
     * @param slot counts the request as waiting while it waits for memory, so that the request keeps no other request
     *     out
     */
    RequestMemory(MemoryBudget budget, Object caller, RequestSlot slot) {
        this.budget = budget;
        this.caller = caller;
        this.slot = slot;
    }

    /** Reserves additional bytes. Waits for room, and refuses more bytes than one request may have. */
    void reserve(long bytes) throws InterruptedException {
        reserve(bytes, Problem.PAYLOAD_TOO_LARGE);
    }

    /** @param tooLarge the problem to report if the request needs more bytes than one request may have */
    void reserve(long bytes, Problem tooLarge) throws InterruptedException {
        if (reserved + bytes > budget.largest()) {
            throw new ProblemException(
                    tooLarge,
                    "The request needs " + (reserved + bytes) + " bytes of server memory; the limit is "
                            + budget.largest() + ". Send a smaller body or ask for a smaller page.",
                    List.of(),
                    Map.of("limit_bytes", budget.largest()));
        }
        if (!budget.tryReserve(caller, bytes)) {
            boolean waits = slot.beginToWait("Too many requests are waiting for memory.");
            budget.reserve(caller, bytes);
            if (waits) {
                slot.goOn();
            }
        }
        reserved += bytes;
    }

    /** Sets the number of held bytes. Reserves missing bytes, or releases surplus bytes. */
    void resize(long bytes) throws InterruptedException {
        resize(bytes, Problem.PAYLOAD_TOO_LARGE);
    }

    void resize(long bytes, Problem tooLarge) throws InterruptedException {
        long wanted = bytes <= UNCOUNTED ? 0 : bytes;
        if (wanted > reserved) {
            reserve(wanted - reserved, tooLarge);
        } else if (wanted < reserved) {
            long spare = reserved - wanted;
            reserved = wanted;
            budget.release(caller, spare);
        }
    }

    /** Holds an answer that exists already, even if there is no room, because a refusal would free nothing. */
    void holdAnyway(long bytes) {
        long wanted = bytes <= UNCOUNTED ? 0 : bytes;
        if (wanted > reserved) {
            budget.reserveAnyway(caller, wanted - reserved);
        } else if (wanted < reserved) {
            budget.release(caller, reserved - wanted);
        }
        reserved = wanted;
    }

    /** The additional bytes that this request could reserve. */
    long available() {
        return budget.largest() - reserved;
    }

    long reserved() {
        return reserved;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (reserved > 0) {
                budget.release(caller, reserved);
            }
        }
    }
}
