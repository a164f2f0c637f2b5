package dev.parley.bench.nodes;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.Demand;
import dev.parley.bench.rig.EventScan;
import dev.parley.bench.rig.EventStreams;
import dev.parley.bench.rig.EventText;
import dev.parley.bench.rig.HttpBytes;
import dev.parley.bench.rig.OpenLoop;
import dev.parley.bench.rig.Tally;
import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Posts messages at a given rate, to threads and nodes in turn, and runs viewers of every thread. The text of a message
 * contains its due time. The viewers are in the same process, and therefore know how long a delivery took.
 */
final class ChatLoad implements EventStreams.Listener, AutoCloseable {
    private static final int CONNECTIONS_EACH = 64;
    private static final String STAMP = "due ";

    private final List<URI> nodes;
    private final List<ThreadId> threads;
    private final int viewers;
    private final String token;
    private final String filling;
    private final Demand posts = new Demand(201, this::post);
    private final Tally deliveries = new Tally();
    private final EventStreams streams = new EventStreams(this);
    private final OpenLoop loop;
    private final UUID run = UUID.randomUUID();
    private volatile boolean closed;
    private long count;

    ChatLoad(Cluster cluster, int threads, int viewers, int contentBytes) {
        this.nodes = cluster.uris();
        this.threads = cluster.accounts().makeThreads(nodes.getFirst(), threads);
        this.viewers = threads * viewers;
        this.token = cluster.user(0).token();
        this.filling = ".".repeat(contentBytes);
        for (int i = 0; i < this.viewers; i++) {
            // The viewers of one thread have consecutive numbers, and therefore are on different nodes.
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
        return HttpBytes.post(nodes.get(node), "/api/v1/chat/threads/" + thread + "/messages", token, body);
    }

    @Override
    public EventStreams.Scan scan(int viewer) {
        return new EventScan(this::delivered);
    }

    @Override
    public void ended(int viewer, IOException why) {
        if (!closed) {
            deliveries.failed("a viewer's stream ended: " + why);
        }
    }

    private void delivered(EventText event) {
        int stamp = event.data().indexOf(STAMP);
        if (stamp >= 0) {
            int from = stamp + STAMP.length();
            long due = Long.parseLong(event.data().substring(from, event.data().indexOf(' ', from)));
            deliveries.done(due);
        }
    }

    /** The outcomes of posts; times run from a message's due time. */
    Tally posts() {
        return posts.tally();
    }

    /** The deliveries; times run from a message's due time. */
    Tally deliveries() {
        return deliveries;
    }

    long failures() {
        return posts().failures() + deliveries.failures();
    }

    /**
     * True if no request is under way and the viewers have received every acknowledged message. If an answer was lost,
     * the viewers also receive a message that was never acknowledged.
     */
    boolean isIdle() {
        return posts.waiting() == 0 && deliveries.done() >= posts().done() * viewers / threads.size();
    }

    /** The first failure since the last call. */
    @Nullable
    String takeFirstFailure() {
        String cut = deliveries.takeFirstFailure();
        String failure = posts().takeFirstFailure();
        return failure == null ? cut : failure;
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
        streams.close();
    }
}
