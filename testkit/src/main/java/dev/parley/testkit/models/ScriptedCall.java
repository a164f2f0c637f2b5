package dev.parley.testkit.models;

import java.util.List;

/**
 * A tool call that a model makes.
 *
 * @param index which of the calls of its answer it is, from 0
 * @param pieces its arguments, a JSON text, as they are streamed where the provider streams them
 */
public record ScriptedCall(int index, String id, String name, List<String> pieces) {
    public ScriptedCall {
        pieces = List.copyOf(pieces);
    }

    public String arguments() {
        return String.join("", pieces);
    }
}
