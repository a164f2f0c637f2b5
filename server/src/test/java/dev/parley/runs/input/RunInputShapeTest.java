package dev.parley.runs.input;

import static dev.parley.runs.input.CheckedInputs.body;
import static dev.parley.runs.input.CheckedInputs.changed;
import static dev.parley.runs.input.CheckedInputs.check;
import static dev.parley.runs.input.CheckedInputs.message;
import static dev.parley.runs.input.CheckedInputs.refusal;
import static dev.parley.runs.input.CheckedInputs.sentence;
import static dev.parley.runs.input.CheckedInputs.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of the wrong shape: each refusal names the field. */
class RunInputShapeTest {
    private static final String THREAD_ID = "threadId must be a valid UUID";
    private static final String RUN_ID_MISSING = "runId is required";

    @Test
    void misspeltIdIsNamedInTheErrors() {
        ProblemException thread = refusal(changed(b -> b.set("thread_id", b.remove("threadId"))));
        assertThat(thread.detail()).isEqualTo(THREAD_ID);
        assertThat(thread.errors())
                .containsExactly(new FieldError("thread_id", "is not known; did you mean threadId?"));
        ProblemException run = refusal(changed(b -> b.set("RunID", b.remove("runId"))));
        assertThat(run.detail()).isEqualTo(RUN_ID_MISSING);
        assertThat(run.errors()).containsExactly(new FieldError("RunID", "is not known; did you mean runId?"));
        assertThat(refusal(changed(b -> b.put("threadId", "x").put("thread_id", "y")))
                        .errors())
                .as("the id is there, and wrong")
                .isEmpty();
        assertThat(refusal(changed(b -> b.set("parentRunId", b.remove("runId"))))
                        .errors())
                .as("a known member misspells no other")
                .isEmpty();
    }

    @Test
    void idsOfAnotherTypeAreNamedAsFields() {
        ProblemException thread = refusal(changed(b -> b.put("threadId", 5)));
        assertThat(thread.errors()).containsExactly(new FieldError("threadId", "must be a valid UUID"));
        assertThat(thread.detail()).isEqualTo(THREAD_ID);
        assertThat(refusal(changed(b -> b.putArray("runId"))).errors())
                .containsExactly(new FieldError("runId", "must be a text"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {} | messages | is required
            {"messages":null} | messages | is required
            {"messages":{}} | messages | must be a list
            {"messages":[null]} | messages[0] | is required
            {"messages":[{"role":"user","content":"x"}]} | messages[0].id | is required
            {"messages":[{"id":"","role":"user","content":"x"}]} | messages[0].id | must not be empty
            {"messages":[{"id":"u","role":"user"}]} | messages[0].content | is required
            {"messages":[{"id":"u","role":"user","content":7}]} | messages[0].content | must be a text or a list of parts
            {"messages":[{"id":"u","role":"robot","content":"x"}]} | messages[0].role | must be one of activity, assistant, developer, reasoning, system, tool, user
            {"messages":[{"id":"t","role":"tool","content":"x"}]} | messages[0].toolCallId | is required
            {"messages":[],"tools":[{"description":"d"}]} | tools[0].name | is required
            {"messages":[],"tools":[{"name":" ","description":"d"}]} | tools[0].name | must not be empty
            {"messages":[],"tools":[{"name":"f"}]} | tools[0].description | is required
            {"messages":[],"tools":[{"name":"f","description":"d","parameters":[]}]} | tools[0].parameters | must be an object
            {"messages":[],"context":[{"value":"v"}]} | context[0].description | is required
            {"messages":[],"context":{}} | context | must be a list
            {"messages":[],"parentRunId":7} | parentRunId | must be a text
            {"messages":[],"forwardedProps":{"multitaskStrategy":"ENQUEUE"}} | forwardedProps.multitaskStrategy | must be one of enqueue, interrupt, reject, rollback
            {"messages":[],"forwardedProps":{"agentId":[]}} | forwardedProps.agentId | must be a text
            {"messages":[{"id":"u","role":"user","content":"a\\u0000b"}]} | messages[0].content | contains a character that cannot be stored (U+0000 or half of a surrogate pair)
            {"messages":[{"id":"u","role":"user","content":[{"type":"text","text":"\\ud83d"}]}]} | messages[0].content[0].text | contains a character that cannot be stored (U+0000 or half of a surrogate pair)
            {"messages":[],"runId":"\\udc4b"} | runId | contains a character that cannot be stored (U+0000 or half of a surrogate pair)
            {"messages":[],"state":{"a":[{"k\\u0000":1}]}} | state.a[0] | contains a character that cannot be stored (U+0000 or half of a surrogate pair)
            [] | body | must be an object
            """)
    void wrongShapeIsNamedByItsFieldBeforeAnyRule(String body, String field, String message) {
        ProblemException refused = refusal(Json.MAPPER.readTree(body));
        assertThat(refused.problem()).isEqualTo(Problem.INVALID_FIELDS);
        assertThat(refused.errors()).containsExactly(new FieldError(field, message));
    }

    @Test
    void messageIdHasUpTo128Characters() {
        assertThat(check(changed(b -> user(b).put("id", "👋".repeat(128))))).isNotNull();
        assertThat(refusal(changed(b -> user(b).put("id", "m".repeat(129)))).errors())
                .containsExactly(new FieldError("messages[0].id", "is longer than the limit of 128 characters"));
    }

    @Test
    void unknownMembersAreIgnored() {
        ObjectNode body =
                changed(b -> b.put("later", "\u0000").putObject("more").put("deep", "\ud800"));
        assertThat(check(body)).isEqualTo(check(body()));
    }

    @Test
    void nullEqualsAMissingMember() {
        ObjectNode body = body();
        for (String name : List.of("state", "tools", "context", "forwardedProps", "parentRunId", "resume")) {
            body.putNull(name);
        }
        assertThat(check(body)).isEqualTo(check(body()));
    }

    @Test
    void bodyIsNotChanged() {
        ObjectNode body = changed(b -> b.remove("runId"));
        String before = body.toString();
        assertThat(sentence(body)).isEqualTo(RUN_ID_MISSING);
        assertThat(body).hasToString(before);
    }
}
