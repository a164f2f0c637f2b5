package dev.parley.agents.remote;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The messages and calls that a remote run has streamed so far, under the agent's own ids. */
final class Streamed {
    private final Map<String, StringBuilder> texts = new HashMap<>();
    private final Set<String> messages = new HashSet<>();
    private final Set<String> calls = new LinkedHashSet<>();
    private final Set<String> answered = new HashSet<>();
    private final Set<String> withArguments = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    /** The id of the message to which chunks without an id belong: only the first chunk of a message needs an id. */
    private String lastText = "";

    void note(ObjectNode event) {
        String type = event.path("type").asString("");
        String message = event.path("messageId").asString("");
        switch (type) {
            case "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK" -> {
                lastText = message.isEmpty() ? lastText : message;
                messages.add(lastText);
                texts.computeIfAbsent(lastText, each -> new StringBuilder())
                        .append(event.path("delta").asString(""));
            }
            case "TOOL_CALL_START", "TOOL_CALL_CHUNK" -> {
                String call = event.path("toolCallId").asString("");
                if (!call.isEmpty()) {
                    calls.add(call);
                }
                noteArguments(call.isEmpty() && !calls.isEmpty() ? lastCall() : call, event);
            }
            case "TOOL_CALL_ARGS" -> noteArguments(event.path("toolCallId").asString(""), event);
            case "TOOL_CALL_END" -> ended.add(event.path("toolCallId").asString(""));
            case "TOOL_CALL_RESULT" -> {
                messages.add(message);
                answered.add(event.path("toolCallId").asString(""));
            }
            default -> {
                if (type.startsWith("REASONING_")) {
                    messages.add(message);
                }
            }
        }
    }

    private String lastCall() {
        return new ArrayList<>(calls).getLast();
    }

    private void noteArguments(String call, ObjectNode event) {
        if (!event.path("delta").asString("").isEmpty()) {
            withArguments.add(call);
        }
    }

    boolean has(String messageId) {
        return messages.contains(messageId);
    }

    boolean hasCall(String callId) {
        return calls.contains(callId);
    }

    /** True if a call has ended without arguments. */
    boolean lacksArguments(String callId) {
        return ended.contains(callId) && !withArguments.contains(callId);
    }

    boolean hasResultOf(String callId) {
        return answered.contains(callId);
    }

    /** The id of a message with exactly this text. */
    Optional<String> messageWith(String text) {
        return texts.entrySet().stream()
                .filter(each -> text.contentEquals(each.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The ids of the calls without a result. */
    List<String> openCalls() {
        List<String> open = new ArrayList<>(calls);
        open.removeAll(answered);
        return open;
    }
}
