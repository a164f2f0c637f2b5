package dev.parley.agents.model;

import dev.parley.protocol.Json;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A provider's error message for operators: the message alone, on one line, without keys. */
final class ProviderError {
    static final int MAX_LENGTH = 500;
    private static final String MASK = "****";

    /** Keys in their usual formats; providers quote them, often with stars in the middle. */
    private static final Pattern KEYS = Pattern.compile(
            "\\b(?:sk|pk|rk|gsk|xai)-[\\w*.-]{6,}|\\bAIza[\\w*-]{6,}|(?i)\\bbearer\\s+[\\w*.~+/=-]{6,}");

    private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cntrl}\\p{Cf}]+");

    private ProviderError() {}

    /**
     * @param answer the provider's raw answer
     * @param mask masks the agent's own secrets in a text
     * @return the message; null if it is empty
     */
    static @Nullable String of(@Nullable String answer, UnaryOperator<String> mask) {
        if (answer == null) {
            return null;
        }
        // The text is masked before it is cut, because half of a key would not be recognised.
        String line =
                BLANKS.matcher(masked(message(answer), mask)).replaceAll(" ").strip();
        if (line.codePointCount(0, line.length()) > MAX_LENGTH) {
            line = line.substring(0, line.offsetByCodePoints(0, MAX_LENGTH)) + "…";
        }
        return line.isEmpty() ? null : line;
    }

    /** The text without the agent's own secrets and without parts that look like keys. */
    static String masked(String text, UnaryOperator<String> mask) {
        return KEYS.matcher(mask.apply(text)).replaceAll(MASK);
    }

    /** The error message in an answer; the whole answer if it contains no message. */
    private static String message(String answer) {
        try {
            JsonNode json = Json.MAPPER.readTree(answer);
            return Stream.of("/error/message", "/error", "/message", "/detail", "/0/error/message")
                    .map(json::at)
                    .filter(JsonNode::isString)
                    .map(JsonNode::stringValue)
                    .findFirst()
                    .orElse(answer);
        } catch (JacksonException notJson) {
            return answer;
        }
    }
}
