package dev.parley.streaming;

import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.InboxRow;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One connection that follows an inbox. Hints wait here while the connection has no room, because the inbox sends
 * no hint again. Of each thread only the newest hint waits. All state belongs to the connection's event loop.
 */
final class InboxViewer {
    /** The limit of waiting hints. A viewer that would need more is cut, and should list its threads instead. */
    private static final int MAX_PENDING = 50_000;

    private final SseConnection connection;
    private final Function<InboxRow, Frames> encoder;
    private final Map<ThreadId, InboxRow> pending = new LinkedHashMap<>();

    InboxViewer(SseConnection connection, Function<InboxRow, Frames> encoder) {
        this.connection = connection;
        this.encoder = encoder;
        connection.onWritable(this::serve);
    }

    /** Sends hints as soon as there is room. Any thread may call this. */
    void tell(List<InboxRow> rows) {
        connection.execute(() -> {
            rows.forEach(row -> pending.put(row.thread(), row));
            serve();
            if (pending.size() > MAX_PENDING) {
                connection.cut();
            }
        });
    }

    private void serve() {
        Iterator<InboxRow> next = pending.values().iterator();
        while (next.hasNext() && connection.writable()) {
            connection.send(encoder.apply(next.next()));
            next.remove();
        }
    }
}
