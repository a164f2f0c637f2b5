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
 * Hears what the library reads of one response and has it said, on the run's own thread: as long as the run takes
 * nothing, nothing more is read.
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
     * @param prompted finds calls in what is said, for a model that makes them in words
     * @param toolNames what a tool is really called that the model calls by this name
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

    /** Something that the run may refuse to take. */
    private interface Deed {
        void done() throws InterruptedException;
    }

    private void take(Deed deed) {
        if (exchange.isStopped()) {
            return;
        }
        try {
            deed.done();
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
            // Its message may quote what was said.
            LOG.debug(
                    "A model's answer could not be read: {}", broken.getClass().getName());
            exchange.fail(ModelFailure.protocol("something that is no part of an answer"));
        }
    }

    /** What was said, once all has been heard. */
    ModelResponse said(boolean cut) throws InterruptedException {
        if (prompted != null) {
            prompted.end(events);
        }
        events.end(cut);
        return new ModelResponse(events.text(), events.calls(), original);
    }
}
