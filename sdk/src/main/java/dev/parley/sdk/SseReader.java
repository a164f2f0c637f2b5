package dev.parley.sdk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses an event stream as bytes arrive, by the
 * <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">WHATWG HTML standard</a>. Frames come out as
 * soon as their last line ends; a frame that is incomplete when the stream ends is never dispatched.
 */
public final class SseReader {
    private static final byte[] BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final int maxFrameBytes;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private final StringBuilder data = new StringBuilder();
    private String event = "";
    private String idBuffer = "";
    private String lastEventId = "";
    private boolean frameHasId;
    private int frameBytes;
    private boolean firstLine = true;
    private boolean afterCarriageReturn;
    private @Nullable Duration retry;

    /** @param maxFrameBytes the limit on one frame; a longer frame fails the stream instead of filling the memory */
    public SseReader(int maxFrameBytes) {
        this.maxFrameBytes = maxFrameBytes;
    }

    /** Reads all of {@code bytes} and passes on the frames that they complete. */
    public void feed(ByteBuffer bytes, Consumer<SseFrame> frames) throws IOException {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            boolean secondHalfOfLineEnd = afterCarriageReturn && next == '\n';
            afterCarriageReturn = next == '\r';
            if (secondHalfOfLineEnd) {
                continue;
            }
            if (next == '\r' || next == '\n') {
                endLine(frames);
            } else if (frameBytes + line.size() >= maxFrameBytes) {
                throw new IOException("A frame of the event stream is longer than " + maxFrameBytes + " bytes");
            } else {
                line.write(next);
            }
        }
    }

    /** The last event id as of the last complete frame; empty if there was none. */
    public String lastEventId() {
        return lastEventId;
    }

    /** The time that the server wants clients to wait before they reconnect. */
    public Optional<Duration> retry() {
        return Optional.ofNullable(retry);
    }

    private void endLine(Consumer<SseFrame> frames) {
        String text = decodeLine();
        int size = line.size();
        line.reset();
        if (text.isEmpty()) {
            dispatch(frames);
            return;
        }
        int colon = text.indexOf(':');
        if (colon == 0) {
            // A comment does not count towards the frame, because heartbeats may continue for hours.
            return;
        }
        frameBytes += size;
        if (colon < 0) {
            field(text, "");
        } else {
            int value = text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
            field(text.substring(0, colon), text.substring(value));
        }
    }

    private String decodeLine() {
        byte[] bytes = line.toByteArray();
        int from = 0;
        if (firstLine) {
            firstLine = false;
            from = startsWithBom(bytes) ? BOM.length : 0;
        }
        return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }

    private static boolean startsWithBom(byte[] bytes) {
        return bytes.length >= BOM.length && bytes[0] == BOM[0] && bytes[1] == BOM[1] && bytes[2] == BOM[2];
    }

    private void field(String name, String value) {
        switch (name) {
            case "event" -> event = value;
            case "data" -> data.append(value).append('\n');
            case "id" -> {
                if (value.indexOf('\0') < 0) {
                    idBuffer = value;
                    frameHasId = !value.isEmpty();
                }
            }
            case "retry" -> {
                if (value.matches("[0-9]{1,9}")) {
                    retry = Duration.ofMillis(Long.parseLong(value));
                }
            }
            default -> {
                // Unknown fields are ignored, as the standard says.
            }
        }
    }

    private void dispatch(Consumer<SseFrame> frames) {
        lastEventId = idBuffer;
        if (!data.isEmpty()) {
            data.setLength(data.length() - 1);
            frames.accept(new SseFrame(event.isEmpty() ? "message" : event, data.toString(), lastEventId, frameHasId));
        }
        data.setLength(0);
        event = "";
        frameHasId = false;
        frameBytes = 0;
    }
}
