package dev.parley.protocol.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A document that was read is written again byte for byte: members in their order, numbers as given, and no null except
 * as data.
 */
class RoundTripTest {
    /** Members that may hold any JSON, so that a null in them is data. */
    private static final Set<String> FREE = Set.of(
            "metadata",
            "rawEvent",
            "snapshot",
            "event",
            "value",
            "result",
            "state",
            "parameters",
            "payload",
            "patch",
            "forwardedProps");

    /** Required members in which null is data. */
    private static final Set<String> DATA = Set.of("snapshot", "event", "value");

    static List<String> events() {
        return Lines.of("events.jsonl");
    }

    static List<String> messages() {
        return Lines.of("messages.jsonl");
    }

    static List<String> inputs() {
        return Lines.of("inputs.jsonl");
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventsComeBackAsTheyWere(String wire) {
        AguiEvent event = AguiJson.readEvent(wire);
        assertThat(event).isNotInstanceOf(UnknownEvent.class);
        assertThat(AguiJson.write(event)).isEqualTo(wire);
        assertThat(Json.MAPPER.readValue(wire, AguiEvent.class)).isEqualTo(event);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messagesComeBackAsTheyWere(String wire) {
        Message message = Json.MAPPER.readValue(wire, Message.class);
        assertThat(Json.MAPPER.writeValueAsString(message)).isEqualTo(wire);
        assertThat(AguiJson.readMessage(Json.MAPPER.readTree(wire), "")).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void inputsComeBackAsTheyWere(String wire) {
        RunAgentInput input = Json.MAPPER.readValue(wire, RunAgentInput.class);
        assertThat(Json.MAPPER.writeValueAsString(input)).isEqualTo(wire);
        assertThat(AguiJson.readInput(Json.MAPPER.readTree(wire))).isEqualTo(input);
    }

    @Test
    void allThirtyOneTypesAreTriedBareAndFull() {
        List<String> types = events().stream()
                .map(wire -> Json.MAPPER.readTree(wire).get("type").stringValue())
                .toList();
        assertThat(new HashSet<>(types)).hasSize(31);
        assertThat(types)
                .allSatisfy(
                        type -> assertThat(types.stream().filter(type::equals)).hasSizeGreaterThan(1));
    }

    @ParameterizedTest
    @MethodSource("events")
    void aNullInAnyMemberThatIsNotDataIsReadAsAbsentOrRefusedAndNeverWritten(String wire) {
        ObjectNode json = (ObjectNode) Json.MAPPER.readTree(wire);
        List<String> names = new ArrayList<>(json.propertyNames());
        names.addAll(List.of("timestamp", "rawEvent", "metadata", "subagentRunId", "outcome", "parentMessageId"));
        for (String name : new LinkedHashSet<>(names)) {
            ObjectNode changed = json.deepCopy();
            changed.set(name, NullNode.getInstance());
            AguiEvent event;
            try {
                event = AguiJson.readEvent(changed, "");
            } catch (ProblemException refused) {
                assertThat(refused.errors().getFirst().field()).isEqualTo(name);
                continue;
            }
            JsonNode written = Json.MAPPER.readTree(AguiJson.write(event));
            assertThat(nulls(written)).as("%s null in %s", name, wire).isEmpty();
            assertThat(written.has(name) && written.get(name).isNull())
                    .as("%s null in %s", name, wire)
                    .isEqualTo(DATA.contains(name) && json.has(name));
        }
    }

    /** Paths of nulls outside of free JSON; at the top, the value of a snapshot, a raw or a custom event is data. */
    private static List<String> nulls(JsonNode json) {
        List<String> found = new ArrayList<>();
        for (var member : json.properties()) {
            if (FREE.contains(member.getKey())) {
                continue;
            }
            if (member.getValue().isNull()) {
                found.add(member.getKey());
            }
            found.addAll(nulls(member.getValue()));
        }
        for (JsonNode item : json.isArray() ? json : List.<JsonNode>of()) {
            found.addAll(nulls(item));
        }
        return found;
    }

    @Test
    void nullNodesAreLeftOutOnWriting() {
        JsonNode none = NullNode.getInstance();
        assertThat(AguiJson.write(new RunEvent.Finished("t", "r", none, null, List.of(), new Common(null, none, null))))
                .isEqualTo("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}");
        assertThat(AguiJson.write(new SubagentEvent.Finished("s", none, null, Common.NONE)))
                .isEqualTo("{\"type\":\"SUBAGENT_FINISHED\",\"subagentRunId\":\"s\"}");
        assertThat(Json.MAPPER.writeValueAsString(new RunAgentInput(
                        "t", "r", null, null, none, List.of(), List.of(), List.of(), none, List.of())))
                .isEqualTo("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[],\"tools\":[],\"context\":[]}");
        assertThat(Json.MAPPER.writeValueAsString(new Tool("n", "d", none, null)))
                .isEqualTo("{\"name\":\"n\",\"description\":\"d\"}");
        assertThat(Json.MAPPER.writeValueAsString(new ContentPart.Text("x", null, none)))
                .isEqualTo("{\"type\":\"text\",\"text\":\"x\"}");
    }

    @Test
    void bytesAreUtf8WithoutNeedlessEscapes() {
        byte[] bytes = Json.MAPPER.writeValueAsBytes(new TextEvent.Content("m", "中文 👋\u2028"));
        assertThat(new String(bytes, StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"中文 👋\u2028\"}");
    }
}
