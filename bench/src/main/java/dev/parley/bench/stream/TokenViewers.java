package dev.parley.bench.stream;

import dev.parley.bench.rig.EventStreams;
import java.io.IOException;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** One viewer per run. The viewers together note the delivery time of each token. */
final class TokenViewers implements EventStreams.Listener, AutoCloseable {
    private final Recorder micros = new Recorder(3);
    private final EventStreams streams = new EventStreams(this);
    private final int runs;

    TokenViewers(StreamPeer peer, int runs) {
        this.runs = runs;
        for (int run = 0; run < runs; run++) {
            streams.open(run, peer.address(), peer.requests().view(run));
        }
    }

    void awaitOpen(Duration limit) throws InterruptedException {
        streams.awaitOpen(runs, limit);
    }

    @Override
    public EventStreams.Scan scan(int run) {
        Stamp stamp = new Stamp();
        return (bytes, limit) -> {
            long now = System.nanoTime();
            for (int i = 0; i < limit; i++) {
                if (stamp.take(bytes[i])) {
                    micros.recordValue(Math.max(0, (now - stamp.nanos()) / 1_000));
                }
            }
        };
    }

    @Override
    public void ended(int run, IOException why) {
        streams.fail(why.toString());
    }

    /** The delivery times of the tokens received since the last call, in microseconds. */
    Histogram take() {
        streams.check();
        return micros.getIntervalHistogram();
    }

    @Override
    public void close() {
        streams.close();
    }
}
