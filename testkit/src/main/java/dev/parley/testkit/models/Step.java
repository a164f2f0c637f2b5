package dev.parley.testkit.models;

/** One step of a script. Pieces of text, thinking and arguments are deltas, which {@link Script#cutAfter} counts. */
sealed interface Step {
    record Text(String piece) implements Step {}

    record Thinking(String piece) implements Step {}

    record CallStart(ScriptedCall call) implements Step {}

    record CallPiece(ScriptedCall call, String piece, boolean last) implements Step {}

    record Wait(Hold hold) implements Step {}

    record Malformed() implements Step {}

    record Fault(String type, String message) implements Step {}

    default boolean isDelta() {
        return switch (this) {
            case Text text -> true;
            case Thinking thinking -> true;
            case CallPiece piece -> true;
            case CallStart start -> false;
            case Wait wait -> false;
            case Malformed malformed -> false;
            case Fault fault -> false;
        };
    }
}
