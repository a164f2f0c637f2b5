package dev.parley.http;

import io.vertx.core.Future;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The connections, streams and downloads of one event loop, and their timeouts. Late connections are closed, silent
 * streams get a heartbeat, and slow readers are cut. A stream that has a farewell sends it before its slow reader is
 * cut. Only the event loop touches this class, and one timer drives it.
 */
final class LoopWatch {
    private final EdgeMeters meters;
    private final Set<ConnectionGuard> connections = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SseConnection> streams = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Transfer> transfers = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Farewells> farewells = new HashSet<>();
    private final long heartbeatTime;
    private final long slowReaderTime;
    private final long parcelTime;

    LoopWatch(HttpSettings settings, EdgeMeters meters) {
        this.meters = meters;
        // The heartbeat is due one tick early, because a heartbeat that waited for the tick after its time would come
        // late.
        this.heartbeatTime =
                settings.limits().heartbeat().minus(settings.tick()).toNanos();
        this.slowReaderTime = settings.limits().slowReader().toNanos();
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

    void add(Farewells farewell) {
        farewells.add(farewell);
    }

    void add(Transfer transfer) {
        transfers.add(transfer);
    }

    void remove(Transfer transfer) {
        transfers.remove(transfer);
    }

    void tick() {
        long now = System.nanoTime();
        // The loops use copies, because closing a connection or a stream removes it from its set.
        for (ConnectionGuard connection : List.copyOf(connections)) {
            connection.check(now);
        }
        checkTransfers(now);
        farewells.removeIf(farewell -> farewell.taken().isComplete() || givenUp(farewell, now));
        for (SseConnection stream : List.copyOf(streams)) {
            if (stream.stuckFor(now) > slowReaderTime) {
                meters.slowReaderCut();
                stream.breakOff();
            } else if (stream.silentFor(now) >= heartbeatTime) {
                stream.heartbeat();
            }
        }
    }

    private boolean givenUp(Farewells farewell, long now) {
        // A reader that takes single bytes is not late. The idle timeout closes its connection in the end, because the
        // reader sends no other request.
        boolean late = farewell.clock().stuckFor(now) > slowReaderTime;
        if (late) {
            farewell.giveUp();
        }
        return late;
    }

    private void checkTransfers(long now) {
        for (Transfer transfer : List.copyOf(transfers)) {
            if (transfer.stuckFor(now) > slowReaderTime || transfer.slowFor(now) > parcelTime) {
                meters.downloadCut();
                transfer.cut();
            }
        }
    }

    /** Ends all streams; completes when the readers have taken all farewells. */
    Future<?> closeStreams() {
        for (SseConnection stream : List.copyOf(streams)) {
            stream.end(Frames.NONE);
        }
        return Future.join(farewells.stream().map(Farewells::taken).toList());
    }
}
