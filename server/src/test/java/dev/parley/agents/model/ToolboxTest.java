package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.parley.agents.tools.ServerTool;
import dev.parley.assembly.ToolNames;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Tool;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ToolboxTest {
    private static final ObjectNode SCHEMA = (ObjectNode) Json.MAPPER.readTree("""
            {"type": "object", "required": ["kind", "gone"], "$defs": {"k": {"enum": ["a", "b"]}},
             "properties": {
               "kind": {"$ref": "#/$defs/k", "description": "Which"},
               "many": {"type": "array", "items": {"type": ["integer", "null"]}},
               "either": {"anyOf": [{"type": "string", "pattern": "^x"}, {"type": "null"}]},
               "deep": {"type": "object", "properties": {"x": {}}},
               "self": {"$ref": "#"}}}""");

    private static Tool app(String name) {
        return new Tool(name, "Does " + name, SCHEMA, null);
    }

    private static ServerTool server(String name) {
        return new ServerTool(name, "s", name, "Does " + name, SCHEMA, false);
    }

    @Test
    void namesAreLegalAndUniqueAndMapBack() {
        String longest = "x".repeat(80);
        Toolbox box = new Toolbox(
                List.of(app("my tool"), app("my.tool"), app("2nd"), app(longest), app(longest + "y")), List.of());
        List<String> told = box.specifications(Provider.OPENAI).stream()
                .map(ToolSpecification::name)
                .toList();
        assertThat(told)
                .hasSize(5)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-zA-Z_][a-zA-Z0-9_-]{0,63}"));
        assertThat(told.stream().map(box::nameOf)).containsExactly("my tool", "my.tool", "2nd", longest, longest + "y");
        assertThat(box.nameOf("other")).isEqualTo("other");
        assertThat(box.nameOf(null)).isEqualTo("unknown");
    }

    @Test
    void namesFollowTheRuleOfHistory() {
        for (String name : List.of("_a.b", "-x", "2nd", "é", "", " ", "x".repeat(64), "x".repeat(65))) {
            assertThat(new Toolbox(List.of(app(name)), List.of())
                            .specifications(Provider.GEMINI)
                            .getFirst()
                            .name())
                    .isEqualTo(ToolNames.legal(name));
        }
        assertThat(ToolNames.legal("_a.b")).isEqualTo("_a_b");
        assertThat(ToolNames.legal("2nd")).isEqualTo("_2nd");
        assertThat(ToolNames.legal("-x")).isEqualTo("_-x");
        assertThat(ToolNames.legal(" ")).isEqualTo("tool");
        assertThat(ToolNames.legal("x".repeat(64))).hasSize(64);
        assertThat(ToolNames.legal("x".repeat(65))).hasSize(64);
    }

    @Test
    void serverToolWinsOverAnAppToolOfTheSameName() {
        Toolbox box = new Toolbox(List.of(app("both"), app("own")), List.of(server("both")));
        assertThat(box.isFrontend("both")).isFalse();
        assertThat(box.server("both")).isPresent();
        assertThat(box.isFrontend("own")).isTrue();
        assertThat(box.isFrontend("neither")).isFalse();
    }

    @Test
    void schemasAreSentUnchanged() {
        JsonObjectSchema made = ToolSchemas.of(SCHEMA, Provider.ANTHROPIC).orElseThrow();
        assertThat(made.properties().values()).allMatch(JsonRawSchema.class::isInstance);
        assertThat(made.required()).containsExactly("kind", "gone");
        assertThat(made.definitions()).containsOnlyKeys("k");
        assertThat(ToolSchemas.of(null, Provider.OPENAI)).isEmpty();
        assertThat(ToolSchemas.of(Json.MAPPER.createObjectNode(), Provider.GEMINI))
                .isEmpty();
    }

    @Test
    void geminiSchemasHaveItsKeywordsOnly() {
        JsonObjectSchema made = ToolSchemas.of(SCHEMA, Provider.GEMINI).orElseThrow();
        assertThat(made.required()).containsExactly("kind");
        assertThat(made.properties().get("kind"))
                .isEqualTo(JsonEnumSchema.builder()
                        .enumValues("a", "b")
                        .description("Which")
                        .build());
        assertThat(made.properties().get("many")).isInstanceOf(JsonArraySchema.class);
        assertThat(made.properties().get("either")).isInstanceOf(JsonAnyOfSchema.class);
        assertThat(made.properties().get("deep"))
                .isEqualTo(JsonObjectSchema.builder()
                        .addProperty("x", JsonStringSchema.builder().build())
                        .build());
        assertThat(made.properties().get("self")).as("recursion ends").isInstanceOf(JsonObjectSchema.class);
    }

    @Test
    void aSchemaThatNamesItselfManyTimesStaysSmall() {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        ObjectNode members = schema.putObject("properties");
        for (int i = 0; i < 20; i++) {
            members.putObject("m" + i).put("$ref", "#");
        }
        JsonObjectSchema made = ToolSchemas.of(schema, Provider.GEMINI).orElseThrow();
        assertThat(made.toString().length()).isLessThan(1_000_000);
    }

    @Test
    void geminiResultsAreJoined() {
        String body = """
                {"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{}}]},
                {"role":"user","parts":[{"functionResponse":{"id":"1"}}]},
                {"role":"user","parts":[{"functionResponse":{"id":"2"}}]},{"role":"user","parts":[{"text":"v"}]}]}""";
        assertThat(Json.MAPPER.readTree(GeminiTurns.joined(body))).isEqualTo(Json.MAPPER.readTree("""
                        {"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[
                        {"functionCall":{},"thoughtSignature":"skip_thought_signature_validator"}]},
                        {"role":"user","parts":[{"functionResponse":{"id":"1"}},{"functionResponse":{"id":"2"}},
                        {"text":"v"}]}]}"""));
        assertThat(GeminiTurns.joined("not even read")).isEqualTo("not even read");
    }

    @Test
    void geminiSignsTheFirstOfUnsignedCallsOnly() {
        String body = """
                {"contents":[{"role":"model","parts":[{"functionCall":{}},{"functionCall":{}}]},
                {"role":"user","parts":[{"functionResponse":{}},{"functionResponse":{}}]},
                {"role":"model","parts":[{"functionCall":{},"thoughtSignature":"own"},{"functionCall":{}}]},
                {"role":"user","parts":[{"functionResponse":{}},{"functionResponse":{}}]}]}""";
        String sent = GeminiTurns.joined(body);
        assertThat(sent).containsOnlyOnce(GeminiTurns.NO_SIGNATURE);
        assertThat(Json.MAPPER
                        .readTree(sent)
                        .at("/contents/0/parts/0/thoughtSignature")
                        .asString())
                .isEqualTo(GeminiTurns.NO_SIGNATURE);
    }
}
