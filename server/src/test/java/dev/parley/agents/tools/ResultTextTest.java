package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ResultTextTest {
    private static String of(@Nullable Object structured, McpSchema.Content... parts) {
        return ResultText.of(new McpSchema.CallToolResult(List.of(parts), false, structured, null));
    }

    @Test
    void textsAreJoinedAndTheRestIsNamed() {
        assertThat(of(
                        null,
                        new McpSchema.TextContent("one"),
                        new McpSchema.ImageContent(null, "AAAA", "image/png\n"),
                        new McpSchema.AudioContent(null, "AAAAAAAA", "audio/wav"),
                        new McpSchema.EmbeddedResource(
                                null, new McpSchema.TextResourceContents("file:///a", "text/plain", "inside")),
                        new McpSchema.EmbeddedResource(
                                null, new McpSchema.BlobResourceContents("file:///b", "application/zip", "AAAA"))))
                .isEqualTo("""
                        one
                        [An image, image/png, about 3 bytes, that is not shown here.]
                        [A sound, audio/wav, about 6 bytes, that is not played here.]
                        [The resource file:///a:]
                        inside
                        [The resource file:///b, application/zip, about 3 bytes, that is not shown here.]""");
    }

    @Test
    void structureIsJsonIfThereIsNoText() {
        assertThat(of(Map.of("a", 1))).isEqualTo("{\"a\":1}");
        assertThat(of(Map.of("a", 1), new McpSchema.TextContent("said"))).isEqualTo("said");
        assertThat(of(null)).isEmpty();
    }

    @Test
    void textIsCutAfterItsLimitAndNotInsideACharacter() {
        assertThat(ResultText.bounded("abcde", 5)).isEqualTo("abcde");
        assertThat(ResultText.bounded("abcdef", 5))
                .isEqualTo("abcde\n[The result was cut here: it has 6 characters, and 5 are shown.]");
        assertThat(ResultText.bounded("abcd😀", 5)).startsWith("abcd\n[");
    }

    @Test
    void controlsAreGoneAndHalvesOfCharactersReplaced() {
        assertThat(ResultText.bounded("a\0b\u001b[1m\r\n\tc\ud800d", 100)).isEqualTo("ab[1m\n\tc\uFFFDd");
    }
}
