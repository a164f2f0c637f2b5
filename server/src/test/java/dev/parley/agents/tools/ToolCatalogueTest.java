package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class ToolCatalogueTest {
    private static final ToolServerConfig CONFIG =
            ToolServerConfig.read("srv", (ObjectNode) Json.MAPPER.readTree("{\"command\":\"x\"}"));

    private static McpSchema.Tool tool(String name, @Nullable String description, Map<String, Object> schema) {
        return new McpSchema.Tool(name, null, description, schema, null, null, null);
    }

    private static List<ServerTool> offered(McpSchema.Tool... tools) {
        ToolCatalogue catalogue = new ToolCatalogue(CONFIG);
        catalogue.add(List.of(tools));
        return catalogue.tools();
    }

    @ParameterizedTest
    @CsvSource({"59,true", "60,false"})
    void aLegalNameIsKeptAndALongerOneEndsInAHash(int length, boolean kept) {
        String tool = "n".repeat(length);
        String name = ToolCatalogue.name("srv", tool);
        assertThat(name).hasSize(64).startsWith("srv__nnn");
        assertThat(name.equals("srv__" + tool)).isEqualTo(kept);
    }

    @Test
    void changedNamesStayDistinct() {
        assertThat(ToolCatalogue.name("srv", "a b")).matches("srv__a_b_[0-9a-f]{8}");
        assertThat(ToolCatalogue.name("srv", "a b")).isEqualTo(ToolCatalogue.name("srv", "a b"));
        assertThat(ToolCatalogue.name("srv", "a b")).isNotEqualTo(ToolCatalogue.name("srv", "a.b"));
        assertThat(ToolCatalogue.name("srv", "a\nb\u202e")).matches("[a-zA-Z0-9_-]{1,64}");
    }

    @ParameterizedTest
    @CsvSource({"1024,1024", "1025,1024"})
    void descriptionsAreBounded(int given, int kept) {
        assertThat(offered(tool("t", "好".repeat(given), Map.of())).getFirst().description())
                .hasSize(kept);
    }

    @Test
    void toolNeedsNeitherDescriptionNorSchema() {
        ServerTool bare = offered(tool("t", null, Map.of())).getFirst();
        assertThat(bare.description()).isEmpty();
        assertThat(bare.schema()).isEqualTo(Json.MAPPER.createObjectNode().put("type", "object"));
    }

    @Test
    void argumentsAreAnObject() {
        assertThat(offered(tool("t", "", Map.of("type", "array")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0,true", "1,false"})
    void aSchemaHasALimit(int over, boolean fits) {
        int frame = "{\"type\":\"object\",\"const\":\"\"}".length();
        String filling = "x".repeat(ToolCatalogue.MAX_SCHEMA_BYTES - frame + over);
        assertThat(offered(tool("t", "", Map.of("type", "object", "const", filling))))
                .hasSize(fits ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"256,true", "257,false", "0,false"})
    void aServersOwnNameHasALimit(int length, boolean fits) {
        assertThat(offered(tool("n".repeat(length), "", Map.of()))).hasSize(fits ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"127,127", "128,128", "129,128"})
    void toolsAreCounted(int given, int kept) {
        McpSchema.Tool[] tools = IntStream.range(0, given)
                .mapToObj(i -> tool("t" + i, "", Map.of()))
                .toArray(McpSchema.Tool[]::new);
        assertThat(offered(tools)).hasSize(kept);
    }

    @Test
    void duplicateNameOffersTheFirstTool() {
        assertThat(offered(tool("t", "first", Map.of()), tool("t", "second", Map.of())))
                .extracting(ServerTool::description)
                .containsExactly("first");
    }

    @Test
    void schemaTextsAreOneLineAndItsValuesUnchanged() {
        Map<String, Object> schema = Map.of(
                "type",
                "object",
                "properties",
                Map.of("a", Map.of("description", "x\ny\u200b", "const", "x\ny\u200b")));
        ObjectNode read = offered(tool("t", "", schema)).getFirst().schema();
        assertThat(read.at("/properties/a/description").asString()).isEqualTo("x y");
        assertThat(read.at("/properties/a/const").asString()).isEqualTo("x\ny\u200b");
    }
}
