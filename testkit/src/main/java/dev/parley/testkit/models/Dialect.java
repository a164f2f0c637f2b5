package dev.parley.testkit.models;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How one provider is asked and how it answers. */
sealed interface Dialect permits OpenAiDialect, AnthropicDialect, GeminiDialect, OllamaDialect {
    /** Whether this is the path of a chat, behind the base path. */
    boolean serves(String path);

    /** What is wrong with the credentials, if something is. */
    Optional<String> unauthorized(ModelRequest request);

    /** What the provider's published rules forbid in this request. */
    List<String> violations(JsonNode body);

    default boolean streams(ModelRequest request) {
        return request.body().path("stream").asBoolean(false);
    }

    String streamType();

    /** The frames of an answer, in the order in which the script makes them. */
    Turn turn(ModelRequest request, Script script);

    /** The same answer in one piece. */
    JsonNode whole(ModelRequest request, Script script);

    /** The body of a refusal. */
    JsonNode error(int status, String message);
}
