package dev.parley.testkit.models;

import java.util.List;

/** One streamed answer while it is made: gives the frames of each step, as text ready for the wire. */
interface Turn {
    default List<String> begin() {
        return List.of();
    }

    List<String> text(String piece);

    List<String> thinking(String piece);

    default List<String> callStart(ScriptedCall call) {
        return List.of();
    }

    /** @param last whether the arguments are complete with this piece */
    List<String> callPiece(ScriptedCall call, String piece, boolean last);

    List<String> end();

    /** Tells of a failure where a frame of the answer should be. Nothing follows it. */
    String error(String type, String message);

    /** A frame that is cut short within its JSON but ends as a frame does. */
    String malformed();
}
