package dev.parley.agents.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Turn;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RemoteRequestBodyTest {
    private final AtomicInteger opened = new AtomicInteger();

    private Turn.Image image(byte[] bytes) {
        return new Turn.Image("m", "image/png", null, bytes.length, 1, 1, () -> {
            opened.incrementAndGet();
            return new ByteArrayInputStream(bytes);
        });
    }

    private static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    @Test
    void imagesReplaceTheirMarkers() throws IOException {
        RemoteRequestBody.Builder builder = new RemoteRequestBody.Builder("mark-");
        StringBuilder marked = new StringBuilder("{\"ü\":[");
        StringBuilder expected = new StringBuilder(marked);
        List<Integer> sizes = new ArrayList<>(List.of(0, 1, 2, 3, 24 * 1024 - 1, 24 * 1024, 24 * 1024 + 1, 100_000));
        for (int i = 0; i < 12; i++) {
            sizes.add(i);
        }
        for (int size : sizes) {
            byte[] bytes = random(size);
            marked.append('"').append(builder.markerFor(image(bytes))).append("\",");
            expected.append('"')
                    .append(Base64.getEncoder().encodeToString(bytes))
                    .append("\",");
        }
        RemoteRequestBody body = builder.build(marked.append("0]}").toString());
        assertThat(opened).as("no image is read before the request is sent").hasValue(0);
        byte[] sent = body.open().readAllBytes();
        assertThat(new String(sent, StandardCharsets.UTF_8)).isEqualTo(expected + "0]}");
        assertThat(body.bytes()).isEqualTo(sent.length);
        assertThat(opened).hasValue(sizes.size());
        try (InputStream single = body.open()) {
            for (byte each : sent) {
                assertThat(single.read()).isEqualTo(each & 0xFF);
            }
            assertThat(single.read()).isEqualTo(-1);
        }
    }

    @Test
    void bodyWithoutImagesIsTheText() throws IOException {
        RemoteRequestBody body = new RemoteRequestBody.Builder("mark-").build("{}");
        assertThat(body.open().readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
        assertThat(body.bytes()).isEqualTo(2);
    }
}
