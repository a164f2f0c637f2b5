package dev.parley.testkit.models;

import org.junit.jupiter.api.Test;

class GeminiRulesTest {
    private static final String ASK = "{'role':'user','parts':[{'text':'Hi'}]}";
    private static final String SAID = "{'role':'model','parts':[{'text':'Hello'}]}";

    @Test
    void userAndModelTakeTurnsAndTheUserHasTheFirstAndTheLast() {
        taken(ASK);
        taken("{'parts':[{'text':'Hi'}]}");
        taken(ASK, SAID, ASK);
        refused("begin with user", SAID, ASK);
        refused("alternate", ASK, ASK);
        refused("alternate", ASK, SAID, SAID, ASK);
        refused("end with a user turn", ASK, SAID);
        refused("valid role", ASK, "{'role':'assistant','parts':[{'text':'Hello'}]}");
        refused("not specified");
    }

    @Test
    void partsSayExactlyOneThing() {
        taken("{'role':'user','parts':[{'text':'Look'},{'inlineData':{'mimeType':'image/png','data':'AA=='}}]}");
        taken(ASK, "{'role':'model','parts':[{'text':'Hello'},{'text':'','thoughtSignature':'s'}]}", ASK);
        refused("must not be empty", "{'role':'user','parts':[]}");
        refused("must not be empty", "{'role':'user','parts':[{'text':''}]}");
        refused("oneof", "{'role':'user','parts':[{}]}");
        refused("oneof", "{'role':'user','parts':[{'text':'a','fileData':{}}]}");
        refused("mime_type", "{'role':'user','parts':[{'inlineData':{'data':'AA=='}}]}");
        refused("not base64", "{'role':'user','parts':[{'inlineData':{'mimeType':'image/png','data':'A A'}}]}");
    }

    @Test
    void aTurnOfCallsIsAnsweredDirectlyAfterWithAsManyResponses() {
        taken(ASK, calls("f", "g"), responses("f", "g"));
        taken(ASK, calls("f", "g"), responses("g", "f"), calls("f", "f"), responses("f", "f"));
        refused("comes immediately after a user turn", calls("f", "g"), responses("f", "g"));
        refused("comes immediately after a user turn", ASK, SAID, calls("f", "g"), responses("f", "g"));
        refused("comes immediately after a function call", ASK, SAID, responses("f", "g"));
        refused("comes immediately after a function call", responses("f", "g"));
        refused("is equal to the number", ASK, calls("f", "g"), "{'role':'user','parts':[" + response("f") + "]}");
        refused("is equal to the number", ASK, calls("f", "g"), ASK);
        refused("'h' has no function call", ASK, calls("f", "g"), responses("f", "h"));
        refused("belong to model turns", "{'role':'user','parts':[{'functionCall':{'name':'f','args':{}}}]}");
    }

    @Test
    void idsMatchIfPresent() {
        String call = "{'role':'model','parts':[{'functionCall':{'id':'1','name':'f','args':{}}}]}";
        String response = "{'role':'user','parts':[{'functionResponse':{'id':'%s','name':'f','response':{}}}]}";
        taken(ASK, call, response.formatted("1"));
        refused("'f 2' has no function call", ASK, call, response.formatted("2"));
    }

    @Test
    void functionsHaveNamesAndObjects() {
        taken(ASK, call("_" + "n".repeat(63), "{}"), ownResponse("_" + "n".repeat(63), "{}"));
        taken(ASK, call("a.b:c-d", "{}"), ownResponse("a.b:c-d", "{}"));
        refused("Invalid function name", ASK, call("n".repeat(65), "{}"), ownResponse("n".repeat(65), "{}"));
        refused("Invalid function name", ASK, call("1a", "{}"), ownResponse("1a", "{}"));
        refused("args: not an object", ASK, call("f", "'{}'"), ownResponse("f", "{}"));
        refused("response: not an object", ASK, call("f", "{}"), ownResponse("f", "'4'"));
    }

    @Test
    void declarationsAndTheSystemInstructionAreChecked() {
        String tools = "{'tools':[{'functionDeclarations':[{'name':'%s'},{'name':'g'}]}],'contents':[";
        Judged.by(GeminiRules::violations, tools.formatted("f"), ASK).isTaken();
        Judged.by(GeminiRules::violations, tools.formatted("f g"), ASK).isRefusedFor("Invalid function name");
        Judged.by(GeminiRules::violations, tools.formatted("g"), ASK).isRefusedFor("Duplicate");
        String system = "{'systemInstruction':{'parts':[%s]},'contents':[";
        Judged.by(GeminiRules::violations, system.formatted("{'text':'Be kind'}"), ASK)
                .isTaken();
        Judged.by(GeminiRules::violations, system.formatted(""), ASK).isRefusedFor("must not be empty");
        Judged.by(GeminiRules::violations, system.formatted("{'text':''}"), ASK).isRefusedFor("text is required");
    }

    private static String call(String name, String arguments) {
        return "{'role':'model','parts':[{'functionCall':{'name':'%s','args':%s}}]}".formatted(name, arguments);
    }

    private static String ownResponse(String name, String response) {
        return "{'role':'user','parts':[{'functionResponse':{'name':'%s','response':%s}}]}".formatted(name, response);
    }

    private static String calls(String first, String second) {
        String part = "{'functionCall':{'name':'%s','args':{}}}";
        return "{'role':'model','parts':[" + part.formatted(first) + "," + part.formatted(second) + "]}";
    }

    private static String responses(String first, String second) {
        return "{'role':'user','parts':[" + response(first) + "," + response(second) + "]}";
    }

    private static String response(String name) {
        return "{'functionResponse':{'name':'" + name + "','response':{'result':'4'}}}";
    }

    private static void taken(String... contents) {
        Judged.by(GeminiRules::violations, "{'contents':[", contents).isTaken();
    }

    private static void refused(String reason, String... contents) {
        Judged.by(GeminiRules::violations, "{'contents':[", contents).isRefusedFor(reason);
    }
}
