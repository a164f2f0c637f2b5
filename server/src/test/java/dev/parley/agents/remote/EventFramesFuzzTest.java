package dev.parley.agents.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Fuzz;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The frames of a stream do not depend on the cuts between its chunks. */
class EventFramesFuzzTest {
    private static final long MAX_BYTES = 200;

    @Test
    void framesDoNotDependOnTheCutsBetweenChunks() {
        Fuzz.each(
                List.of(
                        "data: {\"a\":1}\n\n",
                        "id: 1\r\nevent: x\r\ndata: a\r\ndata: b\r\n\r\n",
                        ": ping\n\ndata:c\r\r"),
                List.of("data", ":", " ", "\n", "\r", "\r\n", "\n\n", "\ufeff", "id: 2", "é", "x".repeat(60)),
                text -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    assertThat(frames(bytes, 1)).isEqualTo(frames(bytes, bytes.length + 1));
                    assertThat(frames(bytes, 3)).isEqualTo(frames(bytes, bytes.length + 1));
                });
    }

    private static List<String> frames(byte[] bytes, int step) {
        EventFrames frames = new EventFrames(MAX_BYTES);
        List<String> all = new ArrayList<>();
        try {
            for (int at = 0; at < bytes.length; at += step) {
                all.addAll(frames.take(ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at))));
            }
            frames.rest().ifPresent(all::add);
        } catch (RemoteFailure tooLarge) {
            return List.of("too large");
        }
        return all;
    }
}
