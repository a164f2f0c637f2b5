package dev.parley.runs.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.CannotPatch;
import dev.parley.protocol.agui.JsonPatch;
import dev.parley.protocol.agui.StateEvent;
import dev.parley.testing.NodeProject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The public test suite of JSON Patch (<a href="https://www.rfc-editor.org/rfc/rfc6902">RFC 6902</a>), as changes of a
 * thread's state: each patch is read as an event and then applied.
 */
class JsonPatchSuiteTest {
    private static final int CASES = 90;

    /** One case that the suite has disabled names a member twice. */
    private static final JsonMapper LENIENT = new JsonMapper();

    @TestFactory
    Stream<DynamicTest> state_changesAsThePublicSuiteDemands() {
        NodeProject suite = NodeProject.installed("json-patch");
        List<JsonNode> cases = new ArrayList<>();
        for (String file : List.of("tests.json", "spec_tests.json")) {
            LENIENT.readTree(suite.read("json-patch-test-suite/" + file))
                    .valueStream()
                    .filter(each -> !each.path("disabled").asBoolean(false) && each.has("doc"))
                    .forEach(cases::add);
        }
        assertThat(cases).hasSizeGreaterThanOrEqualTo(CASES);
        return cases.stream().map(each -> DynamicTest.dynamicTest(name(each), () -> check(each)));
    }

    private static String name(JsonNode each) {
        return each.path("comment").asString(each.path("patch").toString());
    }

    private static void check(JsonNode each) throws CannotPatch {
        if (each.has("error")) {
            assertThatThrownBy(() -> apply(each)).isInstanceOfAny(CannotPatch.class, ProblemException.class);
        } else {
            assertThat(apply(each)).isEqualTo(each.has("expected") ? each.get("expected") : each.get("doc"));
        }
    }

    private static JsonNode apply(JsonNode each) throws CannotPatch {
        ObjectNode event = Json.MAPPER.createObjectNode().put("type", "STATE_DELTA");
        event.set("delta", each.get("patch"));
        StateEvent.Delta delta = (StateEvent.Delta) AguiJson.readEvent(event, "");
        return JsonPatch.apply(each.get("doc"), delta.delta());
    }
}
