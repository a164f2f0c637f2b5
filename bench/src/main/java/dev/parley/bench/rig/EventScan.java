package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the events of one stream in bytes that arrive in any pieces. The length of an HTTP chunk is a line of its own
 * between two events, because neither Parley nor the bare server splits an event into chunks. The scan skips these
 * lines, and also the head and comments.
 */
public final class EventScan implements EventStreams.Scan {
    private static final String ID = "id: ";
    private static final String TYPE = "event: ";
    private static final String DATA = "data: ";

    private final Consumer<EventText> events;
    private @Nullable ByteArrayOutputStream unfinished;
    private String id = "";
    private String type = "";
    private @Nullable String data;

    public EventScan(Consumer<EventText> events) {
        this.events = events;
    }

    @Override
    public void take(byte[] bytes, int limit) {
        int start = 0;
        for (int i = 0; i < limit; i++) {
            if (bytes[i] == '\n') {
                line(bytes, start, i);
                start = i + 1;
            }
        }
        if (start < limit) {
            // An idle stream keeps no buffer, because there may be ten thousand idle streams.
            unfinished = unfinished == null ? new ByteArrayOutputStream(limit - start) : unfinished;
            unfinished.write(bytes, start, limit - start);
        }
    }

    private void line(byte[] bytes, int start, int end) {
        String line;
        if (unfinished == null) {
            line = new String(bytes, start, end - start, UTF_8);
        } else {
            unfinished.write(bytes, start, end - start);
            line = unfinished.toString(UTF_8);
            unfinished = null;
        }
        if (line.isEmpty()) {
            if (data != null) {
                events.accept(new EventText(id, type, data));
            }
            id = "";
            type = "";
            data = null;
        } else if (line.startsWith(ID)) {
            id = line.substring(ID.length());
        } else if (line.startsWith(TYPE)) {
            type = line.substring(TYPE.length());
        } else if (line.startsWith(DATA)) {
            data = data == null ? line.substring(DATA.length()) : data + "\n" + line.substring(DATA.length());
        }
    }
}
