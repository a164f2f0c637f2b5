package dev.parley.agents.model;

import dev.langchain4j.data.message.AiMessage;
import dev.parley.assembly.ContextMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model said in one response.
 *
 * @param calls with the ids under which the run knows them
 * @param original as the library read it; it may hold what its provider wants to see again
 */
record ModelResponse(
        String text, List<Call> calls, @Nullable AiMessage original) {
    ModelResponse {
        calls = List.copyOf(calls);
    }

    /**
     * A call as the model wrote it.
     *
     * @param arguments whatever it wrote, which should be a JSON object
     */
    record Call(String id, String name, String arguments) {}

    ContextMessage.Assistant asContext() {
        return new ContextMessage.Assistant(
                text,
                calls.stream()
                        .map(call ->
                                new ContextMessage.Call(call.id(), call.name(), Arguments.mended(call.arguments())))
                        .toList(),
                ContextMessage.Origin.NONE);
    }
}
