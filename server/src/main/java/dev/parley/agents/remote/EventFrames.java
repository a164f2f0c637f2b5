package dev.parley.agents.remote;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes the bytes of an event stream as they come and gives the data of each frame. Lines may end in LF, CRLF or CR, also
 * mixed; only data counts. It never holds more than one frame, and that has a limit.
 */
final class EventFrames {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    /** A line has the name of its field before its data. */
    private static final int FIELD = "data: ".length();

    private final long largest;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private boolean hasData;
    private boolean afterReturn;
    private boolean begun;

    /** @param largest bytes of a frame's data, and of any one line */
    EventFrames(long largest) {
        this.largest = largest;
    }

    /** The frames that are complete with these bytes. */
    List<String> take(ByteBuffer bytes) throws RemoteFailure {
        List<String> complete = new ArrayList<>();
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        int from = 0;
        for (int i = 0; i < all.length; i++) {
            byte each = all[i];
            if (each == '\n' && afterReturn) {
                // The second half of the end of a line that has been taken.
                afterReturn = false;
                from = i + 1;
            } else if (each == '\n' || each == '\r') {
                append(line, largest + FIELD, all, from, i);
                endLine().ifPresent(complete::add);
                afterReturn = each == '\r';
                from = i + 1;
            } else {
                afterReturn = false;
            }
        }
        append(line, largest + FIELD, all, from, all.length);
        return complete;
    }

    /** What stands in a frame that the end of the stream left open: some servers forget the last empty line. */
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
            // A comment, or a field that says nothing to us.
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
        append(data, largest, whole, value, whole.length);
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

    private void append(ByteArrayOutputStream to, long most, byte[] bytes, int from, int end) throws RemoteFailure {
        if (to.size() + (long) (end - from) > most) {
            throw RemoteFailure.protocol("an event that is larger than the limit of " + largest + " bytes");
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
