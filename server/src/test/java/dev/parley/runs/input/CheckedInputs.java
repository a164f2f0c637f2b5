package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Inputs of runs for tests, and the answers of the rules to them. */
final class CheckedInputs {
    static final String OURS = "https://ours/a.png";

    static final RunInputRules RULES = new RunInputRules(
            Limits.defaults().runs(), Limits.defaults().requests().opaqueId());

    private CheckedInputs() {}

    static RunAgentInput check(String body) {
        return check(Json.MAPPER.readTree(body));
    }

    static RunAgentInput check(JsonNode body) {
        RunAgentInput input = RULES.check(body);
        RunFiles.require(
                input,
                (url, _) ->
                        url.startsWith("https://ours/") ? Optional.of(SampleObjects.image("a.png")) : Optional.empty());
        return input;
    }

    static String sentence(String body) {
        return sentence(Json.MAPPER.readTree(body));
    }

    static String sentence(JsonNode body) {
        ProblemException refused = refusal(body);
        assertThat(refused.problem()).isEqualTo(Problem.RUN_INPUT_REFUSED);
        return refused.detail();
    }

    static ProblemException refusal(JsonNode body) {
        return refusal(() -> check(body));
    }

    static ProblemException refusal(Runnable check) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, check::run);
        assertThat(refused).as("a refusal").isNotNull();
        return refused;
    }

    static ObjectNode body() {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("threadId", "550e8400-e29b-41d4-a716-446655440000")
                .put("runId", "run-001");
        messages(body).add(message("u", "user")).get(0).withArray("content").add(text("hello"));
        return body;
    }

    static ObjectNode changed(Consumer<ObjectNode> change) {
        ObjectNode body = body();
        change.accept(body);
        return body;
    }

    static ArrayNode messages(ObjectNode body) {
        return body.withArray("messages");
    }

    static void addMessages(ObjectNode body, int count) {
        for (int i = 0; i < count; i++) {
            messages(body).add(message("s" + i, "system").put("content", "x"));
        }
    }

    static ObjectNode message(String id, String role) {
        return Json.MAPPER.createObjectNode().put("id", id).put("role", role);
    }

    /** The first message of a user. */
    static ObjectNode user(ObjectNode body) {
        return (ObjectNode) messages(body)
                .valueStream()
                .filter(message -> message.get("role").stringValue().equals("user"))
                .findFirst()
                .orElseThrow();
    }

    static ArrayNode parts(ObjectNode body) {
        return (ArrayNode) user(body).get("content");
    }

    static ObjectNode text(String text) {
        return Json.MAPPER.createObjectNode().put("type", "text").put("text", text);
    }

    static ObjectNode binary(String mimeType, String url) {
        return Json.MAPPER
                .createObjectNode()
                .put("type", "binary")
                .put("mimeType", mimeType)
                .put("url", url);
    }
}
