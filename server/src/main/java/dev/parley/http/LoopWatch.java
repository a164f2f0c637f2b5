package dev.parley.http;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * One event loop's connections, streams and downloads, and what time does to them: late connections are closed, silent streams get
 * a heartbeat, slow readers are cut. Touched by its event loop only, driven by one timer.
 */
final class LoopWatch {
    private final EdgeMeters meters;
    private final Set<ConnectionGuard> connections = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SseConnection> streams = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Transfer> transfers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final long silence;
    private final long patience;
    private final long parcelTime;

    LoopWatch(HttpSettings settings, EdgeMeters meters) {
        this.meters = meters;
        // A heartbeat that waited for the tick after its time would come late.
        this.silence = settings.heartbeat().minus(settings.tick()).toNanos();
        this.patience = settings.slowReader().toNanos();
        this.parcelTime = settings.parcelTime().toNanos();
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
        for (SseConnection stream : List.copyOf(streams)) {
            if (stream.stuckFor(now) > patience) {
                meters.slowReaderCut();
                stream.cut();
            } else if (stream.silentFor(now) >= silence) {
                stream.heartbeat();
            }
        }
    }

    private void checkTransfers(long now) {
        for (Transfer transfer : List.copyOf(transfers)) {
            if (transfer.stuckFor(now) > patience || transfer.slowFor(now) > parcelTime) {
                meters.downloadCut();
                transfer.cut();
            }
        }
    }

    void closeStreams() {
        for (SseConnection stream : List.copyOf(streams)) {
            stream.close(Frames.NONE);
        }
    }
}
