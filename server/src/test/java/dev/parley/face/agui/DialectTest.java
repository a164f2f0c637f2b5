package dev.parley.face.agui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class DialectTest {
    private static RunAgentInput input(@Nullable String version) {
        return new RunAgentInput("t", "r", version, null, null, List.of(), List.of(), List.of(), null, List.of());
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static void assertOlder(String event, String expected) {
        assertThat(Dialect.BEFORE_1_0.adapt(json(event))).isEqualTo(json(expected));
        assertThat(Dialect.CURRENT.adapt(json(event))).isEqualTo(json(event));
    }

    @Test
    void clientsThatNameAVersionGetTheCurrentDialect() {
        assertThat(Dialect.of(input("1.0"))).isEqualTo(Dialect.CURRENT);
        assertThat(Dialect.of(input("1.7"))).isEqualTo(Dialect.CURRENT);
        assertThat(Dialect.of(input(null))).isEqualTo(Dialect.BEFORE_1_0);
    }

    @Test
    void cancelledIsAnErrorToOlderClients() {
        assertOlder(
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'cancelled'},'metadata':{'a':1}}",
                "{'type':'RUN_ERROR','message':'The run was cancelled.','code':'cancelled','metadata':{'a':1}}");
    }

    @Test
    void pendingCallsAreNotNamedToOlderClients() {
        assertOlder(
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'success','pendingToolCallIds':['c']}}",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'success'}}");
    }

    @Test
    void resultsAreTextsToOlderClients() {
        assertOlder(
                "{'type':'TOOL_CALL_RESULT','messageId':'m','toolCallId':'c','content':[{'type':'text','text':'a'},"
                        + "{'type':'image','source':{'type':'url','value':'u'}},{'type':'text','text':'b'}]}",
                "{'type':'TOOL_CALL_RESULT','messageId':'m','toolCallId':'c','content':'ab'}");
    }

    @Test
    void aSnapshotHasOnlyWhatOlderClientsKnow() {
        assertOlder(
                "{'type':'MESSAGES_SNAPSHOT','messages':["
                        + "{'id':'1','role':'user','content':[{'type':'text','text':'a'},"
                        + "{'type':'document','source':{'type':'file','value':'f'}},"
                        + "{'type':'image','source':{'type':'url','value':'u'}}]},"
                        + "{'id':'2','role':'tool','toolCallId':'c','content':[{'type':'text','text':'x'}]},"
                        + "{'id':'3','role':'assistant','content':'said'}]}",
                "{'type':'MESSAGES_SNAPSHOT','messages':["
                        + "{'id':'1','role':'user','content':[{'type':'text','text':'a'},"
                        + "{'type':'image','source':{'type':'url','value':'u'}}]},"
                        + "{'id':'2','role':'tool','toolCallId':'c','content':'x'},"
                        + "{'id':'3','role':'assistant','content':'said'}]}");
    }

    /** Events that both dialects know have the same form in both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r'}",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'interrupt','interrupts':[]}}",
                "{'type':'RUN_ERROR','message':'m','code':'c'}",
                "{'type':'TOOL_CALL_RESULT','messageId':'m','toolCallId':'c','content':'text'}",
                "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m','delta':'d'}"
            },
            quoteCharacter = '~')
    void otherEventsAreTheSameInBothDialects(String event) {
        assertOlder(event, event);
    }

    @Test
    void onlyTheListedTypesAreAdapted() {
        for (String type : List.of("RUN_FINISHED", "TOOL_CALL_RESULT", "MESSAGES_SNAPSHOT")) {
            assertThat(Dialect.BEFORE_1_0.adapts(type)).isTrue();
            assertThat(Dialect.CURRENT.adapts(type)).isFalse();
        }
        assertThat(Dialect.BEFORE_1_0.adapts("TEXT_MESSAGE_CONTENT")).isFalse();
    }
}
