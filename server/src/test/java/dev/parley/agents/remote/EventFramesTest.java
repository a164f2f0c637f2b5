package dev.parley.agents.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventFramesTest {
    /** The frames of a text whose bytes are cut into chunks. */
    private static List<String> frames(String text, int cut, long largest) throws RemoteFailure {
        EventFrames frames = new EventFrames(largest);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        List<String> complete = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += cut) {
            complete.addAll(frames.take(ByteBuffer.wrap(bytes, from, Math.min(cut, bytes.length - from))));
        }
        frames.rest().ifPresent(rest -> complete.add("rest:" + rest));
        return complete;
    }

    private static List<String> frames(String text) throws RemoteFailure {
        List<String> whole = frames(text, Integer.MAX_VALUE / 2, 1_000);
        for (int cut = 1; cut < 8; cut++) {
            assertThat(frames(text, cut, 1_000)).as("cut every %s bytes", cut).isEqualTo(whole);
        }
        return whole;
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void linesEndInAnyOfThreeWays(String end) throws RemoteFailure {
        String text =
                "data: a%ndata:b👋%n%n%n: note%n%ndata%n%nevent: x%nid: 7%ndata:  c%nretry: 1%n%n".replace("%n", end);
        assertThat(frames(text)).containsExactly("a\nb👋", "", " c");
    }

    @Test
    void mixedLineEndsAndAByteOrderMarkAreAccepted() throws RemoteFailure {
        assertThat(frames("\uFEFFdata: a\r\n\ndata: b\r\r\ndata: c\n\r\n")).containsExactly("a", "b", "c");
    }

    @Test
    void otherFieldsAreNotData() throws RemoteFailure {
        assertThat(frames("database: x\ndatum: y\n data: z\n\n")).isEmpty();
    }

    @Test
    void unfinishedFrameIsReturnedAtTheEnd() throws RemoteFailure {
        assertThat(frames("data: a\n\ndata: b")).containsExactly("a", "rest:b");
        assertThat(frames("data: a\n")).containsExactly("rest:a");
        assertThat(frames(": note")).isEmpty();
    }

    @Test
    void aFrameHasALimit() throws RemoteFailure {
        String fits = "x".repeat(100);
        assertThat(frames("data: " + fits + "\n\n", 7, 100)).containsExactly(fits);
        assertThat(frames("data:" + fits + "\r\n\r\n", 7, 100)).containsExactly(fits);
        for (String large : List.of("data: " + fits + "x\n\n", "data:" + fits + "x\n\n")) {
            assertThatThrownBy(() -> frames(large, 7, 100))
                    .isInstanceOf(RemoteFailure.class)
                    .hasMessageContaining("100 bytes");
        }
    }

    @Test
    void theLinesOfAFrameCountTogether() throws RemoteFailure {
        assertThat(frames("data: " + "x".repeat(49) + "\ndata: " + "y".repeat(50) + "\n\n", 7, 100))
                .hasSize(1);
        assertThatThrownBy(() -> frames("data: " + "x".repeat(50) + "\ndata: " + "y".repeat(50) + "\n\n", 7, 100))
                .isInstanceOf(RemoteFailure.class);
    }

    @Test
    void lineWithoutEndHasALimit() {
        assertThatThrownBy(() -> frames(": " + "x".repeat(200), 7, 100)).isInstanceOf(RemoteFailure.class);
    }
}
