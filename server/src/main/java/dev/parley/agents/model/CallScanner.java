package dev.parley.agents.model;

import dev.parley.assembly.PromptedCalls;
import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Finds the tool calls that a model writes into its text, as fenced blocks of JSON, while the text is streamed. Text
 * that may start a block is held back until the text after it decides. A block that is no call stays text.
 */
final class CallScanner {
    private static final String FENCE = PromptedCalls.START;
    private static final String END = PromptedCalls.END;

    /** Longest block; a longer one is text. */
    private static final int MAX_LENGTH = 64 * 1024;

    private static final int MAX_NAME = 128;

    private final StringBuilder held = new StringBuilder();
    private final BlockEnd end = new BlockEnd();
    private boolean inBlock;
    private long parsed;

    /** Number of characters read or parsed inside of blocks, for tests. */
    long steps() {
        return end.steps() + parsed;
    }

    void take(String delta, ResponseEvents events) throws InterruptedException {
        held.append(delta);
        while (step(events)) {
            // Each step handles one block.
        }
    }

    /** Ends the text. The rest is a call if only the closing fence is missing; otherwise the rest is text. */
    void end(ResponseEvents events) throws InterruptedException {
        String rest = held.toString();
        held.setLength(0);
        if (!inBlock || !call(read(rest.substring(FENCE.length())), events)) {
            events.say(rest);
        }
        inBlock = false;
    }

    private boolean step(ResponseEvents events) throws InterruptedException {
        if (!inBlock) {
            int fence = held.indexOf(FENCE);
            say(fence < 0 ? held.length() - heldBack() : fence, events);
            inBlock = fence >= 0;
            end.begin(FENCE.length());
        }
        return inBlock && block(events);
    }

    /**
     * Handles the open block. A fence ends the block if the text before the fence is JSON, or if the fence is at the
     * start of a line. Any other fence belongs to the arguments.
     */
    private boolean block(ResponseEvents events) throws InterruptedException {
        for (int at = end.next(held); at >= 0; at = end.next(held)) {
            Optional<JsonNode> json = read(held.substring(FENCE.length(), at));
            if (json.isPresent() || end.isAtLineStart()) {
                inBlock = false;
                if (call(json, events)) {
                    held.delete(0, at + END.length());
                } else {
                    say(at + END.length(), events);
                }
                return true;
            }
            end.markNoJson();
        }
        if (held.length() > MAX_LENGTH) {
            inBlock = false;
            say(held.length(), events);
        }
        return false;
    }

    /** Length of the end of the held text that may be the start of a fence. */
    private int heldBack() {
        for (int length = Math.min(FENCE.length() - 1, held.length()); length > 0; length--) {
            if (FENCE.startsWith(held.substring(held.length() - length))) {
                return length;
            }
        }
        return 0;
    }

    private void say(int characters, ResponseEvents events) throws InterruptedException {
        if (characters > 0) {
            String text = held.substring(0, characters);
            held.delete(0, characters);
            // Line breaks between two calls are no text.
            if (!text.isBlank() || events.calls().isEmpty()) {
                events.say(text);
            }
        }
    }

    private static boolean call(Optional<JsonNode> read, ResponseEvents events) throws InterruptedException {
        String name = read.map(json -> json.path("name").asString("")).orElse("");
        if (name.isBlank()) {
            return false;
        }
        JsonNode arguments = read.orElseThrow().path("arguments");
        ResponseEvents.OpenCall call = events.call(null, name.substring(0, Math.min(MAX_NAME, name.length())));
        call.end(arguments.isMissingNode() || arguments.isNull() ? "{}" : arguments.toString());
        return true;
    }

    private Optional<JsonNode> read(String inside) {
        parsed += inside.length();
        try {
            return Optional.of(Json.MAPPER.readTree(inside.strip())).filter(JsonNode::isObject);
        } catch (JacksonException broken) {
            return Optional.empty();
        }
    }
}
