package dev.parley.agents.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Mapping of a remote agent's single events, before the guard sees them. */
class RemoteEventsTest {
    /** A conversation with an answered tool call and an open one. */
    private final List<Message> sent = messages(
            "{'id':'u1','role':'user','content':'hi'}",
            "{'id':'msg-1','role':'assistant','content':'calling','toolCalls':["
                    + "{'id':'call-1','type':'function','function':{'name':'f','arguments':'{}'}},"
                    + "{'id':'call-2','type':'function','function':{'name':'g','arguments':'{}'}}]}",
            "{'id':'t1','role':'tool','toolCallId':'call-1','content':'done'}",
            "{'id':'u2','role':'user','content':'and now?'}");

    private final RemoteEvents events =
            new RemoteEvents("thread", "run", sent, "taken"::equals, text -> text.replace("hunter2", "****"));

    private static List<Message> messages(String... texts) {
        return Stream.of(texts)
                .map(text -> AguiJson.readMessage(Json.MAPPER.readTree(json(text)), ""))
                .toList();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private List<AguiEvent> read(String... frames) throws RemoteFailure {
        List<AguiEvent> read = new ArrayList<>();
        for (String frame : frames) {
            read.addAll(events.take(json(frame)));
        }
        return read;
    }

    /** The events as JSON. */
    private List<JsonNode> take(String... frames) throws RemoteFailure {
        return read(frames).stream()
                .map(event -> Json.MAPPER.readTree(AguiJson.write(event)))
                .toList();
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.get("type").asString()).toList();
    }

    private static List<String> all(List<JsonNode> events, String member) {
        return events.stream()
                .filter(event -> event.has(member))
                .map(event -> event.get(member).asString())
                .toList();
    }

    @Test
    void sloppyEventsAreRepaired() throws RemoteFailure {
        List<JsonNode> taken = take(
                "{'type':'TEXT_MESSAGE_START','messageId':'m','role':'tool','timestamp':1.5,'rawEvent':null,'name':null}",
                "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m','delta':null,'timestamp':'2026-11-15T09:00:00Z'}",
                "{'type':'TEXT_MESSAGE_END','messageId':'m','timestamp':1700000000000,'metadata':'x'}",
                "{'type':'TOOL_CALL_START','toolCallId':'c','toolCallName':'f','parentMessageId':''}",
                "{'type':'TOOL_CALL_ARGS','toolCallId':'c','delta':{'a':1}}",
                "{'type':'TOOL_CALL_END','toolCallId':'c','subagentRunId':null}",
                "{'type':'TOOL_CALL_RESULT','toolCallId':'c','content':{'ok':true},'role':'assistant'}",
                "{'type':'REASONING_MESSAGE_START','messageId':'r','role':'assistant'}");
        assertThat(taken).hasSize(8);
        assertThat(taken.get(0).has("timestamp")).isFalse();
        assertThat(taken.get(1).get("delta").asString()).isEmpty();
        assertThat(taken.get(2).get("timestamp").asLong()).isEqualTo(1_700_000_000_000L);
        assertThat(taken.get(4).get("delta").asString()).isEqualTo("{\"a\":1}");
        assertThat(taken.get(6).get("content").asString()).isEqualTo("{\"ok\":true}");
        assertThat(taken.get(6).get("messageId").asString()).isNotEmpty();
    }

    @Test
    void meaninglessEventsAreLeftOut() throws RemoteFailure {
        assertThat(read(
                        "",
                        " ",
                        "[DONE]",
                        "{'type':'META_EVENT','x':1}",
                        "{'type':'RUN_STARTED'}",
                        "{'type':'RUN_STARTED','threadId':7,'runId':null}"))
                .isEmpty();
    }

    @Test
    void thinkingEventsOfOldServersBecomeReasoning() throws RemoteFailure {
        List<JsonNode> taken = take(
                "{'type':'THINKING_START','title':'t'}",
                "{'type':'THINKING_TEXT_MESSAGE_START'}",
                "{'type':'THINKING_TEXT_MESSAGE_CONTENT','delta':'hm'}",
                "{'type':'THINKING_TEXT_MESSAGE_END'}",
                "{'type':'THINKING_END'}",
                "{'type':'THINKING_START'}",
                "{'type':'THINKING_END'}");
        assertThat(types(taken))
                .containsExactly(
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "REASONING_START",
                        "REASONING_END");
        List<String> ids = all(taken, "messageId");
        assertThat(ids.get(4)).isEqualTo(ids.get(0)).isNotEqualTo(ids.get(5));
        assertThat(ids.subList(1, 4)).containsOnly(ids.get(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ping",
                "{",
                "[]",
                "7",
                "{}",
                "{'type':7}",
                "{'type':'TEXT_MESSAGE_CONTENT','delta':'x'}",
                "{'type':'STATE_DELTA','delta':[{'op':'add','path':'no pointer','value':1}]}",
                "{'type':'MESSAGES_SNAPSHOT'}",
                "{'type':'MESSAGES_SNAPSHOT','messages':[{'role':'assistant','content':'x'}]}",
                "{'type':'RUN_FINISHED','outcome':{'type':'interrupt','interrupts':[]}}"
            })
    void invalidEventsAreRefused(String frame) {
        assertThatThrownBy(() -> read(frame))
                .isInstanceOfSatisfying(
                        RemoteFailure.class,
                        failure -> assertThat(failure.code()).isEqualTo("remote_protocol"));
    }

    @Test
    void idOfTheConversationIsReplacedConsistently() throws RemoteFailure {
        List<JsonNode> taken = take(
                "{'type':'TEXT_MESSAGE_START','messageId':'msg-1'}",
                "{'type':'TEXT_MESSAGE_CONTENT','messageId':'msg-1','delta':'x'}",
                "{'type':'TEXT_MESSAGE_END','messageId':'msg-1'}",
                "{'type':'TOOL_CALL_START','toolCallId':'call-1','toolCallName':'f','parentMessageId':'msg-1'}",
                "{'type':'TOOL_CALL_ARGS','toolCallId':'call-1','delta':'{}'}",
                "{'type':'TOOL_CALL_END','toolCallId':'call-1'}",
                "{'type':'TOOL_CALL_RESULT','messageId':'t1','toolCallId':'call-1','content':'r'}",
                "{'type':'TEXT_MESSAGE_CHUNK','messageId':'msg-2','delta':'y'}");
        List<String> messageIds = all(taken, "messageId");
        assertThat(messageIds.subList(0, 3)).containsOnly(messageIds.getFirst()).doesNotContain("msg-1");
        assertThat(all(taken, "parentMessageId")).containsExactly(messageIds.getFirst());
        assertThat(all(taken, "toolCallId"))
                .hasSize(4)
                .containsOnly(all(taken, "toolCallId").getFirst());
        assertThat(all(taken, "toolCallId")).doesNotContain("call-1");
        assertThat(messageIds.get(3)).isNotEqualTo("t1");
        assertThat(messageIds.get(4)).isEqualTo("msg-2");
    }

    @Test
    void aResultForAnOpenCallOfAnEarlierRunKeepsItsCall() throws RemoteFailure {
        assertThat(all(
                        take("{'type':'TOOL_CALL_RESULT','messageId':'n','toolCallId':'call-2','content':'late'}"),
                        "toolCallId"))
                .containsExactly("call-2");
    }

    @Test
    void resultThatTheAgentWasSentIsNotRepeated() throws RemoteFailure {
        assertThat(read("{'type':'TOOL_CALL_RESULT','messageId':'n','toolCallId':'call-1','content':'done'}"))
                .isEmpty();
    }

    @Test
    void reasoningNeverSharesAnIdWithOtherRuns() throws RemoteFailure {
        List<JsonNode> taken = take(
                "{'type':'REASONING_START','messageId':'r1'}",
                "{'type':'REASONING_MESSAGE_CHUNK','messageId':'r1','delta':'hm'}",
                "{'type':'REASONING_END','messageId':'r1'}",
                "{'type':'REASONING_ENCRYPTED_VALUE','subtype':'message','entityId':'r1','encryptedValue':'e'}");
        String id = taken.getFirst().get("messageId").asString();
        assertThat(id).isNotEqualTo("r1");
        assertThat(all(taken, "messageId")).containsOnly(id);
        assertThat(taken.getLast().get("entityId").asString()).isEqualTo(id);
    }

    @Test
    void idsThatCannotBeStoredBecomeTheirDigest() throws RemoteFailure {
        String fits = "x".repeat(128);
        String large = "x".repeat(129);
        List<JsonNode> taken = take(
                "{'type':'TEXT_MESSAGE_START','messageId':'" + fits + "'}",
                "{'type':'TEXT_MESSAGE_START','messageId':'" + large + "'}",
                "{'type':'TEXT_MESSAGE_END','messageId':'" + large + "'}",
                "{'type':'TEXT_MESSAGE_START','messageId':'a\\u0000'}");
        List<String> ids = all(taken, "messageId");
        assertThat(ids.get(0)).isEqualTo(fits);
        assertThat(ids.get(1)).hasSize(64).isEqualTo(ids.get(2)).isEqualTo(RemoteIds.storable(large));
        assertThat(ids.get(3)).hasSize(64);
    }

    @Test
    void interruptKeepsTheAgentsOwnId() throws RemoteFailure {
        String large = "i".repeat(200);
        RunEvent.Finished finished =
                (RunEvent.Finished) read("{'type':'RUN_FINISHED','outcome':{'type':'interrupt','interrupts':["
                                + "{'id':'" + large + "','reason':'approval'},{'id':'short','reason':'x'}]}}")
                        .getFirst();
        List<Interrupt> asked = ((Outcome.Interrupted) Objects.requireNonNull(finished.outcome())).interrupts();
        assertThat(asked.get(0).id()).hasSize(64);
        assertThat(RemoteIds.originalOf(asked.get(0))).isEqualTo(large);
        assertThat(asked.get(1).id()).isEqualTo("short");
        assertThat(RemoteIds.originalOf(asked.get(1))).isNull();
    }

    @Test
    void endNamesTheServersRunAndTheOpenCalls() throws RemoteFailure {
        JsonNode end = take(
                        "{'type':'TOOL_CALL_START','toolCallId':'a','toolCallName':'f'}",
                        "{'type':'TOOL_CALL_END','toolCallId':'a'}",
                        "{'type':'TOOL_CALL_RESULT','messageId':'r','toolCallId':'a','content':''}",
                        "{'type':'TOOL_CALL_CHUNK','toolCallId':'b','toolCallName':'g','delta':'{}'}",
                        "{'type':'RUN_FINISHED','threadId':'theirs','runId':'theirs','result':{'n':1},"
                                + "'usage':[{'inputTokens':3}]}")
                .getLast();
        assertThat(end)
                .isEqualTo(Json.MAPPER.readTree(json("{'type':'RUN_FINISHED','threadId':'thread','runId':'run',"
                        + "'result':{'n':1},'outcome':{'type':'success','pendingToolCallIds':['b']},"
                        + "'usage':[{'inputTokens':3}]}")));
    }

    @Test
    void errorPassesWithoutSecretsAndWithinItsLimit() throws RemoteFailure {
        assertThat(read("{'type':'RUN_ERROR','message':'bad token hunter2','code':'auth'}"))
                .containsExactly(new RunEvent.Failed("bad token ****", "auth"));
        assertThat(((RunEvent.Failed) read("{'type':'RUN_ERROR','message':'" + "x".repeat(5_000) + "'}")
                                .getFirst())
                        .message())
                .hasSize(2_001);
        assertThat(((RunEvent.Failed) read("{'type':'RUN_ERROR','message':null,'code':null}")
                                .getFirst())
                        .message())
                .isEqualTo("The remote agent failed.");
    }

    @Test
    void snapshotOfKnownMessagesAddsNothing() throws RemoteFailure {
        read(
                "{'type':'TEXT_MESSAGE_CHUNK','messageId':'new','delta':'Hel'}",
                "{'type':'TEXT_MESSAGE_CHUNK','delta':'lo'}",
                "{'type':'TOOL_CALL_CHUNK','toolCallId':'c','toolCallName':'f','delta':'{}'}",
                "{'type':'TOOL_CALL_RESULT','messageId':'tr','toolCallId':'c','content':'1'}");
        assertThat(read("{'type':'MESSAGES_SNAPSHOT','messages':["
                        + "{'id':'sys','role':'system','content':'be kind'},"
                        + "{'id':'u1','role':'user','content':'hi'},"
                        + "{'id':'their-own','role':'assistant','content':'calling'},"
                        + "{'id':'t1','role':'tool','toolCallId':'call-1','content':'done'},"
                        + "{'id':'u2','role':'user','content':'and now?'},"
                        + "{'id':'new','role':'assistant','content':'Hello','toolCalls':["
                        + "{'id':'c','type':'function','function':{'name':'f','arguments':'{}'}}]},"
                        + "{'id':'renamed','role':'assistant','content':'Hello'},"
                        + "{'id':'tr2','role':'tool','toolCallId':'c','content':'1'}]}"))
                .isEmpty();
        assertThat(read("{'type':'MESSAGES_SNAPSHOT','messages':[]}")).isEmpty();
    }

    @Test
    void snapshotAddsNewMessagesAsOrdinaryEvents() throws RemoteFailure {
        List<JsonNode> taken = take("{'type':'MESSAGES_SNAPSHOT','messages':["
                + "{'id':'u2','role':'user','content':'and now?'},"
                + "{'id':'dev','role':'developer','content':'x'},"
                + "{'id':'th','role':'reasoning','content':'hm'},"
                + "{'id':'a','role':'assistant','content':'Hello','toolCalls':["
                + "{'id':'c','type':'function','function':{'name':'f','arguments':'{\\u0022n\\u0022:1}'}}]},"
                + "{'id':'r','role':'tool','toolCallId':'c','content':'1','subagentRunId':'s'},"
                + "{'id':'b','role':'assistant','content':null,'toolCalls':["
                + "{'id':'d','type':'function','function':{'name':'g','arguments':{}}}]},"
                + "{'id':'act','role':'activity','activityType':'x','content':{}}]}");
        assertThat(types(taken))
                .containsExactly(
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END");
        assertThat(all(taken, "parentMessageId")).containsExactly("a", "b");
        assertThat(all(taken, "delta")).containsExactly("hm", "Hello", "{\"n\":1}", "{}");
        assertThat(all(taken, "subagentRunId")).containsExactly("s");
        // A later snapshot that repeats the messages adds nothing.
        assertThat(read("{'type':'MESSAGES_SNAPSHOT','messages':[{'id':'u2','role':'user','content':'x'},"
                        + "{'id':'th','role':'reasoning','content':'hm'},"
                        + "{'id':'a','role':'assistant','content':'Hello'}]}"))
                .isEmpty();
    }

    @Test
    void callAddedByASnapshotBelongsToTheStreamedMessage() throws RemoteFailure {
        read("{'type':'TEXT_MESSAGE_CHUNK','messageId':'streamed','delta':'Hello'}");
        List<JsonNode> taken = take("{'type':'MESSAGES_SNAPSHOT','messages':["
                + "{'id':'restated','role':'assistant','content':'Hello','toolCalls':["
                + "{'id':'c','type':'function','function':{'name':'f','arguments':''}}]}]}");
        assertThat(all(taken, "parentMessageId")).containsExactly("streamed");
    }

    @Test
    void argumentsOnlyInTheSnapshotAreTakenOnce() throws RemoteFailure {
        read(
                "{'type':'TOOL_CALL_START','toolCallId':'c','toolCallName':'f','parentMessageId':'p'}",
                "{'type':'TOOL_CALL_END','toolCallId':'c'}");
        String snapshot = "{'type':'MESSAGES_SNAPSHOT','messages':[{'id':'p','role':'assistant','toolCalls':["
                + "{'id':'c','type':'function','function':{'name':'f','arguments':'{}'}}]}]}";
        List<JsonNode> taken = take(snapshot);
        assertThat(types(taken)).containsExactly("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END");
        assertThat(all(taken, "toolCallId")).containsOnly("c");
        assertThat(read(snapshot)).isEmpty();
    }

    @Test
    void emptyAndTakenIdsAreReplacedAndTheSecretIsHidden() throws RemoteFailure {
        List<JsonNode> taken = new ArrayList<>(take("{'type':'TEXT_MESSAGE_START','messageId':''}"));
        taken.addAll(take("{'type':'TEXT_MESSAGE_CONTENT','messageId':'','delta':'hunter2'}"));
        taken.addAll(take("{'type':'TEXT_MESSAGE_START','messageId':'taken'}"));
        assertThat(all(taken, "messageId")).doesNotContain("", "taken");
        assertThat(all(taken, "messageId").getFirst())
                .isEqualTo(all(taken, "messageId").get(1));
        assertThat(all(taken, "delta")).containsExactly("****");
        assertThat(take("{'type':'RUN_ERROR','message':'no','code':'hunter2'}")
                        .getFirst()
                        .path("code")
                        .asString())
                .isEqualTo("****");
    }
}
