package dev.parley.http;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encoded <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">server-sent events</a>. Frames are
 * immutable, so a thousand connections can write the same bytes without a copy.
 */
public final class Frames {
    public static final Frames NONE = new Frames(new byte[0], false);

    private final byte[] bytes;
    /** Every write slices this buffer anew and never releases it, so event loops may share it. */
    private final Buffer shared;

    /** True if the stream ends after these frames. */
    private final boolean last;

    private Frames(byte[] bytes, boolean last) {
        this.bytes = bytes;
        this.last = last;
        this.shared = BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
    }

    /** One event; its data may have several lines. */
    public static Frames event(@Nullable String id, @Nullable String event, String data) {
        StringBuilder text = new StringBuilder(data.length() + 64);
        if (id != null) {
            appendOneLine(text.append("id: "), id);
        }
        if (event != null) {
            appendOneLine(text.append("event: "), event);
        }
        appendData(text, data);
        return encode(text.append('\n'));
    }

    /** One event whose data is compact JSON. Compact JSON has no line breaks, so its bytes are sent as they are. */
    public static Frames json(@Nullable String id, String event, byte[] json) {
        StringBuilder head = new StringBuilder(96);
        if (id != null) {
            appendOneLine(head.append("id: "), id);
        }
        appendOneLine(head.append("event: "), event);
        byte[] before = head.append("data: ").toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(before, before.length + json.length + 2);
        System.arraycopy(json, 0, all, before.length, json.length);
        all[all.length - 2] = '\n';
        all[all.length - 1] = '\n';
        return new Frames(all, false);
    }

    /** A line that clients ignore. */
    public static Frames comment(String comment) {
        StringBuilder text = new StringBuilder(comment.length() + 4);
        appendOneLine(text.append(": "), comment);
        return encode(text.append('\n'));
    }

    /** Joins frames, up to the last frame of their stream, so that one write call sends all of them. */
    public static Frames concat(List<Frames> parts) {
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        List<Frames> sent = upToLast(parts);
        int size = 0;
        for (Frames part : sent) {
            size = Math.addExact(size, part.bytes.length);
        }
        byte[] all = new byte[size];
        int at = 0;
        for (Frames part : sent) {
            System.arraycopy(part.bytes, 0, all, at, part.bytes.length);
            at += part.bytes.length;
        }
        return new Frames(all, !sent.isEmpty() && sent.getLast().last);
    }

    private static List<Frames> upToLast(List<Frames> parts) {
        for (int i = 0; i < parts.size() - 1; i++) {
            if (parts.get(i).last) {
                return parts.subList(0, i + 1);
            }
        }
        return parts;
    }

    /** The same frames, marked as the last frames of their stream. */
    public Frames asLast() {
        return new Frames(bytes, true);
    }

    public boolean isLast() {
        return last;
    }

    public int size() {
        return bytes.length;
    }

    Buffer buffer() {
        return shared;
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Appends a value without line breaks, because a line break in a client's id or event name could forge whole
     * events.
     */
    private static void appendOneLine(StringBuilder text, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\r' && c != '\n' && c != 0) {
                text.append(c);
            }
        }
        text.append('\n');
    }

    private static void appendData(StringBuilder text, String data) {
        text.append("data: ");
        if (data.indexOf('\n') < 0 && data.indexOf('\r') < 0) {
            text.append(data).append('\n');
            return;
        }
        for (int i = 0; i < data.length(); i++) {
            char c = data.charAt(i);
            if (c == '\r' && i + 1 < data.length() && data.charAt(i + 1) == '\n') {
                continue;
            }
            if (c == '\r' || c == '\n') {
                text.append("\ndata: ");
            } else {
                text.append(c);
            }
        }
        text.append('\n');
    }

    private static Frames encode(StringBuilder text) {
        return new Frames(text.toString().getBytes(StandardCharsets.UTF_8), false);
    }
}
