package dev.parley.wakeups;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireTest {
    private static final UUID NODE = UUID.randomUUID();

    private static List<Hint> hints(int count) {
        return IntStream.range(0, count)
                .mapToObj(each -> new Hint(ThreadId.fresh(), Long.MAX_VALUE - each, each % 16))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void writtenHintsAreRead(int subjects) {
        List<Hint> hints = hints(1_000);
        List<Wire.Envelope> envelopes = Wire.write(NODE, 77, hints, subjects).stream()
                .map(message -> Wire.read(message.text()).orElseThrow())
                .toList();
        assertThat(envelopes).allMatch(envelope -> envelope.node().equals(NODE));
        assertThat(envelopes.stream().mapToLong(Wire.Envelope::pulse).sum()).isEqualTo(77);
        assertThat(envelopes.stream().flatMap(envelope -> envelope.hints().stream()))
                .containsExactlyInAnyOrderElementsOf(hints);
    }

    @Test
    void messagesFitIntoANotificationAndAreAscii() {
        assertThat(Wire.write(NODE, 1, hints(5_000), 1)).allSatisfy(message -> {
            assertThat(message.text().length()).isLessThanOrEqualTo(Wire.MAX_CHARACTERS);
            assertThat(US_ASCII.newEncoder().canEncode(message.text())).isTrue();
        });
    }

    @Test
    void threadAlwaysUsesTheSameSubject() {
        ThreadId thread = ThreadId.fresh();
        assertThat(Wire.write(NODE, 0, List.of(Hint.of(thread, 1)), 8)
                        .getFirst()
                        .subject())
                .isEqualTo(Wire.write(NODE, 0, List.of(Hint.of(thread, 2)), 8)
                        .getFirst()
                        .subject());
    }

    @Test
    void noHintsMakeNoMessage() {
        assertThat(Wire.write(NODE, 0, List.of(), 8)).isEmpty();
    }
}
