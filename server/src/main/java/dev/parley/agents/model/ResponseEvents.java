package dev.parley.agents.model;

import dev.parley.agents.Agent;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the run's events for one response while the response is streamed: reasoning, text and calls. A span is closed
 * when the next span begins. The parent of a call is the message before the call.
 */
final class ResponseEvents {
    private static final String NOTHING = "{}";

    private final Agent.Emitter emitter;
    private final Set<String> usedIds;
    private final StringBuilder text = new StringBuilder();
    private final List<ModelResponse.Call> calls = new ArrayList<>();
    private @Nullable String thought;
    private @Nullable String message;
    private @Nullable String firstMessage;
    private boolean speaking;
    private boolean begun;

    /** @param usedIds ids of the conversation's calls; new ids are added */
    ResponseEvents(Agent.Emitter emitter, Set<String> usedIds) {
        this.emitter = emitter;
        this.usedIds = usedIds;
    }

    static String newId() {
        return UuidV7.next().toString();
    }

    /** True if readers may have seen events of the response. */
    boolean hasBegun() {
        return begun;
    }

    /** The id of the response's first message; null if it has none. */
    @Nullable
    String firstMessage() {
        return firstMessage;
    }

    String text() {
        return text.toString();
    }

    List<ModelResponse.Call> calls() {
        return calls;
    }

    void think(String delta) throws InterruptedException {
        if (delta.isEmpty()) {
            return;
        }
        if (thought == null) {
            stopSpeaking(Common.NONE);
            thought = newId();
            emit(new ReasoningEvent.Start(thought));
            emit(new ReasoningEvent.MessageStart(thought));
        }
        emit(new ReasoningEvent.MessageContent(thought, delta));
    }

    void say(String delta) throws InterruptedException {
        if (delta.isEmpty()) {
            return;
        }
        stopThinking();
        if (!speaking) {
            // Text after a call is a message of its own.
            String id = message == null || !calls.isEmpty() || !text.isEmpty() ? newMessage() : message;
            speaking = true;
            emit(new TextEvent.Start(id, TextRole.ASSISTANT, null, null, Common.NONE));
        }
        text.append(delta);
        emit(new TextEvent.Content(message(), delta));
    }

    /**
     * Opens a call.
     *
     * @param id the provider's id; a missing or used id is replaced
     */
    OpenCall call(@Nullable String id, String tool) throws InterruptedException {
        stopThinking();
        stopSpeaking(Common.NONE);
        String call = id == null || id.isBlank() || !usedIds.add(id) ? freshCallId() : id;
        emit(new ToolEvent.Start(call, tool, message()));
        return new OpenCall(call, tool);
    }

    private String freshCallId() {
        String id = "call_" + newId().replace("-", "");
        usedIds.add(id);
        return id;
    }

    private String message() {
        String id = message;
        return id == null ? newMessage() : id;
    }

    private String newMessage() {
        String id = newId();
        message = id;
        firstMessage = firstMessage == null ? id : firstMessage;
        return id;
    }

    /** A call whose arguments are still being streamed. */
    final class OpenCall {
        private final String id;
        private final String tool;
        private final StringBuilder arguments = new StringBuilder();

        OpenCall(String id, String tool) {
            this.id = id;
            this.tool = tool;
        }

        void add(String delta) throws InterruptedException {
            if (delta.equals(NOTHING) && arguments.toString().equals(NOTHING)) {
                // For one provider, the library reports empty arguments twice.
                return;
            }
            arguments.append(delta);
            if (!delta.isEmpty()) {
                emit(new ToolEvent.Args(id, delta));
            }
        }

        /** @param whole the complete arguments, whose end may be missing in the deltas */
        void end(String whole) throws InterruptedException {
            if (whole.startsWith(arguments.toString())) {
                add(whole.substring(arguments.length()));
            }
            emit(new ToolEvent.End(id));
            calls.add(new ModelResponse.Call(id, tool, arguments.toString()));
        }
    }

    /** @param cut true if the model stopped at its output limit */
    void end(boolean cut) throws InterruptedException {
        stopThinking();
        stopSpeaking(
                cut ? Common.metadata(Json.MAPPER.createObjectNode().put("finish_reason", "length")) : Common.NONE);
    }

    private void stopThinking() throws InterruptedException {
        String ended = thought;
        if (ended != null) {
            thought = null;
            emit(new ReasoningEvent.MessageEnd(ended));
            emit(new ReasoningEvent.End(ended));
        }
    }

    private void stopSpeaking(Common end) throws InterruptedException {
        if (speaking) {
            speaking = false;
            emit(new TextEvent.End(message(), null, end));
        }
    }

    private void emit(AguiEvent event) throws InterruptedException {
        begun = true;
        emitter.emit(event);
    }
}
