package dev.parley.testkit.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import org.junit.jupiter.api.Test;

class OpenAiRulesTest {
    private static final String ASK = "{'role':'user','content':'Hi'}";

    @Test
    void rolesAreKnown() {
        taken(
                "{'role':'system','content':'Be kind'}",
                "{'role':'developer','content':'Be brief'}",
                ASK,
                "{'role':'assistant','content':'Hello'}",
                "{'role':'system','content':'Now'}");
        refused("is not one of", "{'role':'agent','content':'Hi'}");
    }

    @Test
    void contentIsNotEmpty() {
        taken("{'role':'user','content':[{'type':'text','text':'Hi'}]}");
        refused("empty", "{'role':'user','content':''}");
        refused("empty", "{'role':'user','content':[]}");
        refused("empty text", "{'role':'user','content':[{'type':'text','text':''}]}");
        refused("expected a string", "{'role':'user'}");
        refused("expected a string", ASK, "{'role':'assistant','content':null}");
        refused("at least one element");
    }

    @Test
    void imagesAreUrlsOfSupportedTypes() {
        taken(image("https://example.org/a.png"));
        taken(image("data:image/png;base64,AAAA"));
        refused("supported image", image("data:image/svg+xml;base64,AAAA"));
        refused("supported image", image("data:image/png;base64,not base64"));
        refused("invalid type", "{'role':'user','content':[{'type':'video'}]}");
    }

    private static String image(String url) {
        return "{'role':'user','content':[{'type':'image_url','image_url':{'url':'" + url + "'}}]}";
    }

    @Test
    void everyCallIsAnsweredOnceDirectlyAfter() {
        taken(ASK, calls("a", "b"), result("b"), result("a"), ASK);
        refused("missing: [b]", ASK, calls("a", "b"), result("a"), ASK);
        refused("missing: [a]", ASK, calls("a"));
        refused("missing: [a]", ASK, calls("a"), ASK, result("a"));
        refused("'a' does not", ASK, calls("a"), result("a"), result("a"));
        refused("'x' does not", ASK, calls("a"), result("a"), result("x"));
        refused("'a' does not", ASK, result("a"));
        refused("empty", ASK, calls("a"), "{'role':'tool','tool_call_id':'a','content':''}");
    }

    @Test
    void callsHaveIdsNamesAndJsonArguments() {
        taken(ASK, call("i".repeat(40), "n".repeat(64), "[]"), result("i".repeat(40)));
        refused("too long, 41 of", ASK, call("i".repeat(41), "f", "{}"), result("i".repeat(41)));
        refused("does not match", ASK, call("a", "n".repeat(65), "{}"), result("a"));
        refused("does not match", ASK, call("a", "get weather", "{}"), result("a"));
        refused("not a JSON text", ASK, call("a", "f", "{"), result("a"));
        refused("not a JSON text", ASK, call("a", "f", ""), result("a"));
        refused("there twice", ASK, calls("a", "a"), result("a"));
        refused("only the assistant", "{'role':'user','content':'x','tool_calls':[]}");
        refused("empty array", ASK, "{'role':'assistant','content':'x','tool_calls':[]}");
    }

    @Test
    void toolsHaveNamesAndTheModelIsNamed() {
        assertThat(OpenAiRules.violations(Json.MAPPER.readTree("""
                {"model":"m","tools":[{"type":"function","function":{"name":"a.b"}}],
                 "messages":[{"role":"user","content":"Hi"}]}""")))
                .singleElement()
                .asString()
                .contains("tools[]");
        assertThat(OpenAiRules.violations(Json.MAPPER.readTree("""
                {"messages":[{"role":"user","content":"Hi"}]}""")))
                .singleElement()
                .asString()
                .contains("model");
    }

    private static String result(String id) {
        return "{'role':'tool','tool_call_id':'" + id + "','content':'4'}";
    }

    private static String call(String id, String name, String arguments) {
        return "{'role':'assistant','content':null,'tool_calls':[{'id':'%s','type':'function','function':{'name':'%s','arguments':'%s'}}]}"
                .formatted(id, name, arguments);
    }

    private static String calls(String first, String second) {
        String call = "{'id':'%s','type':'function','function':{'name':'f','arguments':'{}'}}";
        return "{'role':'assistant','tool_calls':[" + call.formatted(first) + "," + call.formatted(second) + "]}";
    }

    private static String calls(String only) {
        return call(only, "f", "{}");
    }

    private static void taken(String... messages) {
        Judged.by(OpenAiRules::violations, "{'model':'m','messages':[", messages)
                .isTaken();
    }

    private static void refused(String reason, String... messages) {
        Judged.by(OpenAiRules::violations, "{'model':'m','messages':[", messages)
                .isRefusedFor(reason);
    }
}
