package dev.parley.http;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** One admitted request, as its handler sees it. */
public final class Call<P> {
    /** The bytes of an answer's first read. They are enough for most answers, so most answers need no second read. */
    private static final long DEFAULT_READ = 128 * 1024;

    /**
     * The number of copies of the read bytes that are in memory at the same time: the driver's buffer, strings, views,
     * and the answer.
     */
    private static final int COPIES = 4;

    private final RequestHead head;
    private final Admitted<P> admitted;
    private final List<String> names;
    private final List<String> values;
    private final CallBody body;
    private final RequestSlot slot;
    private final RequestMemory memory;

    Call(
            RequestHead head,
            Admitted<P> admitted,
            List<String> names,
            List<String> values,
            CallBody body,
            RequestSlot slot,
            RequestMemory memory) {
        this.head = head;
        this.admitted = admitted;
        this.names = names;
        this.values = values;
        this.body = body;
        this.slot = slot;
        this.memory = memory;
    }

    public RequestHead head() {
        return head;
    }

    String requestId() {
        return head.requestId();
    }

    public P caller() {
        return admitted.caller();
    }

    /**
     * Counts this call of the caller, on routes whose rate is {@link Unrated#BY_HANDLER}; refuses calls above the rate.
     */
    public void count(RateKind kind) {
        admitted.meter().accept(kind);
    }

    /** The decoded value of a parameter of the route's path template. */
    public String path(String name) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalArgumentException("The route has no path parameter " + name + ".");
        }
        return values.get(index);
    }

    public Optional<String> query(String name) {
        return head.query(name);
    }

    /** All values of a query parameter that may be repeated. */
    public List<String> queries(String name) {
        return head.queries(name);
    }

    /** A query parameter that is a whole number. */
    public Optional<Long> wholeNumber(String name) {
        return query(name).map(text -> {
            if (!Alphabet.DIGITS.spells(text, 1, 18)) {
                throw ProblemException.invalidField(name, "must be a whole number, 0 or more");
            }
            return Long.parseLong(text);
        });
    }

    /** The query parameter {@code limit}; values above the maximum are clamped. */
    public int pageSize(int usual, int largest) {
        String text = query("limit").orElse(Integer.toString(usual));
        if (text.isEmpty() || !Alphabet.DIGITS.spells(text) || text.chars().allMatch(c -> c == '0')) {
            throw ProblemException.invalidField("limit", "must be a whole number, at least 1");
        }
        return text.length() > 9 ? largest : Math.min(Integer.parseInt(text), largest);
    }

    public Optional<String> header(String name) {
        return head.header(name);
    }

    /**
     * The body's bytes; the first call waits for them. The bytes are not copied and must not be changed. They are
     * released when the handler has replied.
     *
     * @throws IllegalStateException on an upload route, whose body is too large to be held; {@link #json} throws it too
     */
    public byte[] body() {
        return body.bytes();
    }

    /**
     * The body to read on the handler's thread. On an upload route the bytes come as the client sends them: reading
     * waits, and refuses a body longer than the route's limit with a problem. Unread bytes are dropped.
     */
    public InputStream stream() {
        requirePlain();
        return body.stream();
    }

    /** Waits for an event without taking the slot of a working request; the number of waiting requests is limited. */
    public <T> T waiting(Supplier<T> wait) {
        slot.beginToWait("Too many requests are waiting; ask without waiting.");
        try {
            return wait.get();
        } finally {
            slot.goOn();
        }
    }

    /**
     * Reads data that may be large, in memory that is reserved first: the default amount, and then as much as the first
     * read has reported.
     *
     * @param read receives the number of bytes that it may read; its result is incomplete if it needs more bytes
     * @param bytes the number of bytes that the complete read needs, according to an incomplete result
     */
    public <T> T reading(LongFunction<T> read, ToLongFunction<T> bytes) {
        long before = memory.reserved();
        long room = DEFAULT_READ;
        reserve(COPIES * room);
        T found = read.apply(room);
        // This is a loop, because a second part, such as revisions, may be counted only after the first part was read.
        for (long needed = bytes.applyAsLong(found); needed > room; needed = bytes.applyAsLong(found)) {
            room = needed;
            // The memory of the first read is released before the wait for more memory. Requests that kept that memory
            // while they wait would wait for each other.
            hold(before);
            hold(before + COPIES * room);
            found = read.apply(room);
        }
        return found;
    }

    /** Reserves more bytes for the handler's next result; refuses with a problem if there is no room. */
    void reserve(long bytes) {
        try {
            memory.reserve(bytes, Problem.ANSWER_TOO_LARGE);
        } catch (InterruptedException stopping) {
            throw CallBody.stopping();
        }
    }

    /** Reserves memory for work of unknown size, but never more than one request may have. */
    public void reserveUpTo(long bytes) {
        reserve(Math.min(bytes, memory.available()));
    }

    /** Sets the memory that the request holds from now on, until its client has taken the answer. */
    public void hold(long bytes) {
        try {
            memory.resize(bytes, Problem.ANSWER_TOO_LARGE);
        } catch (InterruptedException stopping) {
            throw CallBody.stopping();
        }
    }

    /** The body read as JSON. A missing body, a malformed body or a body of another shape is refused with a problem. */
    public <T> T json(Class<T> type) {
        requirePlain();
        return body.json(header("Content-Type").orElse(""), type);
    }

    /** Reads the body like {@link #json}; empty if the body is empty. */
    public <T> Optional<T> jsonIfPresent(Class<T> type) {
        return body.bytes().length == 0 ? Optional.empty() : Optional.of(json(type));
    }

    private void requirePlain() {
        if (!header("Content-Encoding").orElse("identity").equalsIgnoreCase("identity")) {
            throw new ProblemException(
                    Problem.UNSUPPORTED_MEDIA_TYPE, "The body must be sent without Content-Encoding.");
        }
    }
}
