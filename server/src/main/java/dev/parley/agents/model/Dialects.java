package dev.parley.agents.model;

import dev.parley.agents.model.Signals.Finish;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the token counts and the end of an answer from frames in the four wire formats. */
final class Dialects {
    private Dialects() {}

    /**
     * <a href="https://platform.openai.com/docs/api-reference/chat">OpenAI chat completions</a>; the token counts come
     * after the finish reason, in a separate frame.
     */
    static void openAi(JsonNode frame, Signals signals) {
        JsonNode usage = frame.path("usage");
        if (usage.isObject()) {
            signals.count(new TokenCounts(
                    number(usage, "prompt_tokens"),
                    number(usage, "completion_tokens"),
                    number(usage.path("prompt_tokens_details"), "cached_tokens"),
                    number(usage.path("completion_tokens_details"), "reasoning_tokens")));
        }
        String reason = frame.path("choices").path(0).path("finish_reason").asString("");
        if (!reason.isEmpty()) {
            signals.finished(
                    switch (reason) {
                        case "length" -> Finish.LENGTH;
                        case "content_filter" -> Finish.FILTERED;
                        default -> Finish.DONE;
                    });
        }
    }

    /**
     * <a href="https://docs.anthropic.com/en/docs/build-with-claude/streaming">Anthropic messages</a>; the first frame
     * counts the input, and several frames count the output.
     */
    static void anthropic(JsonNode frame, Signals signals) {
        switch (frame.path("type").asString("")) {
            case "message_start" -> countAnthropic(frame.path("message").path("usage"), signals);
            case "message_delta" -> {
                countAnthropic(frame.path("usage"), signals);
                String reason = frame.path("delta").path("stop_reason").asString("");
                if (!reason.isEmpty()) {
                    signals.finished(
                            switch (reason) {
                                case "max_tokens", "model_context_window_exceeded" -> Finish.LENGTH;
                                case "refusal" -> Finish.FILTERED;
                                default -> Finish.DONE;
                            });
                }
            }
            case "message_stop" -> signals.end();
            default -> {}
        }
    }

    private static void countAnthropic(JsonNode usage, Signals signals) {
        if (!usage.isObject()) {
            return;
        }
        Integer read = number(usage, "cache_read_input_tokens");
        // Tokens read from a cache or written to it are not in input_tokens.
        Integer input = TokenCounts.sum(number(usage, "input_tokens"), number(usage, "cache_creation_input_tokens"));
        signals.count(new TokenCounts(
                number(usage, "input_tokens") == null ? null : TokenCounts.sum(input, read),
                number(usage, "output_tokens"),
                read,
                null));
    }

    /** <a href="https://ai.google.dev/api/generate-content">Gemini</a>; its count of the output lacks the reasoning. */
    static void gemini(JsonNode frame, Signals signals) {
        JsonNode usage = frame.path("usageMetadata");
        if (usage.isObject()) {
            Integer thoughts = number(usage, "thoughtsTokenCount");
            signals.count(new TokenCounts(
                    number(usage, "promptTokenCount"),
                    TokenCounts.sum(number(usage, "candidatesTokenCount"), thoughts),
                    number(usage, "cachedContentTokenCount"),
                    thoughts));
        }
        if (frame.path("promptFeedback").has("blockReason")) {
            signals.finished(Finish.FILTERED);
        }
        String reason = frame.path("candidates").path(0).path("finishReason").asString("");
        if (!reason.isEmpty()) {
            signals.finished(
                    switch (reason) {
                        case "STOP" -> Finish.DONE;
                        case "MAX_TOKENS" -> Finish.LENGTH;
                        case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER" -> Finish.BROKEN;
                        default -> Finish.FILTERED;
                    });
        }
    }

    /**
     * <a href="https://github.com/ollama/ollama/blob/main/docs/api.md">Ollama</a>: lines of JSON; the last has "done".
     */
    static void ollama(JsonNode frame, Signals signals) {
        signals.count(new TokenCounts(number(frame, "prompt_eval_count"), number(frame, "eval_count"), null, null));
        if (frame.path("done").asBoolean(false)) {
            signals.finished(frame.path("done_reason").asString("").equals("length") ? Finish.LENGTH : Finish.DONE);
            signals.end();
        }
    }

    private static @Nullable Integer number(JsonNode from, String name) {
        JsonNode number = from.path(name);
        return number.isIntegralNumber() && number.canConvertToInt() && number.intValue() >= 0
                ? Integer.valueOf(number.intValue())
                : null;
    }
}
