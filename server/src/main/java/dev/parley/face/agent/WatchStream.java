package dev.parley.face.agent;

import dev.parley.auth.Principal;
import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.http.StreamSource;
import dev.parley.log.LogReader;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Runs;
import dev.parley.streaming.Following;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.Tails;
import dev.parley.threads.InboxRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * One connection that follows a caller's inbox and some of the caller's threads. Each thread is followed as on a stream
 * of its own. A thread that becomes unreadable is announced and dropped, and the other threads go on. After {@link
 * #attach}, all state belongs to the connection's event loop.
 */
public final class WatchStream implements StreamSource {
    private static final RunEncoder ENCODER = new RunEncoder(null, FrameIds.THREAD_AND_POSITION);
    /** The number of pages held at the same time. A page is as large as the connection's queue, so a few are enough. */
    private static final int PAGES_AT_ONCE = 4;

    private final Dependencies parts;
    private final Principal caller;
    private final Optional<String> ticket;
    private final Runnable leave;
    private final List<Frames> greetings = new ArrayList<>();
    /** The start position of each thread. A client cut off before its first event can resume there. */
    private final Map<String, Long> positions = new LinkedHashMap<>();

    private final Map<ThreadId, Following> followed = new HashMap<>();
    private final Map<ThreadId, Runnable> unwatch = new HashMap<>();
    private final Semaphore pages = new Semaphore(PAGES_AT_ONCE, true);
    /** Frames that wait for room. */
    private final Deque<Frames> pending = new ArrayDeque<>();

    /** @param hint encodes a hint of the inbox for this stream */
    public record Dependencies(
            Inbox inbox, Function<InboxRow, Frames> hint, Runs runs, LogReader log, Tails tails, OpenStreams open) {}

    /** @param leave the task to run once, when the stream is over or could not be opened */
    WatchStream(Dependencies parts, Principal caller, Optional<String> ticket, Runnable leave) {
        this.parts = parts;
        this.caller = caller;
        this.ticket = ticket;
        this.leave = leave;
    }

    /** Adds a thread that the caller may read. */
    void follow(WatchWish wish) {
        ThreadId thread = wish.thread();
        StreamStart start = wish.after() == null
                ? new StreamStart(StreamStart.live(parts.log, thread, parts.runs::active), Frames.NONE)
                : StreamStart.ofThread(parts.log, thread, wish.after(), FrameIds.THREAD_AND_POSITION);
        greetings.add(start.greeting());
        positions.put(thread.toString(), start.after());
        followed.put(thread, parts.tails.follow(thread, start.after(), ENCODER, pages));
    }

    /** Announces a thread that cannot be followed. */
    void refuse(ThreadId thread) {
        greetings.add(gone(thread));
    }

    @Override
    public void attach(SseConnection connection) {
        followed.forEach((thread, following) -> {
            following.join(connection);
            unwatch.put(thread, parts.open.watch(connection, caller.actor(), thread, () -> lose(connection, thread)));
        });
        Runnable close = parts.open.add(connection, caller, Optional.empty(), ticket);
        Runnable remove = parts.inbox.add(caller.actor(), connection, parts.hint);
        connection.onWritable(() -> sayGone(connection));
        connection.onClose(() -> {
            remove.run();
            close.run();
            unwatch.values().forEach(Runnable::run);
            abandon();
        });
        connection.send(ready());
        connection.send(Frames.concat(greetings));
        followed.values().forEach(Following::begin);
    }

    private Frames ready() {
        return Frames.event(null, "ready", Json.MAPPER.writeValueAsString(Map.of("positions", positions)));
    }

    /** Releases every resource that was taken. */
    void abandon() {
        followed.values().forEach(Following::leave);
        followed.clear();
        leave.run();
    }

    private void lose(SseConnection connection, ThreadId thread) {
        Following stopped = followed.remove(thread);
        if (stopped != null) {
            stopped.leave();
            Optional.ofNullable(unwatch.remove(thread)).ifPresent(Runnable::run);
            pending.add(gone(thread));
            sayGone(connection);
        }
    }

    private void sayGone(SseConnection connection) {
        while (!pending.isEmpty() && connection.send(pending.peek())) {
            pending.remove();
        }
    }

    private static Frames gone(ThreadId thread) {
        return Frames.event(null, "gone", Json.MAPPER.writeValueAsString(Map.of("threadId", thread.toString())));
    }
}
