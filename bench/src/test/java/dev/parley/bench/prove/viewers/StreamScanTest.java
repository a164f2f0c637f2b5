package dev.parley.bench.prove.viewers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamScanTest {
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

    private final List<String> seen = new ArrayList<>();
    private final StreamScan scan = new StreamScan((seq, position) -> seen.add(seq + "-" + position));

    /** Whatever the network makes of it, byte by byte or all at once. */
    @Test
    void eventsAreFoundWhereverTheAnswerIsCut() {
        String frames = chunk("id: 1\nevent: message_committed\ndata: {\"content\":\"id: 7\"}\n\n")
                + chunk(":\n\n")
                + chunk("id: 1-")
                + chunk("4\ndata: {}\n\nid: 2\ndata: 帮我查 👩‍👩‍👧 ")
                + chunk("\n\n");
        for (byte each : (HEAD + frames).getBytes(UTF_8)) {
            scan.take(ByteBuffer.wrap(new byte[] {each}));
        }
        assertThat(scan.status()).isEqualTo(200);
        assertThat(seen).containsExactly("1-0", "1-4", "2-0");
        StreamScan atOnce = new StreamScan((seq, position) -> seen.add(seq + "-" + position));
        atOnce.take(ByteBuffer.wrap((HEAD + frames).getBytes(UTF_8)));
        assertThat(seen).containsExactly("1-0", "1-4", "2-0", "1-0", "1-4", "2-0");
    }

    @Test
    void aRefusalIsKnownByItsStatus() {
        scan.take(ByteBuffer.wrap("HTTP/1.1 503 Service Unavailable\r\n".getBytes(UTF_8)));
        assertThat(scan.status()).isZero();
        scan.take(ByteBuffer.wrap("content-length: 0\r\n\r\n".getBytes(UTF_8)));
        assertThat(scan.status()).isEqualTo(503);
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.getBytes(UTF_8).length) + "\r\n" + text + "\r\n";
    }
}
