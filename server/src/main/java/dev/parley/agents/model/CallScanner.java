package dev.parley.agents.model;

import dev.parley.assembly.PromptedCalls;
import dev.parley.protocol.Json;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Finds the calls that a model makes in words, by fenced blocks of JSON, while it is still speaking: what may be the
 * start of such a block is held back until it is clear what it is. A block that is no call is said as it is.
 */
final class CallScanner {
    private static final String FENCE = PromptedCalls.START;
    private static final String END = PromptedCalls.END;

    /** A block that never ends is no block. */
    private static final int LONGEST = 64 * 1024;

    private static final int LONGEST_NAME = 128;

    private final StringBuilder held = new StringBuilder();

    void take(String delta, Voice voice) throws InterruptedException {
        held.append(delta);
        while (step(voice)) {
            // As long as something is found.
        }
    }

    /** Nothing more comes: what is held back was no call, unless only its last fence is missing. */
    void end(Voice voice) throws InterruptedException {
        String rest = held.toString();
        held.setLength(0);
        if (!rest.startsWith(FENCE) || !call(rest.substring(FENCE.length()), voice)) {
            voice.say(rest);
        }
    }

    private boolean step(Voice voice) throws InterruptedException {
        int fence = held.indexOf(FENCE);
        if (fence < 0) {
            say(held.length() - heldBack(), voice);
            return false;
        }
        if (fence > 0) {
            say(fence, voice);
        }
        int end = endOfBlock();
        if (end < 0) {
            if (held.length() > LONGEST) {
                say(held.length(), voice);
            }
            return false;
        }
        String inside = held.substring(FENCE.length(), end);
        if (call(inside, voice)) {
            held.delete(0, end + END.length());
        } else {
            say(end + END.length(), voice);
        }
        return true;
    }

    /** Three ticks inside the arguments end nothing: the first end counts that leaves JSON, or begins a line. */
    private int endOfBlock() {
        for (int end = held.indexOf(END, FENCE.length()); end >= 0; end = held.indexOf(END, end + 1)) {
            String inside = held.substring(FENCE.length(), end);
            if (read(inside.strip()).isPresent() || inside.stripTrailing().length() < inside.lastIndexOf('\n') + 1) {
                return end;
            }
        }
        return -1;
    }

    /** How much of the end may be the start of a fence. */
    private int heldBack() {
        for (int length = Math.min(FENCE.length() - 1, held.length()); length > 0; length--) {
            if (FENCE.startsWith(held.substring(held.length() - length))) {
                return length;
            }
        }
        return 0;
    }

    private void say(int characters, Voice voice) throws InterruptedException {
        if (characters > 0) {
            String said = held.substring(0, characters);
            held.delete(0, characters);
            // The line break before a call, or between two, belongs to neither.
            if (!said.isBlank() || voice.calls().isEmpty()) {
                voice.say(said);
            }
        }
    }

    private static boolean call(String inside, Voice voice) throws InterruptedException {
        Optional<JsonNode> read = read(inside.strip());
        String name = read.map(json -> json.path("name").asString("")).orElse("");
        if (name.isBlank()) {
            return false;
        }
        JsonNode arguments = read.orElseThrow().path("arguments");
        Voice.OpenCall call = voice.call(null, name.substring(0, Math.min(LONGEST_NAME, name.length())));
        call.end(arguments.isMissingNode() || arguments.isNull() ? "{}" : arguments.toString());
        return true;
    }

    private static Optional<JsonNode> read(String text) {
        try {
            return Optional.of(Json.MAPPER.readTree(text)).filter(JsonNode::isObject);
        } catch (JacksonException broken) {
            return Optional.empty();
        }
    }
}
