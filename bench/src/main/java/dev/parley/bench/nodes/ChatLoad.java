package dev.parley.bench.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Demand;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.EventText;
import dev.parley.bench.rig.OpenLoop;
import dev.parley.protocol.ThreadId;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Messages that are due at a rate, thread after thread and node after node, and viewers of every thread. A message says
 * when it was due, so that its viewers know how long it was on its way; both are this process.
 */
final class ChatLoad implements AutoCloseable {
    private static final int CONNECTIONS_EACH = 64;
    private static final String STAMP = "due ";

    private final List<URI> nodes;
    private final List<ThreadId> threads;
    private final int viewers;
    private final String token;
    private final String filling;
    private final Demand posts = new Demand(201, this::post);
    private final LongAdder delivered = new LongAdder();
    private final Recorder micros = new Recorder(3);
    private final LongAdder cutOff = new LongAdder();
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();
    private final EventStreams streams;
    private final OpenLoop loop;
    private final UUID run = UUID.randomUUID();
    private volatile boolean closed;
    private long count;

    ChatLoad(Cluster cluster, int threads, int viewers, int contentBytes) {
        this.nodes = cluster.uris();
        this.threads = cluster.accounts().makeThreads(nodes.getFirst(), threads);
        this.viewers = threads * viewers;
        this.token = cluster.accounts().users().getFirst().token();
        this.filling = ".".repeat(contentBytes);
        this.streams = new EventStreams(new EventStreams.Listener() {
            @Override
            public void event(int stream, EventText event) {
                delivered(event);
            }

            @Override
            public void ended(int stream, String why) {
                if (!closed) {
                    cutOff.increment();
                    ended.compareAndSet(null, "a viewer's stream ended: " + why);
                }
            }
        });
        for (int i = 0; i < this.viewers; i++) {
            // The viewers of one thread come one behind the other, so that they are on different nodes.
            streams.open(
                    i,
                    nodes.get(i % nodes.size()),
                    "/api/v1/chat/threads/" + this.threads.get(i / viewers) + "/events/stream",
                    token,
                    null);
        }
        this.loop = new OpenLoop(nodes, CONNECTIONS_EACH, List.of(posts));
    }

    boolean isWatched() {
        return streams.openCount() == viewers;
    }

    void rate(int perSecond) {
        posts.rate(perSecond);
    }

    private byte[] post(int node, long due) {
        ThreadId thread = threads.get((int) (count % threads.size()));
        String body = "{\"content\":\"" + STAMP + due + " " + filling + "\",\"client_message_id\":\"" + run + "-"
                + count++ + "\"}";
        return ("POST /api/v1/chat/threads/" + thread + "/messages HTTP/1.1\r\nHost: "
                        + nodes.get(node).getAuthority() + "\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(UTF_8);
    }

    private void delivered(EventText event) {
        int stamp = event.data().indexOf(STAMP);
        if (stamp >= 0) {
            int from = stamp + STAMP.length();
            long due = Long.parseLong(event.data().substring(from, event.data().indexOf(' ', from)));
            micros.recordValue(Math.max(0, (System.nanoTime() - due) / 1_000));
            delivered.increment();
        }
    }

    long posted() {
        return posts.done();
    }

    long failures() {
        return posts.failures() + cutOff.sum();
    }

    /** Viewers have as much as was acknowledged, or more where an answer was lost, and nothing is under way. */
    boolean isIdle() {
        return posts.waiting() == 0 && delivered.sum() >= posts.done() * viewers / threads.size();
    }

    long deliveredCount() {
        return delivered.sum();
    }

    /** What failed first since the last call. */
    @Nullable
    String takeFirstFailure() {
        String cut = ended.getAndSet(null);
        String failure = posts.takeFirstFailure();
        return failure == null ? cut : failure;
    }

    Histogram takePosts() {
        return posts.takeLatencies();
    }

    Histogram takeDeliveries() {
        return micros.getIntervalHistogram();
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        streams.close();
    }
}
