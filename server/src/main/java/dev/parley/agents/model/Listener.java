package dev.parley.agents.model;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the library's callbacks for one response into events. The callbacks run on the run's own thread, so reading
 * pauses while the run accepts no events.
 */
final class Listener implements StreamingChatResponseHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    private final ModelExchange exchange;
    private final ResponseEvents events;
    private final @Nullable CallScanner prompted;
    private final UnaryOperator<String> toolNames;
    private final Map<Integer, ResponseEvents.OpenCall> open = new HashMap<>();
    private @Nullable AiMessage original;

    /**
     * @param prompted finds calls in the text, for a model with prompted tools; null for other models
     * @param toolNames maps the name by which the model calls a tool to the tool's own name
     */
    Listener(
            ModelExchange exchange,
            ResponseEvents events,
            @Nullable CallScanner prompted,
            UnaryOperator<String> toolNames) {
        this.exchange = exchange;
        this.events = events;
        this.prompted = prompted;
        this.toolNames = toolNames;
    }

    /** Writes events; throws if the run was stopped. */
    private interface EventWrite {
        void run() throws InterruptedException;
    }

    private void take(EventWrite write) {
        if (exchange.isStopped()) {
            return;
        }
        try {
            write.run();
        } catch (InterruptedException stopped) {
            exchange.stop(stopped);
        }
    }

    @Override
    public void onPartialResponse(String delta) {
        take(() -> {
            if (prompted == null) {
                events.say(delta);
            } else {
                prompted.take(delta, events);
            }
        });
    }

    @Override
    public void onPartialThinking(PartialThinking delta) {
        take(() -> events.think(Objects.requireNonNullElse(delta.text(), "")));
    }

    @Override
    public void onPartialToolCall(PartialToolCall part) {
        take(() -> {
            ResponseEvents.OpenCall call = open.get(part.index());
            if (call == null) {
                call = events.call(part.id(), toolNames.apply(part.name()));
                open.put(part.index(), call);
            }
            call.add(Objects.requireNonNullElse(part.partialArguments(), ""));
        });
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall complete) {
        take(() -> {
            ResponseEvents.OpenCall call = open.remove(complete.index());
            if (call == null) {
                call = events.call(
                        complete.toolExecutionRequest().id(),
                        toolNames.apply(complete.toolExecutionRequest().name()));
            }
            call.end(Objects.requireNonNullElse(complete.toolExecutionRequest().arguments(), ""));
        });
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
        original = response.aiMessage();
    }

    @Override
    public void onError(Throwable broken) {
        if (!exchange.isStopped()) {
            // The exception's message is not logged, because it may quote the answer.
            LOG.debug(
                    "Could not read a model's answer; its request fails: {}",
                    broken.getClass().getName());
            exchange.fail(ModelFailure.protocol("data that is no part of an answer"));
        }
    }

    /** Ends the response after its last callback, and returns the whole response. */
    ModelResponse response(boolean cut) throws InterruptedException {
        if (prompted != null) {
            prompted.end(events);
        }
        events.end(cut);
        return new ModelResponse(events.text(), events.calls(), original);
    }
}
