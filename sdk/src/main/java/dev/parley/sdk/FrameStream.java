package dev.parley.sdk;

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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one stream address. Lost, refused and silent connections are replaced and resume after the event id
 * that the reader names. One Java thread at a time may read; any Java thread may close the stream.
 */
final class FrameStream implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 16 * 1024 * 1024;
    /** The number of breaches at one position after which the stream fails. */
    private static final int MAX_BREACHES = 3;

    /** The state of the connection, which goes from idle to asking, to listening, and back to idle. */
    private sealed interface Link {
        record Idle(Deadline until) implements Link {}

        record Asking(CompletableFuture<HttpResponse<StreamAnswer>> answer, Deadline deadline) implements Link {}

        record Listening(ByteFeed feed, SseReader reader, Deadline settled) implements Link {}
    }

    private final Transport transport;
    private final String path;
    private final Supplier<Optional<String>> resume;
    private final Consumer<StreamState> states;
    private final RetryPolicy policy;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private final ArrayDeque<SseFrame> pending = new ArrayDeque<>();

    private volatile Link link = new Link.Idle(Deadline.in(Duration.ZERO));
    private Deadline silence = Deadline.in(Duration.ZERO);
    private Duration askedPause = Duration.ZERO;
    private int failedAttempts;
    private long firstFailureNanos;
    private int breaches;
    private volatile boolean ended;
    private @Nullable RuntimeException failure;

    /** @param resume the id of the event after which a new connection resumes; if empty, the server chooses */
    FrameStream(Transport transport, String path, Supplier<Optional<String>> resume, Consumer<StreamState> states) {
        this.transport = transport;
        this.path = path;
        this.resume = resume;
        this.states = states;
        this.policy = transport.settings().streams();
        transport.adopt(this);
    }

    /**
     * The next frame; empty if no frame came in time or the stream was closed. Fails as {@link EventStream#next} does.
     */
    Optional<SseFrame> next(Deadline deadline) {
        while (!closed.isDone()) {
            if (failure != null) {
                throw failure;
            }
            SseFrame frame = pending.poll();
            if (frame != null) {
                return Optional.of(frame);
            }
            if (!advance(deadline) && deadline.passed()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** Resets the counts of retries and breaches. The reader calls this method after each frame that it accepts. */
    void progressed() {
        failedAttempts = 0;
        breaches = 0;
    }

    /**
     * Handles a breach of the stream's order. The rest of this connection is not trusted; a new connection starts after
     * the last good event.
     */
    void breach(String message, @Nullable Throwable cause) {
        StreamBroken broken = new StreamBroken(message, cause);
        if (++breaches >= MAX_BREACHES) {
            fail(broken);
        } else {
            lost(broken, Duration.ZERO);
        }
    }

    boolean isClosed() {
        return closed.isDone();
    }

    /** True if the server announced the end of the stream. */
    boolean isEnded() {
        return ended;
    }

    @Override
    public void close() {
        if (closed.complete(true)) {
            transport.forget(this);
            release(link);
        }
    }

    /** Advances the connection by one step; false if the deadline passed without a step. */
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
        Optional<String> from = resume.get();
        states.accept(new StreamState.Connecting(from.orElse(null)));
        Duration limit = transport.settings().answerLimit();
        move(new Link.Asking(transport.openStream(path, from), Deadline.in(limit)));
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
            case StreamAnswer.Ended over -> {
                ended = true;
                close();
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
            // Another Java thread has closed the stream and released only the link before this one.
            release(next);
        }
    }

    private static void release(Link link) {
        switch (link) {
            case Link.Idle idle -> {}
            case Link.Asking asking -> {
                // A pending answer must be cancelled. An answer that has arrived must be closed.
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
