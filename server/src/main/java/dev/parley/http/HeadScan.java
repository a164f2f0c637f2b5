package dev.parley.http;

import io.netty.buffer.ByteBuf;

/**
 * Looks for folded header lines (RFC 9112, 5.2) in the raw bytes of request heads. The decoder joins such lines
 * silently, while a proxy in front may read them in another way. Two readings of one request allow request smuggling.
 */
final class HeadScan {
    private int unseen;
    private boolean inHead;
    private boolean atLineStart = true;

    void arrived(int bytes) {
        unseen += bytes;
    }

    /** Skips the bytes of bodies, which the decoder reads without a scan. */
    void consumed(ByteBuf in) {
        unseen = Math.min(unseen, in.readableBytes());
    }

    /** Scans on to the end of the head or of the received bytes; true if there is a folded line. */
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
