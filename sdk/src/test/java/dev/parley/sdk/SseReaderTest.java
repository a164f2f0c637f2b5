package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseReaderTest {
    private static final String EVERYTHING = """
            \uFEFF: hello
            event: first
            id: 1
            data: one
            data:  two, with a space
            data

            :
            retry: 1500
            id: 2
            data: grüße 你好 😀

            data: inherits

            unknown: field
            event
            id: a\0b
            data:keeps 2

            id: 12-457

            event: no data, no frame

            id
            data

            id: 9
            data: never finished
            """;
    private static final List<SseFrame> FRAMES = List.of(
            new SseFrame("first", "one\n two, with a space\n", "1", true),
            new SseFrame("message", "grüße 你好 😀", "2", true),
            new SseFrame("message", "inherits", "2", false),
            new SseFrame("message", "keeps 2", "2", false),
            new SseFrame("message", "", "", false));

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void everySplitOfAStreamGivesTheSameFrames(String lineEnd) throws IOException {
        byte[] stream = EVERYTHING.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
        for (int first = 0; first <= stream.length; first++) {
            for (int second = first; second <= Math.min(stream.length, first + 3); second++) {
                assertThat(read(stream, first, second))
                        .as("cut at %d and %d", first, second)
                        .isEqualTo(FRAMES);
            }
        }
    }

    @Test
    void byteByByteAndMixedLineEndsGiveTheSameFrames() throws IOException {
        StringBuilder mixed = new StringBuilder();
        String[] ends = {"\n", "\r\n", "\r"};
        String[] lines = EVERYTHING.split("\n", -1);
        for (int i = 0; i < lines.length - 1; i++) {
            // A lone CR before an empty line that ends in LF would read as one CRLF.
            String end = ends[i % 3].equals("\r") && lines[i + 1].isEmpty() ? "\r\n" : ends[i % 3];
            mixed.append(lines[i]).append(end);
        }
        SseReader reader = new SseReader(10_000);
        List<SseFrame> frames = new ArrayList<>();
        for (byte next : mixed.toString().getBytes(StandardCharsets.UTF_8)) {
            reader.feed(ByteBuffer.wrap(new byte[] {next}), frames::add);
        }
        assertThat(frames).isEqualTo(FRAMES);
        assertThat(reader.retry()).contains(Duration.ofMillis(1500));
    }

    @Test
    void aFrameComesOutWithItsLastLineEndEvenIfThatIsACarriageReturn() throws IOException {
        assertThat(read("data: x\r\r")).containsExactly(new SseFrame("message", "x", "", false));
        assertThat(read("data: x\r\n\r")).hasSize(1);
        assertThat(read("data: x\r\n")).isEmpty();
    }

    @Test
    void onlyOneBomAtTheVeryStartIsDropped() throws IOException {
        assertThat(read("\uFEFFdata: x\n\n")).hasSize(1);
        assertThat(read("\uFEFF\uFEFFdata: x\n\n")).isEmpty();
        assertThat(read("\n\uFEFFdata: x\n\n")).isEmpty();
    }

    @Test
    void onlyOneSpaceAfterTheColonIsDropped() throws IOException {
        assertThat(read("data:  x \n\ndata:\tx\n\n").stream().map(SseFrame::data))
                .containsExactly(" x ", "\tx");
    }

    @Test
    void anIdAloneMovesTheLastEventId() throws IOException {
        SseReader reader = new SseReader(100);
        reader.feed(bytes("id: 5\n"), frame -> {});
        assertThat(reader.lastEventId()).isEmpty();
        reader.feed(bytes("\n"), frame -> {});
        assertThat(reader.lastEventId()).isEqualTo("5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "", "1s", "१", "99999999999999999999"})
    void aRetryThatIsNotPlainDigitsIsIgnored(String value) throws IOException {
        SseReader reader = new SseReader(100);
        reader.feed(bytes("retry: 7\nretry: " + value + "\n\n"), frame -> {});
        assertThat(reader.retry()).contains(Duration.ofMillis(7));
    }

    @Test
    void brokenUtf8IsReplacedNotRefused() throws IOException {
        List<SseFrame> frames = new ArrayList<>();
        new SseReader(100)
                .feed(ByteBuffer.wrap(new byte[] {'d', 'a', 't', 'a', ':', (byte) 0xC3, '\n', '\n'}), frames::add);
        assertThat(frames).extracting(SseFrame::data).containsExactly("\uFFFD");
    }

    @Test
    void aFrameOverTheLimitFailsButHeartbeatsNeverAddUp() throws IOException {
        SseReader reader = new SseReader(20);
        for (int i = 0; i < 100; i++) {
            reader.feed(bytes(": heartbeat\n"), frame -> {});
        }
        List<SseFrame> frames = new ArrayList<>();
        reader.feed(bytes("data: 0123456789abcd\n\n"), frames::add);
        assertThat(frames).hasSize(1);
        assertThatThrownBy(() -> reader.feed(bytes("data: 01234\ndata: 5678\n"), frames::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("longer than 20 bytes");
    }

    private static List<SseFrame> read(String text) throws IOException {
        byte[] stream = text.getBytes(StandardCharsets.UTF_8);
        return read(stream, 0, stream.length);
    }

    private static List<SseFrame> read(byte[] stream, int first, int second) throws IOException {
        SseReader reader = new SseReader(10_000);
        List<SseFrame> frames = new ArrayList<>();
        reader.feed(ByteBuffer.wrap(stream, 0, first), frames::add);
        reader.feed(ByteBuffer.wrap(stream, first, second - first), frames::add);
        reader.feed(ByteBuffer.wrap(stream, second, stream.length - second), frames::add);
        return frames;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
