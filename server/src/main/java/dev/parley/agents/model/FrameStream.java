package dev.parley.agents.model;

import dev.parley.outbound.StreamedBody;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as an input stream for the parser. The parser reads on the run's own thread, so nothing is read
 * ahead of the run. The stream limits the size of a frame, because the parser does not.
 */
final class FrameStream extends InputStream {
    private final StreamedBody body;
    private final Bounds bounds;
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private long frame;
    private long line;
    private boolean shut;
    private @Nullable ModelFailure failure;
    private @Nullable InterruptedException interrupt;

    /**
     * @param silence longest time without bytes
     * @param frame limit of one frame, in bytes
     * @param lines true if every line is a frame, false if an empty line ends a frame
     */
    record Bounds(Duration silence, long frame, boolean lines) {}

    FrameStream(StreamedBody body, Bounds bounds) {
        this.body = body;
        this.bounds = bounds;
    }

    /** Ends the stream for the parser. */
    void shut() {
        shut = true;
    }

    /** Throws the failure or interrupt that ended the stream. Returns if the stream ended normally. */
    void requireUnbroken() throws ModelFailure, InterruptedException {
        if (interrupt != null) {
            throw interrupt;
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        if (shut || !fill()) {
            return -1;
        }
        ByteBuffer piece = pieces.getFirst();
        int count = Math.min(length, piece.remaining());
        piece.get(to, offset, count);
        measure(to, offset, count);
        return failure == null ? count : -1;
    }

    private boolean fill() {
        try {
            while (pieces.isEmpty() || !pieces.getFirst().hasRemaining()) {
                if (!pieces.isEmpty()) {
                    pieces.removeFirst();
                    continue;
                }
                Optional<List<ByteBuffer>> next = body.next(bounds.silence());
                if (next.isEmpty()) {
                    return false;
                }
                pieces.addAll(next.get());
            }
            return true;
        } catch (TimeoutException silent) {
            failure = ModelFailure.silent(bounds.silence());
        } catch (InterruptedException stopped) {
            interrupt = stopped;
        }
        shut = true;
        return false;
    }

    private void measure(byte[] bytes, int offset, int count) {
        long largest = frame;
        for (int i = offset; i < offset + count; i++) {
            if (bytes[i] == '\n') {
                frame = bounds.lines() || line == 0 ? 0 : frame;
                line = 0;
            } else if (bytes[i] != '\r') {
                line++;
                frame++;
                largest = Math.max(largest, frame);
            }
        }
        if (largest > bounds.frame()) {
            failure = ModelFailure.protocol("a frame that is larger than the limit of " + bounds.frame() + " bytes");
            shut = true;
        }
    }
}
