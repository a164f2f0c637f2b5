package dev.parley.testkit.models;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The wire format of one provider, for requests and answers. */
sealed interface Dialect permits OpenAiDialect, AnthropicDialect, GeminiDialect, OllamaDialect {
    /** True for the path of a chat, after the base path. */
    boolean serves(String path);

    /** The fault of the credentials; empty if they are accepted. */
    Optional<String> unauthorized(ModelRequest request);

    /** Violations of the provider's published rules in this request. */
    List<String> violations(JsonNode body);

    default boolean streams(ModelRequest request) {
        return request.body().path("stream").asBoolean(false);
    }

    String streamType();

    /** The frames of an answer, in the order of the script. */
    Turn turn(ModelRequest request, Script script);

    /** The same answer in one piece. */
    JsonNode whole(ModelRequest request, Script script);

    /** The body of a refusal. */
    JsonNode error(int status, String message);
}
