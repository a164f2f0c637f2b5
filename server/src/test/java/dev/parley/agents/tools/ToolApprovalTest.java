package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Turn;
import dev.parley.agents.tools.ToolApproval.Decision;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.ResumeEntry;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ToolApprovalTest {
    private static final UUID RUN = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");
    private static final String CALL = "call_1";
    private static final ObjectNode ARGUMENTS = json("{\"path\":\"/a\",\"options\":{\"x\":1,\"y\":[true,null]}}");
    private static final ServerTool TOOL = new ServerTool("files__write", "files", "write", "", json("{}"), true);
    private static final String YES = "{\"approved\":true}";

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text);
    }

    private static Interrupt asked() {
        return ToolApproval.ask(RUN, CALL, TOOL, ARGUMENTS);
    }

    private static Turn.Answer answer(Interrupt asked, ResumeEntry.Status status, @Nullable String payload) {
        return new Turn.Answer(
                asked,
                new ResumeEntry(asked.id(), status, payload == null ? null : Json.MAPPER.readTree(payload), null),
                RUN,
                null);
    }

    private static Decision judge(Interrupt asked) {
        return ToolApproval.judge(answer(asked, ResumeEntry.Status.RESOLVED, YES), RUN, CALL, TOOL.name(), ARGUMENTS);
    }

    @Test
    void questionNamesToolAndArgumentsAndIsTheSameForTheSameCall() {
        Interrupt asked = asked();
        assertThat(asked).isEqualTo(asked());
        assertThat(asked.reason()).isEqualTo("tool_approval");
        assertThat(asked.toolCallId()).isEqualTo(CALL);
        assertThat(asked.message())
                .isEqualTo("May the tool write of files be called with these arguments? "
                        + "{\"path\":\"/a\",\"options\":{\"x\":1,\"y\":[true,null]}}");
        assertThat(asked.responseSchema())
                .isEqualTo(json("{\"type\":\"object\",\"properties\":{\"approved\":{\"type\":\"boolean\"},"
                        + "\"reason\":{\"type\":\"string\"}},\"required\":[\"approved\"]}"));
        assertThat(asked.metadata())
                .isEqualTo(Json.MAPPER
                        .createObjectNode()
                        .put("task", RUN.toString())
                        .put("tool", "files__write")
                        .put("arguments_hash", ToolApproval.hash(ARGUMENTS)));
        assertThat(ToolApproval.ask(RUN, "call_2", TOOL, ARGUMENTS).id()).isNotEqualTo(asked.id());
        assertThat(ToolApproval.ask(UUID.randomUUID(), CALL, TOOL, ARGUMENTS).id())
                .isNotEqualTo(asked.id());
    }

    @Test
    void questionShowsInvisibleCharacters() {
        String message = ToolApproval.ask(RUN, CALL, TOOL, json("{\"path\":\"a\\u202eb\\u200bc\\u2028d\\ne\"}"))
                .message();
        assertThat(message).endsWith("{\"path\":\"a\\u{202e}b\\u{200b}c\\u{2028}d\\ne\"}");
    }

    @ParameterizedTest
    @CsvSource({"1993,false", "1994,true"})
    void longArgumentsAreMarkedAsCut(int length, boolean cut) {
        ObjectNode arguments = Json.MAPPER.createObjectNode().put("a", "好".repeat(length - 1));
        String message = ToolApproval.ask(RUN, CALL, TOOL, arguments).message();
        assertThat(String.valueOf(message).endsWith("(they are longer than can be shown here)"))
                .isEqualTo(cut);
    }

    @Test
    void aYesToThisCallApprovesIt() {
        assertThat(judge(asked())).isEqualTo(new Decision.Approved());
    }

    @Test
    void theOrderOfMembersDoesNotMatter() {
        ObjectNode sorted = json("{\"options\":{\"y\":[true,null],\"x\":1},\"path\":\"/a\"}");
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.RESOLVED, YES), RUN, CALL, TOOL.name(), sorted))
                .isEqualTo(new Decision.Approved());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"path\":\"/b\",\"options\":{\"x\":1,\"y\":[true,null]}}",
                "{\"path\":\"/a\",\"options\":{\"x\":1.0,\"y\":[true,null]}}",
                "{\"path\":\"/a\",\"options\":{\"x\":\"1\",\"y\":[true,null]}}",
                "{\"path\":\"/a\",\"options\":{\"x\":1,\"y\":[null,true]}}",
                "{\"path\":\"/a\",\"options\":{\"x\":1,\"y\":[true]}}",
                "{\"path\":\"/a\",\"options\":{\"x\":1,\"y\":[true,null]},\"more\":null}",
                "{\"path\":\"/a\\u200b\",\"options\":{\"x\":1,\"y\":[true,null]}}"
            })
    void otherArgumentsAreNotApproved(String arguments) {
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.RESOLVED, YES), RUN, CALL, TOOL.name(), json(arguments)))
                .isEqualTo(new Decision.Voided("The answer is about other arguments."));
    }

    @Test
    void anotherRunCallOrToolIsNotApproved() {
        Turn.Answer yes = answer(asked(), ResumeEntry.Status.RESOLVED, YES);
        assertThat(ToolApproval.judge(yes, UUID.randomUUID(), CALL, TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Voided("The answer is about another run."));
        assertThat(ToolApproval.judge(yes, RUN, "call_2", TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Voided("The answer is about another call."));
        assertThat(ToolApproval.judge(yes, RUN, CALL, "files__delete", ARGUMENTS))
                .isEqualTo(new Decision.Voided("The answer is about another tool."));
    }

    @Test
    void answerToAnotherQuestionIsVoid() {
        Interrupt asked = asked();
        Interrupt other = new Interrupt(asked.id(), "approval", null, CALL, null, null, asked.metadata(), null);
        assertThat(judge(other)).isInstanceOf(Decision.Voided.class);
        Interrupt bare = new Interrupt(asked.id(), ToolApproval.REASON, null, CALL, null, null, null, null);
        assertThat(judge(bare)).isInstanceOf(Decision.Voided.class);
        Turn.Answer crossed = new Turn.Answer(
                asked,
                new ResumeEntry("approval-x", ResumeEntry.Status.RESOLVED, Json.MAPPER.readTree(YES), null),
                RUN,
                null);
        assertThat(ToolApproval.judge(crossed, RUN, CALL, TOOL.name(), ARGUMENTS))
                .isInstanceOf(Decision.Voided.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"approved\":false}",
                "{\"approved\":\"true\"}",
                "{\"approved\":1}",
                "{\"approved\":null}",
                "{\"approved\":{}}",
                "{\"Approved\":true}",
                "true",
                "\"approved\"",
                "[true]"
            })
    void onlyAPlainYesApproves(String payload) {
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.RESOLVED, payload), RUN, CALL, TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Declined(null));
    }

    @Test
    void cancelledOrUnansweredQuestionIsDeclined() {
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.CANCELLED, YES), RUN, CALL, TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Declined(null));
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.RESOLVED, null), RUN, CALL, TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Declined(null));
    }

    @Test
    void reasonIsOneLine() {
        String payload = "{\"approved\":false,\"reason\":\"not\\nthat\\u202e file\"}";
        assertThat(ToolApproval.judge(
                        answer(asked(), ResumeEntry.Status.RESOLVED, payload), RUN, CALL, TOOL.name(), ARGUMENTS))
                .isEqualTo(new Decision.Declined("not that file"));
    }
}
