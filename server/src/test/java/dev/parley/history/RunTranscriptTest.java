package dev.parley.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.RunGuard;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run's transcript is divided into messages as clients divide the stream. */
class RunTranscriptTest {
    private static List<Message> said(String... events) {
        RunGuard guard = new RunGuard("t", "r");
        guard.accept(new RunEvent.Started("t", "r"));
        for (String event : events) {
            AguiEvent read = AguiJson.readEvent(event.replace('\'', '"'));
            guard.accept(read);
        }
        return RunTranscript.of(guard.transcript().items());
    }

    private static String written(List<Message> messages) {
        return Json.MAPPER.writeValueAsString(messages).replace('"', '\'');
    }

    @Test
    void openTextIsItsTextSoFar() {
        assertThat(written(said(
                        "{'type':'TEXT_MESSAGE_START','messageId':'m1','role':'assistant','name':'Ann'}",
                        "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m1','delta':'one '}",
                        "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m1','delta':'two'}")))
                .isEqualTo("[{'id':'m1','role':'assistant','content':'one two','name':'Ann'}]");
    }

    @Test
    void callBelongsToItsMessageOrIsOne() {
        assertThat(written(said(
                        "{'type':'TEXT_MESSAGE_START','messageId':'m1'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c1','toolCallName':'look','parentMessageId':'m1'}",
                        "{'type':'TOOL_CALL_ARGS','toolCallId':'c1','delta':'{}'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c2','toolCallName':'pick'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c3','toolCallName':'see','parentMessageId':'m9'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c4','toolCallName':'see','parentMessageId':'m9'}")))
                .isEqualTo("[{'id':'m1','role':'assistant','content':'','toolCalls':["
                        + "{'id':'c1','type':'function','function':{'name':'look','arguments':'{}'}}]},"
                        + "{'id':'c2','role':'assistant','toolCalls':["
                        + "{'id':'c2','type':'function','function':{'name':'pick','arguments':''}}]},"
                        + "{'id':'m9','role':'assistant','toolCalls':["
                        + "{'id':'c3','type':'function','function':{'name':'see','arguments':''}},"
                        + "{'id':'c4','type':'function','function':{'name':'see','arguments':''}}]}]");
    }

    @Test
    void textsOfOtherRolesThoughtsAndResultsAreMessagesOfTheirOwn() {
        assertThat(said(
                        "{'type':'REASONING_START','messageId':'s1'}",
                        "{'type':'REASONING_MESSAGE_START','messageId':'t1','role':'reasoning'}",
                        "{'type':'REASONING_MESSAGE_CONTENT','messageId':'t1','delta':'hm'}",
                        "{'type':'TEXT_MESSAGE_START','messageId':'m1','role':'user'}",
                        "{'type':'TEXT_MESSAGE_START','messageId':'m2','role':'system'}",
                        "{'type':'TEXT_MESSAGE_START','messageId':'m3','role':'developer'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c1','toolCallName':'look'}",
                        "{'type':'TOOL_CALL_END','toolCallId':'c1'}",
                        "{'type':'TOOL_CALL_RESULT','messageId':'r1','toolCallId':'c1','content':'seen'}"))
                .extracting(message -> message.role() + " " + message.id())
                .containsExactly("reasoning t1", "user m1", "system m2", "developer m3", "assistant c1", "tool r1");
    }

    /** A result may have the id of a text; neither replaces the other. */
    @Test
    void messagesOfDifferentKindsMayShareAnId() {
        assertThat(said(
                        "{'type':'TEXT_MESSAGE_START','messageId':'x'}",
                        "{'type':'TOOL_CALL_START','toolCallId':'c1','toolCallName':'look'}",
                        "{'type':'TOOL_CALL_END','toolCallId':'c1'}",
                        "{'type':'TOOL_CALL_RESULT','messageId':'x','toolCallId':'c1','content':'seen'}"))
                .extracting(Message::role)
                .containsExactly("assistant", "assistant", "tool");
    }

    @Test
    void ownerAndMetadataAreKept() {
        List<Message> said = said(
                "{'type':'SUBAGENT_STARTED','subagentRunId':'s1','name':'One'}",
                "{'type':'TEXT_MESSAGE_START','messageId':'m1','subagentRunId':'s1','metadata':{'a':1,'b':1}}",
                "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m1','delta':'x','subagentRunId':'s1','metadata':{'b':2}}");
        assertThat(said.getFirst().subagentRunId()).isEqualTo("s1");
        assertThat(said.getFirst().metadata()).isEqualTo(Json.MAPPER.readTree("{\"a\":1,\"b\":2}"));
    }

    @Test
    void emptyTranscriptHasNoMessages() {
        assertThat(said("{'type':'STEP_STARTED','stepName':'intent'}")).isEmpty();
    }
}
