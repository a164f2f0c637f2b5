package dev.parley.http;

import io.vertx.core.Future;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * One event loop's connections, streams and downloads, and what time does to them: late connections are closed, silent
 * streams get a heartbeat, slow readers are cut, after their stream's last words if it has some. Touched by its event loop
 * only, driven by one timer.
 */
final class LoopWatch {
    private final EdgeMeters meters;
    private final Set<ConnectionGuard> connections = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SseConnection> streams = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Transfer> transfers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Farewells> lastWords = new HashSet<>();
    private final long silence;
    private final long patience;
    private final long parcelTime;

    LoopWatch(HttpSettings settings, EdgeMeters meters) {
        this.meters = meters;
        // A heartbeat that waited for the tick after its time would come late.
        this.silence = settings.limits().heartbeat().minus(settings.tick()).toNanos();
        this.patience = settings.limits().slowReader().toNanos();
        this.parcelTime = settings.limits().parcelTime().toNanos();
    }

    void add(ConnectionGuard connection) {
        connections.add(connection);
    }

    void remove(ConnectionGuard connection) {
        connections.remove(connection);
    }

    void add(SseConnection stream) {
        streams.add(stream);
        meters.streamOpened();
    }

    void remove(SseConnection stream) {
        if (streams.remove(stream)) {
            meters.streamClosed();
        }
    }

    void add(Farewells words) {
        lastWords.add(words);
    }

    void add(Transfer transfer) {
        transfers.add(transfer);
    }

    void remove(Transfer transfer) {
        transfers.remove(transfer);
    }

    void tick() {
        long now = System.nanoTime();
        // Copies, since closing takes the closed one out of its set.
        for (ConnectionGuard connection : List.copyOf(connections)) {
            connection.check(now);
        }
        checkTransfers(now);
        lastWords.removeIf(words -> words.taken().isComplete() || givenUp(words, now));
        for (SseConnection stream : List.copyOf(streams)) {
            if (stream.stuckFor(now) > patience) {
                meters.slowReaderCut();
                stream.breakOff();
            } else if (stream.silentFor(now) >= silence) {
                stream.heartbeat();
            }
        }
    }

    private boolean givenUp(Farewells words, long now) {
        // One that only drips is closed in the end, as any connection that sends no other request.
        boolean late = words.clock().stuckFor(now) > patience;
        if (late) {
            words.giveUp();
        }
        return late;
    }

    private void checkTransfers(long now) {
        for (Transfer transfer : List.copyOf(transfers)) {
            if (transfer.stuckFor(now) > patience || transfer.slowFor(now) > parcelTime) {
                meters.downloadCut();
                transfer.cut();
            }
        }
    }

    /** Ends all streams; completes when the last words of those that have some are taken. */
    Future<?> closeStreams() {
        for (SseConnection stream : List.copyOf(streams)) {
            stream.end(Frames.NONE);
        }
        return Future.join(lastWords.stream().map(Farewells::taken).toList());
    }
}
