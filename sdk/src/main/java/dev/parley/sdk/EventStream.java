package dev.parley.sdk;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.EventEnvelope;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A thread's events, pulled one by one. Lost, refused and silent connections are replaced behind the scenes, resuming
 * after the last event handed out, so that every event comes exactly once and in order. For one taker at a time; any
 * thread may close it.
 */
public final class EventStream implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 16 * 1024 * 1024;
    /** So often may the server break its promises at one place before the stream is given up. */
    private static final int MAX_BREACHES = 3;

    /** The connection's life: wait, ask, listen, and back to waiting. */
    private sealed interface Link {
        record Idle(Deadline until) implements Link {}

        record Asking(CompletableFuture<HttpResponse<StreamAnswer>> answer, Deadline deadline) implements Link {}

        record Listening(ByteFeed feed, SseReader reader, Deadline settled) implements Link {}
    }

    private final Transport transport;
    private final ThreadId thread;
    private final Consumer<SseFrame> passing;
    private final Consumer<StreamState> states;
    private final RetryPolicy policy;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private final ArrayDeque<SseFrame> pending = new ArrayDeque<>();

    private volatile Link link = new Link.Idle(Deadline.in(Duration.ZERO));
    private volatile Cursor cursor;
    private final AtomicInteger violations = new AtomicInteger();
    private Deadline silence = Deadline.in(Duration.ZERO);
    private Duration askedPause = Duration.ZERO;
    private int failedAttempts;
    private long firstFailureNanos;
    private int breaches;
    private @Nullable RuntimeException failure;

    EventStream(
            Transport transport,
            ThreadId thread,
            Cursor cursor,
            Consumer<SseFrame> passing,
            Consumer<StreamState> states) {
        this.transport = transport;
        this.thread = thread;
        this.cursor = cursor;
        this.passing = passing;
        this.states = states;
        this.policy = transport.settings().streams();
        transport.adopt(this);
    }

    /**
     * The next event; empty if none came in time or the stream was closed.
     *
     * @throws ParleyProblem if the server refuses the stream for good
     * @throws ParleyUnreachable if the retry policy is used up
     * @throws StreamBroken if the server keeps breaking the stream at the same place
     */
    public Optional<EventEnvelope> next(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        while (!closed.isDone()) {
            if (failure != null) {
                throw failure;
            }
            Optional<EventEnvelope> event = takePending();
            if (event.isPresent()) {
                return event;
            }
            if (!advance(deadline) && deadline.passed()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** After the last event handed out. */
    public Cursor cursor() {
        return cursor;
    }

    /** How often the server repeated or left out events or sent what cannot be read. Zero, if it keeps its promises. */
    public int violations() {
        return violations.get();
    }

    public boolean isClosed() {
        return closed.isDone();
    }

    @Override
    public void close() {
        if (closed.complete(true)) {
            transport.forget(this);
            release(link);
        }
    }

    /** Takes one step of the connection's life; false if it used up the deadline without one. */
    private boolean advance(Deadline deadline) {
        try {
            return switch (link) {
                case Link.Idle idle -> awaitTurn(idle, deadline);
                case Link.Asking asking -> awaitAnswer(asking, deadline);
                case Link.Listening listening -> awaitBytes(listening, deadline);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ParleyUnreachable("Interrupted while waiting for an event", e, false);
        }
    }

    private boolean awaitTurn(Link.Idle idle, Deadline deadline) throws InterruptedException {
        if (!idle.until().passed()) {
            try {
                closed.get(idle.until().orEarlier(deadline).left().toNanos(), TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException | ExecutionException e) {
                return false;
            }
        }
        states.accept(new StreamState.Connecting(cursor));
        Duration limit = transport.settings().answerLimit();
        move(new Link.Asking(transport.openStream(thread, cursor), Deadline.in(limit)));
        return true;
    }

    private boolean awaitAnswer(Link.Asking asking, Deadline deadline) throws InterruptedException {
        Deadline until = asking.deadline().orEarlier(deadline);
        HttpResponse<StreamAnswer> response;
        try {
            response = asking.answer().get(until.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (asking.deadline().passed()) {
                lost(new IOException("The server did not open the stream in time"), Duration.ZERO);
            }
            return false;
        } catch (ExecutionException e) {
            lost(e.getCause() == null ? e : e.getCause(), Duration.ZERO);
            return true;
        } catch (CancellationException e) {
            return true;
        }
        switch (response.body()) {
            case StreamAnswer.Open open -> {
                silence = Deadline.in(transport.settings().silenceLimit());
                Deadline settled = Deadline.in(policy.longestPause());
                move(new Link.Listening(open.feed(), new SseReader(MAX_FRAME_BYTES), settled));
                states.accept(new StreamState.Open());
            }
            case StreamAnswer.Refused refused -> refused(response, refused.body());
        }
        return true;
    }

    private void refused(HttpResponse<StreamAnswer> response, byte[] body) {
        int status = response.statusCode();
        ParleyProblem problem = status < 400
                ? ParleyProblem.unusable(status, "The server answered something other than an event stream")
                : ParleyProblem.read(status, response.headers(), body, false);
        if (problem.retryable()) {
            lost(problem, problem.retryAfter().orElse(Duration.ZERO));
        } else {
            fail(problem);
        }
    }

    private boolean awaitBytes(Link.Listening listening, Deadline deadline) throws InterruptedException {
        try {
            Optional<List<ByteBuffer>> chunk =
                    listening.feed().poll(silence.orEarlier(deadline).left());
            if (chunk.isPresent()) {
                silence = Deadline.in(transport.settings().silenceLimit());
                for (ByteBuffer bytes : chunk.get()) {
                    listening.reader().feed(bytes, pending::add);
                }
                askedPause = listening.reader().retry().orElse(askedPause);
                return true;
            }
            if (silence.passed()) {
                lost(new IOException("The stream was silent for three heartbeats"), Duration.ZERO);
            }
            return false;
        } catch (IOException e) {
            if (listening.settled().passed()) {
                failedAttempts = 0;
            }
            lost(e, askedPause);
            return true;
        }
    }

    private Optional<EventEnvelope> takePending() {
        for (SseFrame frame = pending.poll(); frame != null; frame = pending.poll()) {
            if (!frame.hasId()) {
                passing.accept(frame);
                continue;
            }
            Optional<Cursor> place = Cursor.parse(frame.lastEventId());
            if (place.isPresent() && place.get().compareTo(cursor) <= 0) {
                violations.incrementAndGet();
                continue;
            }
            if (place.isEmpty() || !place.get().follows(cursor)) {
                breach("The stream went from " + cursor + " to " + frame.lastEventId(), null);
                return Optional.empty();
            }
            try {
                EventEnvelope event = Json.MAPPER.readValue(frame.data(), EventEnvelope.class);
                cursor = place.get();
                failedAttempts = 0;
                breaches = 0;
                return Optional.of(event);
            } catch (JacksonException e) {
                breach("The stream sent an event that cannot be read: " + e.getOriginalMessage(), e);
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** A promise broken; what follows on this connection is not to be trusted, a new one starts after the cursor. */
    private void breach(String what, @Nullable Throwable cause) {
        violations.incrementAndGet();
        StreamBroken broken = new StreamBroken(what, cause);
        if (++breaches >= MAX_BREACHES) {
            fail(broken);
        } else {
            lost(broken, Duration.ZERO);
        }
    }

    private void lost(Throwable cause, Duration atLeast) {
        release(link);
        pending.clear();
        if (closed.isDone()) {
            return;
        }
        if (failedAttempts++ == 0) {
            firstFailureNanos = System.nanoTime();
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - firstFailureNanos);
        Optional<Duration> pause = policy.pauseAfter(failedAttempts, elapsed, atLeast, ThreadLocalRandom.current());
        if (pause.isPresent()) {
            move(new Link.Idle(Deadline.in(pause.get())));
            states.accept(new StreamState.Waiting(pause.get(), cause));
        } else if (cause instanceof RuntimeException known) {
            fail(known);
        } else {
            fail(new ParleyUnreachable("The event stream cannot be reached: " + cause.getMessage(), cause, false));
        }
    }

    private void fail(RuntimeException cause) {
        release(link);
        pending.clear();
        transport.forget(this);
        failure = cause;
    }

    private void move(Link next) {
        link = next;
        if (closed.isDone()) {
            // Closed in the meantime, by a thread that saw the link before this one.
            release(next);
        }
    }

    private static void release(Link link) {
        switch (link) {
            case Link.Idle idle -> {}
            case Link.Asking asking -> {
                // An answer that is already there has to be closed, one that is not yet, to be called off.
                if (!asking.answer().cancel(true) && !asking.answer().isCompletedExceptionally()) {
                    if (asking.answer().join().body() instanceof StreamAnswer.Open open) {
                        open.feed().cancel();
                    }
                }
            }
            case Link.Listening listening -> listening.feed().cancel();
        }
    }
}
