package dev.parley.testkit.models;

import java.util.List;

/**
 * A tool call that a model makes.
 *
 * @param index the position of the call among the calls of its answer, from 0
 * @param pieces the arguments as a JSON text, in the pieces that providers stream
 */
record ScriptedCall(int index, String id, String name, List<String> pieces) {
    ScriptedCall {
        pieces = List.copyOf(pieces);
    }

    String arguments() {
        return String.join("", pieces);
    }
}
