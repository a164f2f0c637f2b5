package dev.parley.face.agent;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Frames;
import dev.parley.http.Reply;
import dev.parley.http.Routes;
import dev.parley.log.LogReader;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.threads.ThreadAccess;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The route for following runs: a thread's events as AG-UI from any position, or the events of one run from its start.
 */
public final class StreamFace {
    private final ThreadAccess access;
    private final Runs runs;
    private final LogReader log;
    private final Tails tails;
    private final OpenStreams open;
    private final StreamQuota quota;

    public StreamFace(ThreadAccess access, Runs runs, LogReader log, Tails tails, OpenStreams open, StreamQuota quota) {
        this.access = access;
        this.runs = runs;
        this.log = log;
        this.tails = tails;
        this.open = open;
        this.quota = quota;
    }

    public void addTo(Routes<Principal> routes) {
        routes.stream("/api/v1/agent/runs/{threadId}/events", Rate.POLL, this::follow);
    }

    private Reply follow(Call<Principal> call) {
        ThreadId thread = RunFace.thread(call);
        access.requireReadable(call.caller(), thread);
        Optional<Run> only =
                call.query("runId").map(id -> root(runs.find(thread, id).orElseThrow(RunStore::noSuchRun)));
        Long cursor = cursor(call);
        if (cursor != null && only.isPresent() && hasSeenAll(only.get(), cursor)) {
            // A reader that has seen the end of a run is sent to the run that replaced it.
            Run current = runs.standing(only.get());
            if (isSame(current, only.get()) || hasSeenAll(current, cursor)) {
                // An EventSource reconnects after every end except this one:
                // https://html.spec.whatwg.org/#the-eventsource-interface
                return Answer.noContent();
            }
            cursor = cursor.equals(only.get().positions().last()) ? StreamStart.ofRun(current) : cursor;
            only = Optional.of(current);
        }
        StreamStart start = start(thread, cursor, only);
        RunEncoder encoder = new RunEncoder(only.map(Run::taskId).orElse(null), FrameIds.POSITION);
        Runnable leave = quota.take(call.caller().actor());
        try {
            return tails.open(thread, start.after(), start.greeting(), encoder, connection -> {
                Runnable unwatch = open.add(connection, call.caller(), Optional.of(thread), call.query("ticket"));
                return () -> {
                    unwatch.run();
                    leave.run();
                };
            });
        } catch (RuntimeException failed) {
            leave.run();
            throw failed;
        }
    }

    /** The root of a run: the events of a child belong to its root. */
    private Run root(Run run) {
        return run.root() == null ? run : runs.find(run.root()).orElseThrow(RunStore::noSuchRun);
    }

    private static @Nullable Long cursor(Call<?> call) {
        // The query is parsed even if the header takes precedence, because an unreadable cursor is refused.
        Optional<Long> after = call.query("after").map(FrameIds::position);
        return call.header("Last-Event-ID")
                .filter(id -> !id.isEmpty())
                .map(FrameIds::position)
                .or(() -> after)
                .orElse(null);
    }

    private StreamStart start(ThreadId thread, @Nullable Long cursor, Optional<Run> only) {
        long after = cursor != null
                ? cursor
                : only.map(StreamStart::ofRun).orElseGet(() -> StreamStart.live(log, thread, runs::active));
        return only.isPresent()
                ? ofRun(only.get(), after, cursor == null)
                : StreamStart.ofThread(log, thread, after, FrameIds.POSITION);
    }

    /**
     * True if a reader at this cursor has seen the end of the run. False for a cursor beyond the thread's end: such a
     * cursor comes from another thread, and its reader is told to reload.
     */
    private boolean hasSeenAll(Run run, long cursor) {
        return isOver(run, cursor) && cursor <= log.lastPosition(run.thread());
    }

    private static boolean isSame(Run one, Run other) {
        return one.taskId().equals(other.taskId());
    }

    private static boolean isOver(Run run, long after) {
        return run.positions().last() != null && run.positions().last() <= after;
    }

    private StreamStart ofRun(Run run, long after, boolean fromTheStart) {
        LogReader.Bounds bounds = log.bounds(run.thread());
        long head = bounds.last();
        long expired = bounds.expired();
        if (after > head) {
            Frames resync = RunEncoder.resync(FrameIds.POSITION, run.thread(), head, "ahead");
            return new StreamStart(head, isOver(run, head) ? resync.asLast() : resync);
        }
        return after < expired && isGone(run, expired)
                ? new StreamStart(expired, RunEncoder.remembered(run, fromTheStart, expired))
                : new StreamStart(after, Frames.NONE);
    }

    /** True if this run's events have expired. One run's events may outlast another's, so the log is checked. */
    private boolean isGone(Run run, long expired) {
        return run.positions().last() != null
                && run.positions().last() <= expired
                && !log.hasEmitted(
                        run.thread(),
                        run.taskId(),
                        run.positions().created(),
                        run.positions().last());
    }
}
