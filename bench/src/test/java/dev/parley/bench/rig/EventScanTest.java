package dev.parley.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventScanTest {
    private static final String STREAM = """
            HTTP/1.1 200 OK\r
            content-type: text/event-stream\r
            \r
            8\r
            : open

            \r
            2f\r
            id: 12
            event: message
            data: {"text":"你好 👋🏽"}

            id: 12-7
            data: {}

            \r
            e\r
            : keep-alive

            \r
            """;

    /** The network may cut anywhere, in the middle of a character too. */
    @Test
    void eventsAreFoundInAnyPieces() {
        byte[] bytes = STREAM.getBytes(UTF_8);
        for (int cut = 1; cut < bytes.length; cut++) {
            List<EventText> found = new ArrayList<>();
            EventScan scan = new EventScan(found::add);
            for (int from = 0; from < bytes.length; from += cut) {
                byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(from + cut, bytes.length));
                scan.take(piece, piece.length);
            }
            assertThat(found)
                    .as("pieces of " + cut)
                    .containsExactly(
                            new EventText("12", "message", "{\"text\":\"你好 👋🏽\"}"), new EventText("12-7", "", "{}"));
        }
    }
}
