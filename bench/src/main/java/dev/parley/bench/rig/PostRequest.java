package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.protocol.ThreadId;
import java.nio.ByteBuffer;

/** The bytes of a post by one writer. Thread and key have a fixed length and are overwritten for each message. */
public final class PostRequest {
    private static final String ANY_THREAD = "0".repeat(36);
    private static final int KEY_DIGITS = 16;
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);

    private static final String WORDS = "a conversation is a log that people and agents append to ";

    private final byte[] bytes;
    private final int threadAt;
    private final int keyAt;

    public PostRequest(String host, String token, String content) {
        String body = "{\"content\":\"" + content + "\",\"client_message_id\":\"" + "0".repeat(KEY_DIGITS) + "\"}";
        String path = "/api/v1/chat/threads/" + ANY_THREAD + "/messages";
        String request = new String(HttpBytes.post(host, path, HttpBytes.bearer(token), body), US_ASCII);
        bytes = request.getBytes(US_ASCII);
        threadAt = request.indexOf(ANY_THREAD);
        keyAt = bytes.length - KEY_DIGITS - 2;
    }

    /** A content of this many bytes. */
    public static String content(int bytes) {
        return WORDS.repeat(bytes / WORDS.length() + 1).substring(0, bytes);
    }

    /** The request for one message; valid until the next call. */
    public ByteBuffer of(byte[] thread, long key) {
        System.arraycopy(thread, 0, bytes, threadAt, thread.length);
        for (int i = 0; i < KEY_DIGITS; i++) {
            bytes[keyAt + i] = HEX[(int) (key >>> (60 - 4 * i)) & 15];
        }
        return ByteBuffer.wrap(bytes);
    }

    public static byte[] name(ThreadId thread) {
        return thread.toString().getBytes(US_ASCII);
    }
}
