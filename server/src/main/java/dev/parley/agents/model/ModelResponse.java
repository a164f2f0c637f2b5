package dev.parley.agents.model;

import dev.langchain4j.data.message.AiMessage;
import dev.parley.assembly.ContextMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One response of a model.
 *
 * @param calls the tool calls, with their ids in the run
 * @param original the library's message, with the reasoning that the provider requires in the next request; null if
 *     there is no message
 */
record ModelResponse(
        String text, List<Call> calls, @Nullable AiMessage original) {
    ModelResponse {
        calls = List.copyOf(calls);
    }

    /**
     * A tool call as the model wrote it.
     *
     * @param arguments the model's text, which should be a JSON object
     */
    record Call(String id, String name, String arguments) {}

    ContextMessage.Assistant asContext() {
        return new ContextMessage.Assistant(
                text,
                calls.stream()
                        .map(call ->
                                new ContextMessage.Call(call.id(), call.name(), Arguments.repaired(call.arguments())))
                        .toList(),
                ContextMessage.Origin.NONE);
    }
}
