package dev.parley.runs.input;

import static dev.parley.runs.input.CheckedInputs.OURS;
import static dev.parley.runs.input.CheckedInputs.addMessages;
import static dev.parley.runs.input.CheckedInputs.binary;
import static dev.parley.runs.input.CheckedInputs.body;
import static dev.parley.runs.input.CheckedInputs.changed;
import static dev.parley.runs.input.CheckedInputs.check;
import static dev.parley.runs.input.CheckedInputs.message;
import static dev.parley.runs.input.CheckedInputs.messages;
import static dev.parley.runs.input.CheckedInputs.parts;
import static dev.parley.runs.input.CheckedInputs.refusal;
import static dev.parley.runs.input.CheckedInputs.sentence;
import static dev.parley.runs.input.CheckedInputs.text;
import static dev.parley.runs.input.CheckedInputs.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules of a run's input, in their order, with their exact sentences. */
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

    @Test
    void fullInputPassesUnchanged() {
        RunAgentInput input = check(SeedBodies.EVERYTHING);
        assertThat(input.messages()).hasSize(7);
        assertThat(input.state()).hasToString("{\"step\":1.50,\"done\":null}");
        assertThat(input.parentRunId()).isEqualTo("run-003");
        assertThat(RunOptions.of(input.forwardedProps())).isEqualTo(new RunOptions("x", MultitaskStrategy.REJECT, "m"));
    }

    @Test
    void documentedExamplesAnswerAsPrinted() {
        assertThat(check(SeedBodies.TEXT).messages()).containsExactly(new Message.User("msg-001", "帮我查一下北京今天的天气"));
        assertThat(check(SeedBodies.TOOLS).tools().getFirst().name()).isEqualTo("get_weather");
        assertThat(sentence(SeedBodies.ATTACHMENT)).isEqualTo(THREAD_ID);
        assertThat(sentence(SeedBodies.IMAGE)).isEqualTo(SIGNED);
    }

    @Test
    void documentedExamplesPassWithAUuidAndASignedUrl() {
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
    void threadIdIsACanonicalUuid(String threadId) {
        assertThat(sentence(SeedBodies.TEXT.replace("550e8400-e29b-41d4-a716-446655440000", threadId)))
                .isEqualTo(THREAD_ID);
    }

    @Test
    void missingIdsBreakTheirRules() {
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
    void runIdHasUpTo128Characters() {
        for (String one : List.of("r", "中", "👋")) {
            assertThat(check(changed(b -> b.put("runId", one.repeat(128)))).runId())
                    .hasSize(128 * one.length());
            assertThat(sentence(changed(b -> b.put("runId", one.repeat(129))))).isEqualTo(RUN_ID);
        }
    }

    @Test
    void inputHasUpTo200Messages() {
        assertThat(check(changed(b -> addMessages(b, 199))).messages()).hasSize(200);
        assertThat(sentence(changed(b -> addMessages(b, 200)))).isEqualTo(MESSAGES);
    }

    @Test
    void userTextHasUpTo10000Characters() {
        for (String one : List.of("x", "中", "👋")) {
            assertThat(check(changed(b -> user(b).put("content", one.repeat(10_000)))))
                    .isNotNull();
            assertThat(sentence(changed(b -> user(b).put("content", one.repeat(10_001)))))
                    .isEqualTo(TEXT);
        }
    }

    @Test
    void textBlocksOfAMessageCountTogether_filesDoNot() {
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
    void textOfOtherRolesIsNotLimited() {
        assertThat(check(changed(b -> messages(b).add(message("s", "system").put("content", "x".repeat(10_001))))))
                .isNotNull();
    }

    @Test
    void inputHasExactlyOneUserMessage() {
        assertThat(sentence(changed(b -> messages(b).removeAll()))).isEqualTo(ONE_USER);
        assertThat(sentence(changed(b -> user(b).put("role", "system").put("content", "x"))))
                .isEqualTo(ONE_USER);
        assertThat(sentence(changed(b -> messages(b).add(message("u2", "user").put("content", "x")))))
                .isEqualTo(ONE_USER);
    }

    @Test
    void secondUserMessageCountsForTheTextLimit() {
        assertThat(sentence(changed(b -> messages(b).add(message("u2", "user").put("content", "x".repeat(10_001))))))
                .isEqualTo(TEXT);
    }

    @Test
    void userMessageIsFirst() {
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
    void filesAreImagesWithASignedUrl(String part, String sentence) {
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
    void declaredTypeOfAFileIsLookedUp() {
        List<String> asked = new ArrayList<>();
        ObjectNode body = body();
        parts(body).add(binary("image/JPEG", OURS));
        RunFiles.require(CheckedInputs.RULES.check(body), (url, mimeType) -> {
            asked.add(url + " " + mimeType);
            return Optional.of(SampleObjects.image("a.png"));
        });
        assertThat(asked).containsExactly(OURS + " image/JPEG");
    }

    @Test
    void earlierOfTwoBrokenRulesAnswers() {
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
                // The later breach first, so that no change depends on the position of the user message.
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

    @Test
    void limitsAreSettings() {
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

    /** A change that breaks one rule. */
    private record Breach(String sentence, Consumer<ObjectNode> in) {}
}
