package dev.parley.protocol.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Fuzz;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Pointers as Jackson reads them, and patches that apply or do not. */
class PointerFuzzTest {
    private static final JsonNode DOCUMENT = Json.MAPPER.readTree("{\"a\":[1,{\"b\":null}],\"~/\":{\"\":2},\"01\":3}");
    private static final List<String> SAMPLES = List.of("/a/0", "/a/1/b", "/~0~1/", "/01", "", "/a/-");
    private static final List<String> PIECES = List.of("/", "~", "~0", "~1", "~01", "a", "0", "01", "-", "b", "2");

    @Test
    void pointers() {
        Fuzz.each(SAMPLES, PIECES, text -> {
            if (!Pointer.isWellFormed(text)) {
                return;
            }
            List<String> expected = new ArrayList<>();
            for (JsonPointer step = JsonPointer.compile(text); !step.matches(); step = step.tail()) {
                expected.add(step.getMatchingProperty());
            }
            assertThat(Pointer.parse(text).names()).isEqualTo(expected);
        });
    }

    @Test
    void patches() {
        for (String op : List.of("add", "remove", "replace", "move", "copy", "test", "other")) {
            Fuzz.each(SAMPLES, PIECES, text -> {
                JsonNode operation = Json.MAPPER
                        .createObjectNode()
                        .put("op", op)
                        .put("path", text)
                        .put("from", "/a")
                        .put("value", 1);
                String before = DOCUMENT.toString();
                try {
                    JsonPatch.apply(DOCUMENT, List.of(operation));
                } catch (CannotPatch refused) {
                    assertThat(refused.getMessage()).startsWith("operation 0: ");
                }
                assertThat(DOCUMENT).hasToString(before);
            });
        }
    }
}
