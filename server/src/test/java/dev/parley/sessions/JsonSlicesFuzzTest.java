package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Compares slices of JSON and ranges of base64 with readers of the whole text. */
class JsonSlicesFuzzTest {
    private static final List<String> PIECES =
            List.of("{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud83d", "null", "1e5", " ", "\"a\":", "é");

    @Test
    void sliceEqualsTheTreesValue() {
        Fuzz.eachOrRefused(
                List.of("{\"a\":[{\"b\":1.0},2,{}],\"m\":{\"c\":\"\\ud83d\"}}", " {\"a\" : [ { } , null ] } "),
                PIECES,
                text -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    Optional<JsonNode> tree = tree(bytes);
                    if (tree.isEmpty() || !tree.get().isObject()) {
                        return;
                    }
                    assertThat(Json.MAPPER.readTree(JsonSlices.objectOf(bytes))).isEqualTo(tree.get());
                    byte[] member = JsonSlices.memberOf(bytes, "m");
                    JsonNode expected = tree.get().path("m");
                    assertThat(member != null).isEqualTo(expected.isObject());
                    if (member != null) {
                        assertThat(Json.MAPPER.readTree(member)).isEqualTo(expected);
                    }
                    List<byte @Nullable []> elements = JsonSlices.elementsOf(bytes, "a");
                    assertThat(elements)
                            .hasSize(
                                    tree.get().path("a").isArray()
                                            ? tree.get().path("a").size()
                                            : 0);
                    for (int i = 0; i < elements.size(); i++) {
                        JsonNode element = tree.get().path("a").get(i);
                        assertThat(elements.get(i) != null).isEqualTo(element.isObject());
                        if (element.isObject()) {
                            assertThat(Json.MAPPER.readTree(elements.get(i))).isEqualTo(element);
                        }
                    }
                });
    }

    private static Optional<JsonNode> tree(byte[] bytes) {
        try {
            return Optional.of(Json.MAPPER.readTree(bytes));
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
    }

    @Test
    void base64SpanEqualsTheEncodingOfItsBytes() {
        Fuzz.each(
                List.of("aGk=", "aGVsbG8h", "YQ==", "YR=="),
                List.of("=", "==", "A", "/", "+", "-", "a", "é", " "),
                text -> {
                    String plain = text.replaceAll("[\"\\\\\\x00-\\x1f]", "");
                    byte[] json = (plain + "\"").getBytes(StandardCharsets.UTF_8);
                    assertThat(Base64Span.at(json, 0).isPresent()).isEqualTo(equalsTheEncodingOfItsBytes(plain));
                });
    }

    private static boolean equalsTheEncodingOfItsBytes(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(Base64.getDecoder().decode(text))
                    .equals(text);
        } catch (IllegalArgumentException undecodable) {
            return false;
        }
    }
}
