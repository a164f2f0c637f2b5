package dev.parley.agents.model;

import dev.parley.agents.model.Signals.Finish;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The frames of the four wire formats, as far as they say something beside the words. */
final class Dialects {
    private Dialects() {}

    /** Chat completions; the tokens come behind the reason, in a frame of their own. */
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

    /** Messages; the input is counted at the start, the output again and again. */
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
            case "message_stop" -> signals.isOverNow();
            default -> {}
        }
    }

    private static void countAnthropic(JsonNode usage, Signals signals) {
        if (!usage.isObject()) {
            return;
        }
        Integer read = number(usage, "cache_read_input_tokens");
        // What is read from a cache, or written to it, is not in the first number.
        Integer input = TokenCounts.sum(number(usage, "input_tokens"), number(usage, "cache_creation_input_tokens"));
        signals.count(new TokenCounts(
                number(usage, "input_tokens") == null ? null : TokenCounts.sum(input, read),
                number(usage, "output_tokens"),
                read,
                null));
    }

    /** Gemini; what it thought is not in its count of what it said. */
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

    /** Ollama: lines of JSON, the last of which says so. */
    static void ollama(JsonNode frame, Signals signals) {
        signals.count(new TokenCounts(number(frame, "prompt_eval_count"), number(frame, "eval_count"), null, null));
        if (frame.path("done").asBoolean(false)) {
            signals.finished(frame.path("done_reason").asString("").equals("length") ? Finish.LENGTH : Finish.DONE);
            signals.isOverNow();
        }
    }

    private static @Nullable Integer number(JsonNode from, String name) {
        JsonNode number = from.path(name);
        return number.isIntegralNumber() && number.canConvertToInt() && number.intValue() >= 0
                ? Integer.valueOf(number.intValue())
                : null;
    }
}
