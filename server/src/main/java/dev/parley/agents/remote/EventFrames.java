package dev.parley.agents.remote;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decodes an event stream (<a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent
 * events</a>) chunk by chunk into the data of its frames. Lines may end in LF, CRLF or CR, also mixed. Fields other
 * than {@code data} are ignored. At most one frame is held, and the size of a frame is limited.
 */
final class EventFrames {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** Length of the field's name, which a line contains before its data. */
    private static final int FIELD = "data: ".length();

    private final long maxBytes;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private boolean hasData;
    private boolean afterReturn;
    private boolean begun;

    /** @param maxBytes limit of a frame's data, and of a line's data */
    EventFrames(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns the frames that these bytes complete. */
    List<String> take(ByteBuffer bytes) throws RemoteFailure {
        List<String> complete = new ArrayList<>();
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        int from = 0;
        for (int i = 0; i < all.length; i++) {
            byte each = all[i];
            if (each == '\n' && afterReturn) {
                // The LF of a CRLF whose CR has ended the line.
                afterReturn = false;
                from = i + 1;
            } else if (each == '\n' || each == '\r') {
                append(line, maxBytes + FIELD, all, from, i);
                endLine().ifPresent(complete::add);
                afterReturn = each == '\r';
                from = i + 1;
            } else {
                afterReturn = false;
            }
        }
        append(line, maxBytes + FIELD, all, from, all.length);
        return complete;
    }

    /** The data of a frame that the end of the stream left open: some servers omit the last empty line. */
    Optional<String> rest() throws RemoteFailure {
        if (line.size() > 0) {
            endLine();
        }
        return endFrame();
    }

    private Optional<String> endLine() throws RemoteFailure {
        byte[] whole = line.toByteArray();
        line.reset();
        int start = begun || !startsWith(whole, BYTE_ORDER_MARK) ? 0 : BYTE_ORDER_MARK.length;
        begun = true;
        if (start == whole.length) {
            return endFrame();
        }
        if (!startsWith(whole, start, "data")) {
            // The line is a comment, or a field other than data.
            return Optional.empty();
        }
        int value = start + "data".length();
        if (value < whole.length && whole[value] != ':') {
            return Optional.empty();
        }
        value = Math.min(value + 1, whole.length);
        if (value < whole.length && whole[value] == ' ') {
            value++;
        }
        if (hasData) {
            data.write('\n');
        }
        hasData = true;
        append(data, maxBytes, whole, value, whole.length);
        return Optional.empty();
    }

    private Optional<String> endFrame() {
        if (!hasData) {
            return Optional.empty();
        }
        String complete = data.toString(StandardCharsets.UTF_8);
        data.reset();
        hasData = false;
        return Optional.of(complete);
    }

    private void append(ByteArrayOutputStream to, long limit, byte[] bytes, int from, int end) throws RemoteFailure {
        if (to.size() + (long) (end - from) > limit) {
            throw RemoteFailure.protocol("an event that is larger than the limit of " + maxBytes + " bytes");
        }
        to.write(bytes, from, end - from);
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return startsWith(bytes, 0, new String(prefix, StandardCharsets.ISO_8859_1));
    }

    private static boolean startsWith(byte[] bytes, int from, String prefix) {
        if (bytes.length - from < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if ((bytes[from + i] & 0xFF) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
