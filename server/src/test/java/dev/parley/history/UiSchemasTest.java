package dev.parley.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.protocol.agent.UiButton;
import dev.parley.protocol.agent.UiDivider;
import dev.parley.protocol.agent.UiGrid;
import dev.parley.protocol.agent.UiIcon;
import dev.parley.protocol.agent.UiImage;
import dev.parley.protocol.agent.UiMeta;
import dev.parley.protocol.agent.UiNode;
import dev.parley.protocol.agent.UiSchema;
import dev.parley.protocol.agent.UiStack;
import dev.parley.testing.ApiSchemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** UI hints of agents, and the schemas compiled from them. */
class UiSchemasTest {
    private static final UiMeta NOTHING = new UiMeta(null, null, null, null);
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);
    private static final int TREES = 20_000;

    private static @Nullable UiSchema compile(String hints) {
        return UiSchemas.compile(Json.MAPPER.readTree(hints), "en", NOTHING);
    }

    private static JsonNode wire(String hints) {
        return Json.MAPPER.valueToTree(compile(hints));
    }

    private static List<String> kinds(String hints) {
        List<String> kinds = new ArrayList<>();
        wire(hints)
                .at("/root/children")
                .forEach(each -> kinds.add(each.path("type").asString()));
        return kinds;
    }

    /** The example of the protocol's own document. */
    @Test
    void statusTitleAndBodyAreCompiledToTheLetter() {
        String compiled = Json.MAPPER.writeValueAsString(compile("""
                {"body": "您的会议日程创建成功", "title": "日程已创建", "status": "success", "locale": "zh-CN"}"""));
        assertThat(compiled).isEqualTo("""
                {"version":"2.0","locale":"zh-CN","status":"success","theme":"default",\
                "root":{"type":"stack","appearance":"card","children":[\
                {"type":"text","content":"日程已创建","role":"title"},\
                {"type":"badge","label":"SUCCESS","status":"success"},\
                {"type":"text","content":"您的会议日程创建成功","role":"body"}]}}""");
    }

    @Test
    void orderOfPartsIsFixed() {
        assertThat(wire("""
                {"actions": [{"label": "Go", "action": {"type": "navigation", "path": "/a"}},
                             {"label": "Copy", "style": "ghost", "type": "copy", "text": "x"}],
                 "items": [{"label": "a", "value": "1"}, {"label": "b", "value": 2.50}, {"label": "c", "value": true}],
                 "body": "B", "subtitle": "S", "status": "PENDING", "title": "T", "theme": "dark"}""")).isEqualTo(Json.MAPPER.readTree("""
                {"version": "2.0", "locale": "en", "status": "pending", "theme": "dark",
                 "root": {"type": "stack", "appearance": "card", "children": [
                    {"type": "text", "content": "T", "role": "title"},
                    {"type": "badge", "label": "PENDING", "status": "pending"},
                    {"type": "text", "content": "S", "role": "subtitle"},
                    {"type": "text", "content": "B", "role": "body"},
                    {"type": "kv", "items": [{"label": "a", "value": "1"}, {"label": "b", "value": "2.50"},
                        {"label": "c", "value": "true"}]},
                    {"type": "button", "label": "Go", "style": "secondary",
                        "action": {"type": "navigation", "path": "/a"}},
                    {"type": "button", "label": "Copy", "style": "ghost", "action": {"type": "copy", "text": "x"}}]}}"""));
    }

    @Test
    void metaIsLeftOutIfEmpty() {
        JsonNode hints = Json.MAPPER.readTree("{\"title\": \"T\"}");
        JsonNode known =
                Json.MAPPER.valueToTree(UiSchemas.compile(hints, "en", new UiMeta("run-001", null, null, "someone")));
        assertThat(known.path("meta"))
                .isEqualTo(Json.MAPPER.readTree("{\"requestId\": \"run-001\", \"userId\": \"someone\"}"));
        assertThat(wire("{\"title\": \"T\"}").has("meta")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "\"title\"",
                "{}",
                "{\"title\": 5}",
                "{\"title\": \" \"}",
                "{\"status\": null}",
                "{\"items\": [{\"label\": \"a\"}, 3, {\"value\": \"b\"}, {\"label\": \"c\", \"value\": {}}]}",
                "{\"actions\": {\"label\": \"a\"}}",
                "{\"locale\": \"de\", \"theme\": \"dark\"}"
            })
    void emptyHintsHaveNoSchema(String hints) {
        assertThat(compile(hints)).isNull();
    }

    @Test
    void unknownValuesFallBack() {
        JsonNode odd = wire("{\"status\": \"fine\", \"theme\": \"neon\", \"locale\": \"zh_CN\", \"title\": \"T\"}");
        assertThat(odd.path("status").asString()).isEqualTo("info");
        assertThat(odd.path("theme").asString()).isEqualTo("default");
        assertThat(odd.path("locale").asString()).isEqualTo("en");
        assertThat(odd.at("/root/children/1/label").asString()).isEqualTo("INFO");
        assertThat(kinds("{\"title\": \"T\", \"status\": 7}")).containsExactly("text");
        assertThat(wire("{\"title\": \"T\"}").path("status").asString()).isEqualTo("info");
    }

    @Test
    void textsAreCutAtWholeCharacters() {
        ObjectNode hints = Json.MAPPER.createObjectNode();
        hints.put("title", "👍".repeat(200)).put("subtitle", "👍".repeat(201)).put("body", "好".repeat(2_001));
        JsonNode children = wire(hints.toString()).at("/root/children");
        assertThat(children.at("/0/content").asString()).isEqualTo("👍".repeat(200));
        assertThat(children.at("/1/content").asString()).isEqualTo("👍".repeat(200));
        assertThat(children.at("/2/content").asString()).isEqualTo("好".repeat(2_000));
        hints.put("body", "好".repeat(2_000));
        assertThat(wire(hints.toString()).at("/root/children/2/content").asString())
                .hasSize(2_000);
    }

    @Test
    void itemsAndButtonsAreLimited() {
        for (int more : new int[] {0, 1}) {
            ObjectNode hints = Json.MAPPER.createObjectNode();
            for (int i = 0; i < UiSchemas.MAX_ITEMS + more; i++) {
                hints.withArray("items").addObject().put("label", "l" + i).put("value", i);
            }
            for (int i = 0; i < UiSchemas.MAX_BUTTONS + more; i++) {
                hints.withArray("actions")
                        .addObject()
                        .put("label", "b" + i)
                        .put("type", "copy")
                        .put("text", "t");
            }
            assertThat(wire(hints.toString()).at("/root/children/0/items")).hasSize(50);
            assertThat(kinds(hints.toString()).stream().filter("button"::equals))
                    .hasSize(10);
        }
    }

    private static @Nullable JsonNode action(String action) {
        UiSchema schema = compile("{\"actions\": [{\"label\": \"L\", \"action\": " + action + "}]}");
        return schema == null
                ? null
                : Json.MAPPER.valueToTree(
                        ((UiButton) ((UiStack) schema.root()).children().getFirst()).action());
    }

    @Test
    void actionHasItsOwnMembersOnly() {
        String everything = """
                "path": "/p", "url": "https://a.example/", "name": "n", "payload": [1], "args": {"a": 1}, "text": "t",
                "onclick": "alert(1)"}""";
        assertThat(action("{\"type\": \"navigation\", " + everything))
                .hasToString("{\"type\":\"navigation\",\"path\":\"/p\"}");
        assertThat(action("{\"type\": \"url\", " + everything))
                .hasToString("{\"type\":\"url\",\"url\":\"https://a.example/\"}");
        assertThat(action("{\"type\": \"event\", " + everything))
                .hasToString("{\"type\":\"event\",\"name\":\"n\",\"payload\":[1]}");
        assertThat(action("{\"type\": \"tool\", " + everything))
                .hasToString("{\"type\":\"tool\",\"name\":\"n\",\"args\":{\"a\":1}}");
        assertThat(action("{\"type\": \"copy\", " + everything)).hasToString("{\"type\":\"copy\",\"text\":\"t\"}");
        assertThat(action("{\"type\": \"event\", \"event\": \"n\"}"))
                .hasToString("{\"type\":\"event\",\"name\":\"n\"}");
        assertThat(action("{\"type\": \"url\", \"target\": \"https://a.example\"}"))
                .hasToString("{\"type\":\"url\",\"url\":\"https://a.example\"}");
    }

    @Test
    void actionWithAnUnacceptableMemberIsDropped() {
        assertThat(action("{\"type\": \"submit\", \"url\": \"https://a.example\"}"))
                .isNull();
        assertThat(action("{\"type\": \"tool\", \"name\": \"n\", \"args\": [1]}"))
                .isNull();
        assertThat(action("{\"type\": \"tool\", \"name\": 5}")).isNull();
        assertThat(action("{\"type\": \"copy\", \"text\": \"" + "x".repeat(2_000) + "\"}"))
                .isNotNull();
        assertThat(action("{\"type\": \"copy\", \"text\": \"" + "x".repeat(2_001) + "\"}"))
                .isNull();
        assertThat(action("{\"type\": \"event\", \"name\": \"" + "x".repeat(200) + "\"}"))
                .isNotNull();
        assertThat(action("{\"type\": \"event\", \"name\": \"" + "x".repeat(201) + "\"}"))
                .isNull();
        String deepest = "[".repeat(16) + "]".repeat(16);
        assertThat(action("{\"type\": \"event\", \"name\": \"n\", \"payload\": " + deepest + "}"))
                .isNotNull();
        assertThat(action("{\"type\": \"event\", \"name\": \"n\", \"payload\": [" + deepest + "]}"))
                .isNull();
        assertThat(kinds("{\"title\": \"T\", \"actions\": [{\"type\": \"copy\", \"text\": \"no label\"}]}"))
                .containsExactly("text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://a.example",
                "javascript:alert(1)",
                "JavaScript:alert(1)",
                " javascript:alert(1)",
                "java\tscript:alert(1)",
                "data:text/html,x",
                "//a.example",
                "/\\a.example",
                "\\\\a.example",
                "https:a.example",
                "https:///a",
                "https://user@a.example/",
                "https://user:x@a.example/",
                "https://a.example\\@b.example/",
                "https://a.example/\u202e",
                "https://a.example/ x",
                "https://a.example/\n",
                "vbscript:x",
                "file:///etc/passwd",
                "blob:https://a.example/x",
                "https://",
                "/.//a.example",
                "",
                "https://a.example/\u200b"
            })
    void misleadingAddressesAreRefused(String url) {
        String text = Json.MAPPER.writeValueAsString(url);
        assertThat(action("{\"type\": \"url\", \"url\": " + text + "}")).isNull();
        assertThat(action("{\"type\": \"navigation\", \"path\": " + text + "}")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a/b?c=//d#e", "a/b", "?q=1", "#top", "../x", "/日程/1"})
    void pathsWithinTheSiteAreAccepted(String path) {
        assertThat(action("{\"type\": \"navigation\", \"path\": \"" + path + "\"}"))
                .isNotNull();
        assertThat(action("{\"type\": \"url\", \"url\": \"" + path + "\"}")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a.example", "HTTPS://a.example:8443/x?y=1#z", "https://a.example/日程"})
    void httpsAddressesAreAccepted(String url) {
        assertThat(action("{\"type\": \"url\", \"url\": \"" + url + "\"}")).isNotNull();
        assertThat(action("{\"type\": \"navigation\", \"path\": \"" + url + "\"}"))
                .isNull();
    }

    @Test
    void nodesAreReadAsTheyAreWritten() {
        UiNode all = new UiStack(
                "horizontal",
                2,
                null,
                List.of(
                        new UiGrid(2, null, List.of(new UiDivider())),
                        new UiIcon("emoji", "👍"),
                        new UiImage("https://a.example/x.png", "x")));
        String text = Json.MAPPER.writeValueAsString(all);
        assertThat(text).contains("{\"type\":\"divider\"}");
        assertThat(Json.MAPPER.readValue(text, UiNode.class)).isEqualTo(all);
        JsonNode schema = Json.MAPPER.readTree("{\"$ref\": \"#/components/schemas/UiNode\"}");
        assertThat(SCHEMAS.faults(schema, Json.MAPPER.readTree(text))).isEmpty();
    }

    @Test
    void randomHintsNeverFail() {
        Random random = new Random(20_260_315);
        JsonNode schema = Json.MAPPER.readTree("{\"$ref\": \"#/components/schemas/UiSchema\"}");
        int compiled = 0;
        for (int i = 0; i < TREES; i++) {
            JsonNode hints = tree(random, 0);
            assertThatCode(() -> UiSchemas.compile(hints, "en", NOTHING))
                    .as("%s", hints)
                    .doesNotThrowAnyException();
            UiSchema result = UiSchemas.compile(hints, "en", NOTHING);
            if (result != null && compiled++ % 20 == 0) {
                String text = Json.MAPPER.writeValueAsString(result);
                assertThat(SCHEMAS.faults(schema, Json.MAPPER.readTree(text)))
                        .as(text)
                        .isEmpty();
                assertThat(Json.MAPPER.readValue(text, UiSchema.class)).isEqualTo(result);
            }
        }
        assertThat(compiled).as("some trees are valid hints").isGreaterThan(TREES / 20);
    }

    private static final List<String> NAMES = List.of(
            "status",
            "title",
            "subtitle",
            "body",
            "items",
            "actions",
            "locale",
            "theme",
            "label",
            "value",
            "style",
            "action",
            "type",
            "path",
            "url",
            "target",
            "name",
            "event",
            "tool",
            "text",
            "payload",
            "args",
            "x");
    private static final List<String> TEXTS = List.of(
            "success",
            "dark",
            "de-AT",
            "primary",
            "navigation",
            "url",
            "event",
            "tool",
            "copy",
            "/a",
            "https://a.example",
            "//x",
            "javascript:x",
            "\u0000",
            "\ud800",
            "👍",
            "%",
            "https://[",
            "",
            " ",
            "العربية",
            "-",
            "i-klingon");

    private static JsonNode tree(Random random, int depth) {
        int kind = depth == 0 ? 0 : random.nextInt(depth > 5 ? 4 : 9);
        return switch (kind) {
            case 0, 5, 6 -> {
                ObjectNode object = Json.MAPPER.createObjectNode();
                for (int i = random.nextInt(9); i >= 0 && depth <= 5; i--) {
                    object.set(NAMES.get(random.nextInt(NAMES.size())), tree(random, depth + 1));
                }
                yield object;
            }
            case 1 -> Json.MAPPER.getNodeFactory().numberNode(random.nextDouble());
            case 2 ->
                random.nextBoolean()
                        ? Json.MAPPER.getNodeFactory().booleanNode(random.nextBoolean())
                        : Json.MAPPER.nullNode();
            case 7, 8 -> {
                ArrayNode array = Json.MAPPER.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(tree(random, depth + 1));
                }
                yield array;
            }
            default -> Json.MAPPER.getNodeFactory().stringNode(TEXTS.get(random.nextInt(TEXTS.size())));
        };
    }
}
