package dev.parley.testkit.models;

import org.junit.jupiter.api.Test;

class OllamaRulesTest {
    private static final String ASK = "{'role':'user','content':'Hi'}";
    private static final String CALL =
            "{'role':'assistant','content':'','tool_calls':[{'function':{'name':'f','arguments':{}}}]}";
    private static final String RESULT = "{'role':'tool','content':'4'}";

    @Test
    void rolesAreKnownAndContentIsThere() {
        taken("{'role':'system','content':'Be kind'}", ASK, "{'role':'assistant','content':'Hello'}", ASK);
        taken("{'role':'user','content':'','images':['AA==']}");
        refused("invalid role 'developer'", "{'role':'developer','content':'Hi'}");
        refused("empty content", "{'role':'user','content':''}");
        refused("cannot unmarshal content", "{'role':'user','content':[]}");
        refused("illegal base64", "{'role':'user','content':'Look','images':['data:image/png;base64,AA']}");
        refused("must not be empty");
        Judged.by(OllamaRules::violations, "{'messages':[", ASK).isRefusedFor("model is required");
    }

    @Test
    void everyCallHasItsResultDirectlyAfter() {
        taken(ASK, CALL, RESULT, CALL, RESULT, ASK);
        refused("without its call", ASK, RESULT);
        refused("without its call", ASK, CALL, RESULT, RESULT);
        refused("missing before", ASK, CALL, ASK);
        refused("missing at the end", ASK, CALL);
    }

    @Test
    void callsHaveNamesAndObjects() {
        refused("only the assistant", CALL.replace("assistant", "user"), RESULT);
        refused("without name", ASK, CALL.replace("'f'", "''"), RESULT);
        refused("cannot unmarshal arguments", ASK, CALL.replace("{}", "'{}'"), RESULT);
    }

    private static void taken(String... messages) {
        Judged.by(OllamaRules::violations, "{'model':'m','messages':[", messages)
                .isTaken();
    }

    private static void refused(String reason, String... messages) {
        Judged.by(OllamaRules::violations, "{'model':'m','messages':[", messages)
                .isRefusedFor(reason);
    }
}
