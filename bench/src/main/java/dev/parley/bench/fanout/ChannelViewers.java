package dev.parley.bench.fanout;

import dev.parley.bench.rig.EventStreams;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Viewers that spread evenly over channels and count their events. */
final class ChannelViewers implements EventStreams.Listener, AutoCloseable {
    private static final Duration OPEN_LIMIT = Duration.ofSeconds(60);
    private static final byte[] EVENT = {'\n', 'd', 'a', 't', 'a', ':', ' '};

    private final int count;
    private final @Nullable EventSkew skew;
    private final AtomicLong delivered = new AtomicLong();
    private final EventStreams streams = new EventStreams(this);

    ChannelViewers(FanoutPeer peer, int channels, int count) {
        this.count = count;
        this.skew = channels == 1 ? new EventSkew(count) : null;
        for (int i = 0; i < count; i++) {
            streams.open(i, peer.address(), peer.view().apply(i % channels));
        }
    }

    void awaitOpen() throws InterruptedException {
        streams.awaitOpen(count, OPEN_LIMIT);
    }

    @Override
    public EventStreams.Scan scan(int viewer) {
        return new EventCount();
    }

    @Override
    public void ended(int viewer, IOException why) {
        streams.fail(why.toString());
    }

    long delivered() {
        streams.check();
        return delivered.get();
    }

    /**
     * The times from an event's first viewer to its last, for events since the last call; empty with several channels.
     */
    Histogram takeSkew() {
        return skew == null ? new Histogram(3) : skew.takeSkew();
    }

    /**
     * Counts the events of one viewer. {@code matched} is the length of the prefix of {@link #EVENT} matched so far.
     */
    private final class EventCount implements EventStreams.Scan {
        private int matched;
        private int events;

        @Override
        public void take(byte[] bytes, int limit) {
            long now = System.nanoTime();
            int before = events;
            int at = matched;
            for (int i = 0; i < limit; i++) {
                byte next = bytes[i];
                at = next == EVENT[at] ? at + 1 : next == EVENT[0] ? 1 : 0;
                if (at == EVENT.length) {
                    at = 0;
                    if (skew != null) {
                        skew.arrived(events, now);
                    }
                    events++;
                }
            }
            matched = at;
            delivered.addAndGet(events - before);
        }
    }

    @Override
    public void close() {
        streams.close();
    }
}
