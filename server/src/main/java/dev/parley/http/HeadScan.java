package dev.parley.http;

import io.netty.buffer.ByteBuf;

/**
 * Looks for folded header lines in the raw bytes of request heads. The decoder joins such lines silently, while a proxy
 * in front may read them otherwise: two readings of one request are how requests are smuggled.
 */
final class HeadScan {
    private int unseen;
    private boolean inHead;
    private boolean atLineStart = true;

    void arrived(int bytes) {
        unseen += bytes;
    }

    /** Drops from account what the decoder has read without a scan: bodies. */
    void consumed(ByteBuf in) {
        unseen = Math.min(unseen, in.readableBytes());
    }

    /** Scans on to the end of the head or of what has arrived; true if a folded line was found. */
    boolean findsFold(ByteBuf in) {
        int end = in.writerIndex();
        int at = end - unseen;
        while (at < end) {
            if (atLineStart) {
                byte first = in.getByte(at);
                if (!inHead && first <= ' ' && first >= 0) {
                    at++; // Line breaks between requests.
                    continue;
                }
                if (inHead && (first == ' ' || first == '\t')) {
                    return true;
                }
                if (first == '\r') {
                    at++;
                    continue;
                }
                if (first == '\n') {
                    inHead = false;
                    unseen = end - at - 1;
                    return false;
                }
                inHead = true;
                atLineStart = false;
            }
            int lineEnd = in.indexOf(at, end, (byte) '\n');
            at = lineEnd < 0 ? end : lineEnd + 1;
            atLineStart = lineEnd >= 0;
        }
        unseen = 0;
        return false;
    }
}
