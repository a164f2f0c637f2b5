package dev.parley.protocol.agui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A known member of the wrong type is refused by its path; an unknown one is ignored. */
class StrictReadingTest {
    /** Members that hold any JSON, so that no type is wrong for them. */
    private static final List<String> ANY = List.of(
            "rawEvent", "snapshot", "event", "value", "result", "state", "parameters", "payload", "forwardedProps");

    static List<String> events() {
        return Lines.of("events.jsonl");
    }

    static List<String> inputs() {
        List<String> inputs = new ArrayList<>(Lines.of("inputs.jsonl"));
        inputs.add("{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[" + String.join(",", Lines.of("messages.jsonl"))
                + "]}");
        return inputs;
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyKnownMemberOfAnEventRefusesAWrongType(String wire) {
        JsonNode json = Json.MAPPER.readTree(wire);
        assertEachWrongTypeIsNamed(json, json, "", changed -> AguiJson.readEvent(changed, ""));
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void everyKnownMemberOfAnInputRefusesAWrongType(String wire) {
        JsonNode json = Json.MAPPER.readTree(wire);
        assertEachWrongTypeIsNamed(json, json, "", AguiJson::readInput);
    }

    /** Puts a value of a wrong type into each member in turn, and restores the member. */
    private static void assertEachWrongTypeIsNamed(JsonNode root, JsonNode at, String path, Reading reading) {
        if (at instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                String here = path.isEmpty() ? name : path + "." + name;
                JsonNode right = object.get(name);
                // RFC 6902 ignores a value in a remove operation.
                if (ANY.contains(name) && !here.endsWith("source.value") || here.endsWith("].value")) {
                    continue;
                }
                if (name.equals("usage") || name.equals("metadata") && path.contains("content[")) {
                    continue; // The usage of a run is never a fault; a part's metadata may be any JSON.
                }
                object.set(name, wrong(right));
                assertThat(faults(() -> reading.read(root))).as(root.toString()).contains(here);
                object.set(name, right);
                if (!name.equals("metadata") && !name.equals("responseSchema") && !isActivityContent(object, name)) {
                    assertEachWrongTypeIsNamed(root, right, here, reading);
                }
            }
        } else if (at instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                assertEachWrongTypeIsNamed(root, array.get(i), path + "[" + i + "]", reading);
            }
        }
    }

    private static boolean isActivityContent(ObjectNode holder, String name) {
        return name.equals("content") && holder.has("activityType");
    }

    /** A value that no member of that type can have. A number is no text, and no text is a number. */
    private static JsonNode wrong(JsonNode right) {
        return Json.MAPPER.readTree(right.isString() || right.isContainer() ? "7.5" : "\"7\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|type|is required",
                "{'type':7}|type|must be a text",
                "[]|body|must be an object",
                "{'type':'RUN_STARTED','runId':'r'}|threadId|is required",
                "{'type':'RUN_STARTED','threadId':null,'runId':'r'}|threadId|is required",
                "{'type':'RUN_STARTED','threadId':'t','runId':'r','timestamp':1.0}|timestamp|must be a whole number in range",
                "{'type':'RUN_STARTED','threadId':'t','runId':'r','timestamp':9007199254740992}|timestamp|must be a whole number in range",
                "{'type':'RUN_STARTED','threadId':'t','runId':'r','input':{'threadId':'t','runId':'r'}}|input.messages|is required",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'maybe'}}|outcome.type|must be one of cancelled, interrupt, success",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{}}|outcome.type|is required",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'interrupt','interrupts':[]}}|outcome.interrupts|must not be empty",
                "{'type':'RUN_FINISHED','threadId':'t','runId':'r','outcome':{'type':'success','pendingToolCallIds':['a',null]}}|outcome.pendingToolCallIds[1]|is required",
                "{'type':'TEXT_MESSAGE_START','messageId':'m','role':'tool'}|role|must be one of assistant, developer, system, user",
                "{'type':'TEXT_MESSAGE_CONTENT','messageId':'m','delta':null}|delta|is required",
                "{'type':'TOOL_CALL_RESULT','messageId':'m','toolCallId':'c','content':{}}|content|must be a text or a list of parts",
                "{'type':'TOOL_CALL_RESULT','messageId':'m','toolCallId':'c','content':'x','role':'user'}|role|must be tool",
                "{'type':'STATE_SNAPSHOT'}|snapshot|is required",
                "{'type':'STATE_DELTA','delta':{}}|delta|must be a list",
                "{'type':'STATE_DELTA','delta':[{'op':'add','path':'/a'}]}|delta[0].value|is required",
                "{'type':'STATE_DELTA','delta':[{'op':'add','path':'a','value':1}]}|delta[0].path|must be a JSON Pointer such as /a/0",
                "{'type':'STATE_DELTA','delta':[{'op':'remove','path':'/a~2'}]}|delta[0].path|must be a JSON Pointer such as /a/0",
                "{'type':'STATE_DELTA','delta':[{'op':'move','path':'/a'}]}|delta[0].from|is required",
                "{'type':'STATE_DELTA','delta':[{'op':'jump','path':'/a'}]}|delta[0].op|must be one of add, copy, move, remove, replace, test",
                "{'type':'ACTIVITY_SNAPSHOT','messageId':'m','activityType':'a','content':[]}|content|must be an object",
                "{'type':'REASONING_MESSAGE_START','messageId':'m'}|role|is required",
                "{'type':'REASONING_MESSAGE_START','messageId':'m','role':'assistant'}|role|must be reasoning",
                "{'type':'SUBAGENT_STARTED','name':'n'}|subagentRunId|is required",
                "{'type':'CUSTOM','name':'n'}|value|is required",
                "{'type':'MESSAGES_SNAPSHOT','messages':[{'id':'a','role':'user','content':'x'},{'id':'b','role':'robot'}]}|messages[1].role|must be one of activity, assistant, developer, reasoning, system, tool, user",
                "{'type':'MESSAGES_SNAPSHOT','messages':[{'id':'a','role':'user','content':[{'type':'hologram'}]}]}|messages[0].content[0].type|must be one of audio, binary, document, image, text, video",
                "{'type':'MESSAGES_SNAPSHOT','messages':[{'id':'a','role':'user','content':[{'type':'image','source':{'type':'data','value':'x'}}]}]}|messages[0].content[0].source.mimeType|is required",
                "{'type':'MESSAGES_SNAPSHOT','messages':[null]}|messages[0]|is required",
            })
    void faultsAreNamedByTheirPath(String wire, String field, String message) {
        List<FieldError> errors = errors(() -> AguiJson.readEvent(wire.replace('\'', '"')));
        assertThat(errors).containsExactly(new FieldError(field, message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "\"x\"", "{}", "null", "[null, 7, []]"})
    void usageOfAnotherShapeIsIgnored(String usage) {
        RunEvent end =
                (RunEvent) AguiJson.readEvent("{\"type\":\"RUN_ERROR\",\"message\":\"m\",\"usage\":" + usage + "}");
        assertThat(end.usage()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "\"7\"", "9007199254740992", "1e400", "null"})
    void usageThatIsNoCountIsUnknown(String count) {
        RunEvent end = (RunEvent) AguiJson.readEvent("{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\","
                + "\"usage\":[{\"model\":7,\"inputTokens\":" + count + ",\"outputTokens\":9007199254740991}]}");
        assertThat(end.usage())
                .containsExactly(new TokenUsage(null, null, null, 9007199254740991L, null, null, null, null));
    }

    @Test
    void allFaultsOfADocumentAreNamedAtOnceButNotWithoutEnd() {
        assertThat(faults(() -> AguiJson.readInput(Json.MAPPER.readTree("""
                        {"threadId":1,"messages":[{"role":"user"},{"id":"a","role":"tool","content":"x"}],
                         "tools":[{"description":"d"}],"context":[{"value":"v"}],
                         "resume":[{"interruptId":"i","status":"maybe"}]}"""))))
                .containsExactly(
                        "threadId",
                        "runId",
                        "messages[0].id",
                        "messages[0].content",
                        "messages[1].toolCallId",
                        "tools[0].name",
                        "context[0].description",
                        "resume[0].status");
        String many = "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[" + "7,".repeat(9_999) + "7]}";
        assertThat(faults(() -> AguiJson.readInput(Json.MAPPER.readTree(many)))).hasSize(50);
    }

    @Test
    void theMapperNamesTheWholePath() {
        assertThat(catchThrowableOfType(
                                RuntimeException.class,
                                () -> Json.MAPPER.readValue(
                                        "{\"first\":1,\"events\":[{\"type\":\"RUN_ERROR\",\"message\":\"x\"},{\"type\":\"RUN_ERROR\"}]}",
                                        Pushed.class))
                        .getCause())
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.errors())
                                .containsExactly(new FieldError("events[1].message", "is required")));
        assertThat(faults(() -> Json.MAPPER.readValue("{\"threadId\":\"t\",\"runId\":\"r\"}", RunAgentInput.class)))
                .containsExactly("messages");
    }

    @Test
    void unknownMembersAreIgnoredAndNullsOfOptionalOnesAreAbsent() {
        assertThat(
                        AguiJson.readEvent(
                                "{\"later\":[{}],\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",\"role\":null,\"name\":null,\"subagentRunId\":null,\"timestamp\":null,\"rawEvent\":null,\"metadata\":null}"))
                .isEqualTo(new TextEvent.Start("m", null, null, null, Common.NONE));
        assertThat(Json.MAPPER.readValue("""
                        {"id":"a","role":"assistant","content":null,"name":null,"toolCalls":null,"encryptedValue":null,"x":1}
                        """, Message.class))
                .isEqualTo(new Message.Assistant("a", null, null, List.of(), null, null, null));
        assertThat(Json.MAPPER.readValue("""
                        {"threadId":"t","runId":"r","messages":[],"state":null,"tools":null,"context":null,
                         "forwardedProps":null,"resume":null,"parentRunId":null,"protocolVersion":null}
                        """, RunAgentInput.class))
                .isEqualTo(new RunAgentInput(
                        "t", "r", null, null, null, List.of(), List.of(), List.of(), null, List.of()));
    }

    @Test
    void everyNullThatTheAgentFaceKnowsIsAbsent() {
        assertThat(AguiJson.readInput(Json.MAPPER.readTree("""
                        {"threadId":"t","runId":"r","messages":[
                          {"id":"u","role":"user","content":"x","name":null,"encryptedValue":null,"metadata":null},
                          {"id":"a","role":"assistant","content":null,"name":null,"encryptedValue":null,"toolCalls":[
                            {"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"encryptedValue":null}]},
                          {"id":"t","role":"tool","content":"x","toolCallId":"c","error":null,"encryptedValue":null},
                          {"id":"s","role":"system","content":"x","name":null,"encryptedValue":null},
                          {"id":"b","role":"user","content":[{"type":"binary","mimeType":"image/png","id":null,"url":null,
                            "data":null,"filename":null},{"type":"text","text":"x","id":null,"metadata":null}]}],
                         "tools":[{"name":"f","description":"d","parameters":null,"metadata":null}]}""")))
                .isEqualTo(new RunAgentInput(
                        "t",
                        "r",
                        null,
                        null,
                        null,
                        List.of(
                                new Message.User("u", "x"),
                                new Message.Assistant(
                                        "a", null, null, List.of(new ToolCall("c", "f", "{}")), null, null, null),
                                new Message.Tool("t", new Content.Text("x"), "c", null, null, null, null),
                                new Message.SystemPrompt("s", "x", null, null, null, null),
                                new Message.User(
                                        "b",
                                        new Content.Parts(List.of(
                                                new ContentPart.Binary("image/png", null, null, null, null),
                                                new ContentPart.Text("x"))),
                                        null,
                                        null,
                                        null,
                                        null)),
                        List.of(new Tool("f", "d", null, null)),
                        List.of(),
                        null,
                        List.of()));
    }

    @Test
    void aMemberOfAnotherEventIsUnknownToThisOne() {
        assertThat(AguiJson.readEvent("{\"type\":\"RUN_ERROR\",\"message\":\"x\",\"subagentRunId\":7}"))
                .isEqualTo(new RunEvent.Failed("x", null));
    }

    @Test
    void unknownTypeIsAnUnknownEventWithItsName() {
        String wire = "{\"type\":\"META_EVENT\",\"b\":null,\"a\":1.0}";
        AguiEvent event = AguiJson.readEvent(wire);
        assertThat(event).isInstanceOf(UnknownEvent.class);
        assertThat(event.type()).isEqualTo("META_EVENT");
        assertThat(AguiJson.write(event)).isEqualTo(wire);
    }

    @Test
    void invalidJsonIsRefusedAsSuch() {
        for (String wire : List.of("", "[DONE]", "{\"type\":", "{} {}", "{\"type\":\"RAW\",\"type\":\"RAW\"}")) {
            assertThat(catchThrowableOfType(ProblemException.class, () -> AguiJson.readEvent(wire)))
                    .as(wire)
                    .isNotNull();
        }
    }

    @Test
    void theAttachmentExampleOfTheAgentFaceIsRead() {
        RunAgentInput input = Json.MAPPER.readValue("""
                {"threadId" : "thread-123" , "runId" : "run-456" , "messages" : [ { "id" : "msg-1" , "role" : "user" ,
                 "content" : [ { "type" : "text" , "text" : "帮我看看这张图" } , { "type" : "binary" ,
                 "mimeType" : "image/jpeg" , "url" : "https://xxx.supabase.co/storage/v1/object/sign/a/b.jpg?token=x" } ] } ] }
                """, RunAgentInput.class);
        assertThat(input.tools()).isEmpty();
        assertThat(((Message.User) input.messages().getFirst()).content())
                .isEqualTo(new Content.Parts(List.of(
                        new ContentPart.Text("帮我看看这张图"),
                        new ContentPart.Binary(
                                "image/jpeg",
                                null,
                                "https://xxx.supabase.co/storage/v1/object/sign/a/b.jpg?token=x",
                                null,
                                null))));
    }

    @Test
    void allTextOfAContentIsItsPartsTogether() {
        assertThat(((Message.User)
                                Json.MAPPER.readValue(Lines.of("messages.jsonl").get(2), Message.class))
                        .content()
                        .plainText())
                .isEqualTo("lookagain");
    }

    private static List<String> faults(Runnable reading) {
        return errors(reading).stream().map(FieldError::field).toList();
    }

    private static List<FieldError> errors(Runnable reading) {
        return catchThrowableOfType(ProblemException.class, reading::run).errors();
    }

    private interface Reading {
        Object read(JsonNode json);
    }

    private record Pushed(long first, List<AguiEvent> events) {}
}
