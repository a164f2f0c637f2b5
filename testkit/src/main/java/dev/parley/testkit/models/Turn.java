package dev.parley.testkit.models;

import java.util.List;

/** One streamed answer while it is produced. Each method returns the frames of one step, as text for the wire. */
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

    /** A frame whose JSON is cut short, but which ends as a frame does. */
    String malformed();
}
