package dev.parley.testkit.models;

import org.junit.jupiter.api.Test;

class AnthropicRulesTest {
    private static final String HEAD = "{'model':'m','max_tokens':1,'messages':[";
    private static final String ASK = "{'role':'user','content':'Hi'}";

    @Test
    void theFirstMessageIsTheUsers() {
        taken(ASK, said("Hello"), ASK);
        refused("first message", said("Hello"), ASK);
        refused("at least one message");
    }

    @Test
    void rolesAreTwoAndTheSystemPromptHasNone() {
        refused("top-level `system`", "{'role':'system','content':'Be kind'}", ASK);
        refused("'tool' is unexpected", ASK, "{'role':'tool','content':'4'}");
        Judged.by(AnthropicRules::violations, "{'model':'m','max_tokens':1,'system':'Be kind','messages':[", ASK)
                .isTaken();
        Judged.by(
                        AnthropicRules::violations,
                        "{'model':'m','max_tokens':1,'system':[{'type':'text','text':''}],'messages':[",
                        ASK)
                .isRefusedFor("system");
    }

    @Test
    void textHasMoreThanWhiteSpace() {
        taken("{'role':'user','content':[{'type':'text','text':' a '}]}");
        refused("non-whitespace", "{'role':'user','content':[{'type':'text','text':' \\n'}]}");
        refused("non-whitespace", "{'role':'user','content':' '}");
        refused("non-empty", "{'role':'user','content':[]}");
    }

    @Test
    void everyCallIsAnsweredOnceDirectlyAfterAndFirst() {
        taken(ASK, calls("a", "b"), user(result("b"), result("a"), "{'type':'text','text':'Go on'}"));
        refused("[b]", ASK, calls("a", "b"), user(result("a")));
        taken(ASK, calls("a", "b"), user(result("a")), user(result("b")), ASK);
        refused("come first", ASK, calls("a", "b"), ASK, user(result("a"), result("b")));
        refused("immediately after", ASK, calls("a", "b"), ASK, said("So"), user(result("a"), result("b")));
        refused("without `tool_result`", ASK, calls("a", "b"));
        refused("unexpected `tool_use_id` 'a'", ASK, calls("a", "b"), user(result("a"), result("a"), result("b")));
        refused("unexpected `tool_use_id` 'x'", user(result("x")));
        refused("come first", ASK, calls("a", "b"), user("{'type':'text','text':'Look'}", result("a"), result("b")));
    }

    @Test
    void idsOfCallsAreUniqueOverTheWholeRequest() {
        taken(ASK, calls("a", "b"), user(result("a"), result("b")), calls("c", "d"), user(result("c"), result("d")));
        refused(
                "must be unique: 'a'",
                ASK,
                calls("a", "b"),
                user(result("a"), result("b")),
                calls("a", "d"),
                user(result("a"), result("d")));
        refused("must be unique", ASK, calls("a", "a"), user(result("a")));
    }

    @Test
    void callsHaveIdsNamesAndObjects() {
        taken(ASK, call("toolu_01-A", "n".repeat(128), "{}"), user(result("toolu_01-A")));
        refused("should match", ASK, call("a:b", "f", "{}"), user(result("a:b")));
        refused("should match", ASK, call("", "f", "{}"), user(result("")));
        refused("should match pattern", ASK, call("a", "n".repeat(129), "{}"), user(result("a")));
        refused("should match pattern", ASK, call("a", "f.g", "{}"), user(result("a")));
        refused("dictionary", ASK, call("a", "f", "[]"), user(result("a")));
    }

    @Test
    void imagesAreOfFourTypesInBase64() {
        taken(user(image("image/webp", "AA==")));
        refused("media_type", user(image("image/bmp", "AA==")));
        refused("not base64", user(image("image/png", "A A")));
        refused("can only be in `user`", ASK, "{'role':'assistant','content':[" + image("image/png", "AA==") + "]}");
        refused("not a known type", user("{'type':'input_text','text':'Hi'}"));
    }

    @Test
    void aFinalAnswerBegunForTheModelDoesNotEndInWhiteSpace() {
        taken(ASK, said("It is "), ASK);
        taken(ASK, said("It is"));
        refused("trailing whitespace", ASK, said("It is "));
        refused("trailing whitespace", ASK, "{'role':'assistant','content':[{'type':'text','text':'It is\\n'}]}");
    }

    @Test
    void thoughtsComeBackWithTheirSignaturesAndBeforeTheirCalls() {
        String thought = "{'type':'thinking','thinking':'Hm','signature':'s'}";
        String use = "{'type':'tool_use','id':'a','name':'f','input':{}}";
        String assistant = "{'role':'assistant','content':[%s]}";
        taken(ASK, assistant.formatted(thought + "," + use), user(result("a")));
        refused("signature", ASK, assistant.formatted("{'type':'thinking','thinking':'Hm'}"), ASK);
        thinking(1024, 1025, ASK, assistant.formatted(thought + "," + use), user(result("a")))
                .isTaken();
        thinking(1024, 1025, ASK, assistant.formatted(use), user(result("a"))).isRefusedFor("before `tool_use`");
        thinking(
                        1024,
                        1025,
                        ASK,
                        assistant.formatted(use),
                        user(result("a")),
                        "{'role':'assistant','content':'ok'}",
                        ASK)
                .isTaken();
    }

    @Test
    void thinkingHasABudgetBelowTheLimitOfTheAnswer() {
        thinking(1024, 1025, ASK).isTaken();
        thinking(1023, 1025, ASK).isRefusedFor("at least 1024");
        thinking(1024, 1024, ASK).isRefusedFor("greater than `thinking.budget_tokens`");
    }

    private static Judged thinking(int budget, int most, String... messages) {
        String head = "{'model':'m','max_tokens':%d,'thinking':{'type':'enabled','budget_tokens':%d},'messages':["
                .formatted(most, budget);
        return Judged.by(AnthropicRules::violations, head, messages);
    }

    @Test
    void theModelAndTheLimitAreTold() {
        Judged.by(AnthropicRules::violations, "{'max_tokens':1,'messages':[", ASK)
                .isRefusedFor("model");
        Judged.by(AnthropicRules::violations, "{'model':'m','messages':[", ASK).isRefusedFor("max_tokens");
        Judged.by(
                        AnthropicRules::violations,
                        "{'model':'m','max_tokens':1,'tools':[{'name':'a b','input_schema':{}}],'messages':[",
                        ASK)
                .isRefusedFor("tools.name");
    }

    private static String said(String text) {
        return "{'role':'assistant','content':'" + text + "'}";
    }

    private static String user(String... blocks) {
        return "{'role':'user','content':[" + String.join(",", blocks) + "]}";
    }

    private static String result(String id) {
        return "{'type':'tool_result','tool_use_id':'" + id + "','content':'4'}";
    }

    private static String call(String id, String name, String input) {
        return "{'role':'assistant','content':[{'type':'tool_use','id':'%s','name':'%s','input':%s}]}"
                .formatted(id, name, input);
    }

    private static String calls(String first, String second) {
        String use = "{'type':'tool_use','id':'%s','name':'f','input':{}}";
        return "{'role':'assistant','content':[" + use.formatted(first) + "," + use.formatted(second) + "]}";
    }

    private static String image(String type, String data) {
        return "{'type':'image','source':{'type':'base64','media_type':'%s','data':'%s'}}".formatted(type, data);
    }

    private static void taken(String... messages) {
        Judged.by(AnthropicRules::violations, HEAD, messages).isTaken();
    }

    private static void refused(String reason, String... messages) {
        Judged.by(AnthropicRules::violations, HEAD, messages).isRefusedFor(reason);
    }
}
