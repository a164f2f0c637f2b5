package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same cases that the client for browsers is tested by. */
class LegacyTextTest {
    static Stream<Arguments> cases() throws IOException {
        Path cases = Path.of("..", "clients", "typescript", "test", "legacy-cases.json");
        return Json.MAPPER
                .readTree(Files.readString(cases))
                .valueStream()
                .map(each -> Arguments.of(
                        each.get(0).asString(),
                        each.get(1).asString(),
                        each.get(2).asString()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void onlyThePrefixOfItsOwnSourceIsTakenOff(String source, String content, String shown) {
        assertThat(LegacyText.stripLegacyIngestPrefix(content, source)).isEqualTo(shown);
    }

    @Test
    void aMessageWithoutASourceIsAsItIs() {
        assertThat(LegacyText.stripLegacyIngestPrefix("[Olivia]: hello", null)).isEqualTo("[Olivia]: hello");
    }
}
