package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same cases that the clients in other languages are tested by. */
class LegacyTextTest {
    static Stream<Arguments> cases() throws IOException {
        Path cases = Path.of("..", "clients", "conformance", "legacy-prefix.json");
        return Json.MAPPER
                .readTree(Files.readString(cases))
                .valueStream()
                .map(each -> Arguments.of(
                        each.get("source").stringValue(null),
                        each.get("content").stringValue(null),
                        each.get("expected").asString()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void stripLegacyIngestPrefix_everyCase_isAsExpected(
            @Nullable String source, @Nullable String content, String expected) {
        assertThat(LegacyText.stripLegacyIngestPrefix(content, source)).isEqualTo(expected);
    }
}
