package dev.parley.bench.prove.viewers;

import java.nio.ByteBuffer;

/** Takes the bytes of one answer apart as they come: its status, its chunks, and the ids of the events in them. */
final class StreamScan {
    private static final byte[] ID = {'i', 'd', ':', ' '};
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int MAX_LINE = 64;

    /** Told of every event. */
    interface Events {
        /** @param position 0 for an entry of the log, else that of what happened between entries */
        void saw(long seq, long position);
    }

    private enum Part {
        HEAD,
        SIZE,
        BYTES,
        END_OF_CHUNK
    }

    private final Events events;
    private final byte[] line = new byte[MAX_LINE];
    private Part part = Part.HEAD;
    private int length;
    private int status;
    private int headAt;
    private int newlines;
    private long left;

    StreamScan(Events events) {
        this.events = events;
    }

    /** The answer's status, 0 until it is known. */
    int status() {
        return part == Part.HEAD ? 0 : status;
    }

    void take(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            switch (part) {
                case HEAD -> head(next);
                case SIZE -> size(next);
                case BYTES -> {
                    text(next);
                    if (--left == 0) {
                        part = Part.END_OF_CHUNK;
                    }
                }
                case END_OF_CHUNK -> {
                    if (next == '\n') {
                        part = Part.SIZE;
                    }
                }
            }
        }
    }

    private void head(byte next) {
        if (headAt >= STATUS_AT && headAt < STATUS_AT + 3) {
            status = status * 10 + next - '0';
        }
        headAt++;
        newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
        if (newlines == 2) {
            part = Part.SIZE;
        }
    }

    private void size(byte next) {
        int digit = Character.digit(next, 16);
        if (digit >= 0) {
            left = left * 16 + digit;
        } else if (next == '\n' && left > 0) {
            part = Part.BYTES;
        }
    }

    private void text(byte next) {
        if (next != '\n') {
            if (length < MAX_LINE) {
                line[length] = next;
            }
            length++;
            return;
        }
        if (length > ID.length && length < MAX_LINE && startsWithId()) {
            id();
        }
        length = 0;
    }

    private boolean startsWithId() {
        for (int i = 0; i < ID.length; i++) {
            if (line[i] != ID[i]) {
                return false;
            }
        }
        return true;
    }

    private void id() {
        long seq = 0;
        long position = 0;
        boolean between = false;
        for (int i = ID.length; i < length; i++) {
            if (line[i] == '-') {
                between = true;
            } else if (line[i] >= '0' && line[i] <= '9') {
                if (between) {
                    position = position * 10 + line[i] - '0';
                } else {
                    seq = seq * 10 + line[i] - '0';
                }
            }
        }
        events.saw(seq, position);
    }
}
