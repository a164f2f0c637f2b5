package dev.parley.testkit.models;

import java.util.List;

/** One streamed answer in the making: returns the frames of each step, as text for the wire. */
interface Turn {
    default List<String> begin() {
        return List.of();
    }

    List<String> text(String piece);

    List<String> thinking(String piece);

    default List<String> callStart(ScriptedCall call) {
        return List.of();
    }

    /** @param last true if the arguments are complete with this piece */
    List<String> callPiece(ScriptedCall call, String piece, boolean last);

    List<String> end();

    /** A frame with an error in place of a frame of the answer; no frame may follow it. */
    String error(String type, String message);

    /** A frame that is cut short within its JSON but ends as a frame does. */
    String malformed();
}
