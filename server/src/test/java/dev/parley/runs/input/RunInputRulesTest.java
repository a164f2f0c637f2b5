package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class RunInputRulesTest {
    private static final String THREAD_ID = "threadId must be a valid UUID";
    private static final String RUN_ID = "runId exceeds length limit";
    private static final String RUN_ID_MISSING = "runId is required";
    private static final String MESSAGES = "RunAgentInput.messages exceeds limit";
    private static final String TEXT = "RunAgentInput user message text exceeds limit";
    private static final String ONE_USER = "RunAgentInput.messages must contain exactly one user message";
    private static final String USER_FIRST = "RunAgentInput.messages[0].role must be user";
    private static final String IMAGE = "binary content requires image mimeType";
    private static final String URL = "binary content requires url";
    private static final String DATA = "binary content data is not allowed";
    private static final String SIGNED = "binary content url must be a valid signed URL";

    private static final String OURS = "https://ours/a.png";

    private final RunInputRules rules = new RunInputRules(
            Limits.defaults().runs(), Limits.defaults().requests().opaqueId());

    @Test
    void aFullInputPassesAsItWasGiven() {
        RunAgentInput input = check(SeedBodies.EVERYTHING);
        assertThat(input.messages()).hasSize(7);
        assertThat(input.state()).hasToString("{\"step\":1.50,\"done\":null}");
        assertThat(input.parentRunId()).isEqualTo("run-003");
        assertThat(RunOptions.of(input.forwardedProps())).isEqualTo(new RunOptions("x", MultitaskStrategy.REJECT, "m"));
    }

    @Test
    void theExamplesOfTheDocumentsAnswerAsTheyArePrinted() {
        assertThat(check(SeedBodies.TEXT).messages()).containsExactly(new Message.User("msg-001", "帮我查一下北京今天的天气"));
        assertThat(check(SeedBodies.TOOLS).tools().getFirst().name()).isEqualTo("get_weather");
        assertThat(sentence(SeedBodies.ATTACHMENT)).isEqualTo(THREAD_ID);
        assertThat(sentence(SeedBodies.IMAGE)).isEqualTo(SIGNED);
    }

    @Test
    void theExamplesPassWithAUuidAndAUrlOfOurs() {
        String attachment =
                SeedBodies.ATTACHMENT.replace("thread-123", UUID.randomUUID().toString());
        assertThat(sentence(attachment)).isEqualTo(SIGNED);
        assertThat(check(attachment.replace("https://xxx.supabase.co/", "https://ours/"))
                        .runId())
                .isEqualTo("run-456");
        assertThat(check(SeedBodies.IMAGE.replace("https://storage.example.com/", "https://ours/"))
                        .runId())
                .isEqualTo("run-002");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "thread-123",
                "1-1-1-1-1",
                "550e8400e29b41d4a716446655440000",
                "{550e8400-e29b-41d4-a716-446655440000}",
                " 550e8400-e29b-41d4-a716-446655440000",
                "550e8400-e29b-41d4-a716-44665544000\\u0000"
            })
    void aThreadIdIsAUuidInItsUsualForm(String threadId) {
        assertThat(sentence(SeedBodies.TEXT.replace("550e8400-e29b-41d4-a716-446655440000", threadId)))
                .isEqualTo(THREAD_ID);
    }

    @Test
    void idsThatAreMissingOrNullBreakTheirRules() {
        for (Consumer<ObjectNode> drop :
                List.<Consumer<ObjectNode>>of(b -> b.remove("threadId"), b -> b.putNull("threadId"))) {
            assertThat(sentence(changed(drop))).isEqualTo(THREAD_ID);
        }
        for (Consumer<ObjectNode> drop : List.<Consumer<ObjectNode>>of(
                b -> b.remove("runId"), b -> b.putNull("runId"), b -> b.put("runId", ""))) {
            assertThat(sentence(changed(drop))).isEqualTo(RUN_ID_MISSING);
        }
    }

    @Test
    void idInAnotherSpelling_isNamedInTheErrors() {
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

    @Test
    void aRunIdHasUpTo128Characters() {
        for (String one : List.of("r", "中", "👋")) {
            assertThat(check(changed(b -> b.put("runId", one.repeat(128)))).runId())
                    .hasSize(128 * one.length());
            assertThat(sentence(changed(b -> b.put("runId", one.repeat(129))))).isEqualTo(RUN_ID);
        }
    }

    @Test
    void aRunIsGivenUpTo200Messages() {
        assertThat(check(changed(b -> addMessages(b, 199))).messages()).hasSize(200);
        assertThat(sentence(changed(b -> addMessages(b, 200)))).isEqualTo(MESSAGES);
    }

    @Test
    void aUserSaysUpTo10000Characters() {
        for (String one : List.of("x", "中", "👋")) {
            assertThat(check(changed(b -> user(b).put("content", one.repeat(10_000)))))
                    .isNotNull();
            assertThat(sentence(changed(b -> user(b).put("content", one.repeat(10_001)))))
                    .isEqualTo(TEXT);
        }
    }

    @Test
    void allTextBlocksOfAMessageCountTogetherAndFilesDoNot() {
        ObjectNode body = body();
        ArrayNode parts = parts(body).removeAll();
        parts.add(text("中".repeat(6_000)));
        parts.add(binary("image/png", OURS + "?token=" + "t".repeat(20_000)));
        parts.add(text("👋".repeat(4_000)));
        assertThat(check(body)).isNotNull();
        parts.add(text("x"));
        assertThat(sentence(body)).isEqualTo(TEXT);
    }

    @Test
    void onlyWhatUsersSayIsCounted() {
        assertThat(check(changed(b -> messages(b).add(message("s", "system").put("content", "x".repeat(10_001))))))
                .isNotNull();
    }

    @Test
    void thereIsExactlyOneUserMessage() {
        assertThat(sentence(changed(b -> messages(b).removeAll()))).isEqualTo(ONE_USER);
        assertThat(sentence(changed(b -> user(b).put("role", "system").put("content", "x"))))
                .isEqualTo(ONE_USER);
        assertThat(sentence(changed(b -> messages(b).add(message("u2", "user").put("content", "x")))))
                .isEqualTo(ONE_USER);
    }

    @Test
    void theSecondUserMessageMayBeTheOneThatIsTooLong() {
        assertThat(sentence(changed(b -> messages(b).add(message("u2", "user").put("content", "x".repeat(10_001))))))
                .isEqualTo(TEXT);
    }

    @Test
    void theUserMessageStandsFirst() {
        assertThat(sentence(changed(
                        b -> messages(b).insert(0, message("s", "system").put("content", "x")))))
                .isEqualTo(USER_FIRST);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            {"type":"binary","mimeType":"image/png","url":"https://ours/a"} | -
            {"type":"binary","mimeType":"IMAGE/SVG+XML","url":"https://ours/a","data":null} | -
            {"type":"image","source":{"type":"url","value":"https://ours/a","mimeType":"image/png"}} | -
            {"type":"image","source":{"type":"url","value":"https://ours/a"}} | -
            {"type":"binary","mimeType":"application/pdf","url":"https://ours/a"} | binary content requires image mimeType
            {"type":"binary","mimeType":"","url":"https://ours/a"} | binary content requires image mimeType
            {"type":"binary","mimeType":"image/","url":"https://ours/a"} | binary content requires image mimeType
            {"type":"binary","mimeType":"image/*","url":"https://ours/a"} | binary content requires image mimeType
            {"type":"binary","mimeType":"x-image/png","url":"https://ours/a"} | binary content requires image mimeType
            {"type":"audio","source":{"type":"url","value":"https://ours/a"}} | binary content requires image mimeType
            {"type":"document","source":{"type":"url","value":"https://ours/a","mimeType":"image/png"}} | binary content requires image mimeType
            {"type":"image","source":{"type":"url","value":"https://ours/a","mimeType":"text/html"}} | binary content requires image mimeType
            {"type":"binary","mimeType":"image/png"} | binary content requires url
            {"type":"binary","mimeType":"image/png","url":""} | binary content requires url
            {"type":"binary","mimeType":"image/png","id":"b","url":null} | binary content requires url
            {"type":"binary","mimeType":"image/png","data":"AAAA"} | binary content requires url
            {"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}} | binary content requires url
            {"type":"image","source":{"type":"file","value":"file-1"}} | binary content requires url
            {"type":"binary","mimeType":"image/png","url":"https://ours/a","data":"AAAA"} | binary content data is not allowed
            {"type":"binary","mimeType":"image/png","url":"https://ours/a","data":""} | binary content data is not allowed
            {"type":"binary","mimeType":"image/png","url":"https://theirs/a"} | binary content url must be a valid signed URL
            {"type":"image","source":{"type":"url","value":"https://theirs/a"}} | binary content url must be a valid signed URL
            """)
    void filesAreImagesByAUrlOfOurs(String part, String sentence) {
        ObjectNode user = changed(b -> parts(b).add(Json.MAPPER.readTree(part)));
        ObjectNode tool = changed(b -> messages(b)
                .add(message("t", "tool").put("toolCallId", "c"))
                .get(1)
                .withArray("content")
                .add(Json.MAPPER.readTree(part)));
        for (ObjectNode body : List.of(user, tool)) {
            if (sentence == null) {
                assertThat(check(body)).isNotNull();
            } else {
                assertThat(sentence(body)).isEqualTo(sentence);
            }
        }
    }

    @Test
    void theTypeOfAUrlIsAskedForAsItIsDeclared() {
        List<String> asked = new ArrayList<>();
        ObjectNode body = body();
        parts(body).add(binary("image/JPEG", OURS));
        RunFiles.require(rules.check(body), (url, mimeType) -> {
            asked.add(url + " " + mimeType);
            return Optional.of(SampleObjects.image("a.png"));
        });
        assertThat(asked).containsExactly(OURS + " image/JPEG");
    }

    @Test
    void ofTwoBrokenRulesTheEarlierAnswers() {
        List<Breach> order = new ArrayList<>();
        order.add(new Breach(THREAD_ID, b -> b.put("threadId", "thread-123")));
        order.add(new Breach(RUN_ID, b -> b.put("runId", "r".repeat(129))));
        order.add(new Breach(MESSAGES, b -> addMessages(b, 200)));
        order.add(new Breach(TEXT, b -> parts(b).add(text("x".repeat(10_001)))));
        order.add(new Breach(
                ONE_USER, b -> messages(b).add(message("u2", "user").put("content", "x"))));
        order.add(new Breach(
                USER_FIRST, b -> messages(b).insert(0, message("s", "system").put("content", "x"))));
        order.add(new Breach(IMAGE, b -> parts(b).add(binary("text/html", OURS))));
        order.add(new Breach(URL, b -> parts(b).add(binary("image/png", ""))));
        order.add(new Breach(DATA, b -> parts(b).add(binary("image/png", OURS).put("data", "AAAA"))));
        order.add(new Breach(SIGNED, b -> parts(b).add(binary("image/png", "https://theirs/a.png"))));

        for (int i = 0; i < order.size(); i++) {
            for (int j = i; j < order.size(); j++) {
                ObjectNode body = body();
                // The later one first, so that no mutation depends on where the user message stands.
                order.get(j).in().accept(body);
                if (i != j) {
                    order.get(i).in().accept(body);
                }
                assertThat(sentence(body))
                        .as("%s and %s", order.get(i), order.get(j))
                        .isEqualTo(order.get(i).sentence());
            }
        }
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
    void whatHasNotItsShapeIsNamedByItsFieldBeforeAnyRule(String body, String field, String message) {
        ProblemException refused = refusal(Json.MAPPER.readTree(body));
        assertThat(refused.problem()).isEqualTo(Problem.INVALID_FIELDS);
        assertThat(refused.errors()).containsExactly(new FieldError(field, message));
    }

    @Test
    void aMessageIdIsNoLongerThanOtherIdsOfCallers() {
        assertThat(check(changed(b -> user(b).put("id", "👋".repeat(128))))).isNotNull();
        assertThat(refusal(changed(b -> user(b).put("id", "m".repeat(129)))).errors())
                .containsExactly(new FieldError("messages[0].id", "is longer than the limit of 128 characters"));
    }

    @Test
    void membersThatNoInputHasAreIgnored() {
        ObjectNode body =
                changed(b -> b.put("later", "\u0000").putObject("more").put("deep", "\ud800"));
        assertThat(check(body)).isEqualTo(check(body()));
    }

    @Test
    void nullsAndMissingMembersAreTheSame() {
        ObjectNode body = body();
        for (String name : List.of("state", "tools", "context", "forwardedProps", "parentRunId", "resume")) {
            body.putNull(name);
        }
        assertThat(check(body)).isEqualTo(check(body()));
    }

    @Test
    void theBodyIsLeftAsItIs() {
        ObjectNode body = changed(b -> b.remove("runId"));
        String before = body.toString();
        assertThat(sentence(body)).isEqualTo(RUN_ID_MISSING);
        assertThat(body).hasToString(before);
    }

    @Test
    void theLimitsAreThoseOfTheServer() {
        RunInputRules strict = new RunInputRules(
                Limits.with(Map.of("limit-run-messages", 1, "limit-run-text", 2))
                        .runs(),
                3);
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("threadId", UUID.randomUUID().toString())
                .put("runId", "run");
        messages(body).add(message("u", "user").put("content", "hi"));
        assertThat(strict.check(body)).isNotNull();
        user(body).put("content", "hi!");
        assertThat(refusal(() -> strict.check(body)).detail()).isEqualTo(TEXT);
        messages(body).add(message("s", "system").put("content", ""));
        assertThat(refusal(() -> strict.check(body)).detail()).isEqualTo(MESSAGES);
        body.put("runId", "run4");
        assertThat(refusal(() -> strict.check(body)).detail()).isEqualTo(RUN_ID);
    }

    private record Breach(String sentence, Consumer<ObjectNode> in) {}

    private RunAgentInput check(String body) {
        return check(Json.MAPPER.readTree(body));
    }

    private RunAgentInput check(JsonNode body) {
        RunAgentInput input = rules.check(body);
        RunFiles.require(
                input,
                (url, _) ->
                        url.startsWith("https://ours/") ? Optional.of(SampleObjects.image("a.png")) : Optional.empty());
        return input;
    }

    private String sentence(String body) {
        return sentence(Json.MAPPER.readTree(body));
    }

    private String sentence(JsonNode body) {
        ProblemException refused = refusal(body);
        assertThat(refused.problem()).isEqualTo(Problem.RUN_INPUT_REFUSED);
        return refused.detail();
    }

    private ProblemException refusal(JsonNode body) {
        return refusal(() -> check(body));
    }

    private static ProblemException refusal(Runnable check) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, check::run);
        assertThat(refused).as("a refusal").isNotNull();
        return refused;
    }

    private static ObjectNode body() {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("threadId", "550e8400-e29b-41d4-a716-446655440000")
                .put("runId", "run-001");
        messages(body).add(message("u", "user")).get(0).withArray("content").add(text("hello"));
        return body;
    }

    private static ObjectNode changed(Consumer<ObjectNode> change) {
        ObjectNode body = body();
        change.accept(body);
        return body;
    }

    private static ArrayNode messages(ObjectNode body) {
        return body.withArray("messages");
    }

    private static void addMessages(ObjectNode body, int count) {
        for (int i = 0; i < count; i++) {
            messages(body).add(message("s" + i, "system").put("content", "x"));
        }
    }

    private static ObjectNode message(String id, String role) {
        return Json.MAPPER.createObjectNode().put("id", id).put("role", role);
    }

    /** The first one, wherever it stands. */
    private static ObjectNode user(ObjectNode body) {
        return (ObjectNode) messages(body)
                .valueStream()
                .filter(message -> message.get("role").stringValue().equals("user"))
                .findFirst()
                .orElseThrow();
    }

    private static ArrayNode parts(ObjectNode body) {
        return (ArrayNode) user(body).get("content");
    }

    private static ObjectNode text(String text) {
        return Json.MAPPER.createObjectNode().put("type", "text").put("text", text);
    }

    private static ObjectNode binary(String mimeType, String url) {
        return Json.MAPPER
                .createObjectNode()
                .put("type", "binary")
                .put("mimeType", mimeType)
                .put("url", url);
    }
}
