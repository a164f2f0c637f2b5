package dev.parley.testkit.models;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Performs one answer by its script. The answer ends at any point at which the client leaves. */
final class Performance {
    private final HttpConnection connection;
    private final CompletableFuture<Void> left;
    private final Dialect dialect;

    Performance(HttpConnection connection, CompletableFuture<Void> left, Dialect dialect) {
        this.connection = connection;
        this.left = left;
        this.dialect = dialect;
    }

    Ending perform(ModelRequest request, Script script) {
        try {
            Refusal refusal = script.manner().refusal();
            if (script.manner().silent()) {
                left.join();
                return Ending.LEFT;
            }
            if (refusal != null) {
                return refuse(refusal);
            }
            return dialect.streams(request) ? stream(request, script) : whole(request, script);
        } catch (IOException gone) {
            return Ending.LEFT;
        }
    }

    private Ending refuse(Refusal refusal) throws IOException {
        String raw = refusal.raw();
        String body = raw != null
                ? raw
                : dialect.error(refusal.status(), refusal.message()).toString();
        String type = body.stripLeading().startsWith("{") ? "application/json" : "text/plain";
        Map<String, String> headers = new LinkedHashMap<>(Map.of("content-type", type));
        headers.putAll(refusal.headers());
        connection.answer(refusal.status(), headers, body);
        return Ending.WHOLE;
    }

    /**
     * Writes the answer in one piece, after all holds and pauses of the script. An error in the stream becomes a
     * refusal, and a cut happens before the answer.
     */
    private Ending whole(ModelRequest request, Script script) throws IOException {
        for (Step step : script.steps()) {
            switch (step) {
                case Step.Wait wait -> waitFor(wait.hold());
                case Step.Fault fault -> {
                    return refuse(new Refusal(500, Map.of(), fault.message(), null));
                }
                case Step.Malformed malformed -> {
                    connection.answer(200, Map.of("content-type", "application/json"), "{\"cut short\": ");
                    return Ending.WHOLE;
                }
                case Step.Text text -> pause(script.manner().pace());
                case Step.Thinking thinking -> pause(script.manner().pace());
                case Step.CallPiece piece -> pause(script.manner().pace());
                case Step.CallStart start -> {}
            }
            if (left.isDone()) {
                return Ending.LEFT;
            }
        }
        if (script.isCut()) {
            return cut();
        }
        connection.answer(
                200,
                Map.of("content-type", "application/json"),
                dialect.whole(request, script).toString());
        return Ending.WHOLE;
    }

    private Ending stream(ModelRequest request, Script script) throws IOException {
        Turn turn = dialect.turn(request, script);
        connection.beginChunks(Map.of("content-type", dialect.streamType(), "cache-control", "no-cache"));
        write(turn.begin());
        int deltas = 0;
        for (Step step : script.steps()) {
            // A hold takes effect before the cut, so that a test can see the deltas arrive.
            if (deltas >= script.manner().cutAfter() && !(step instanceof Step.Wait)) {
                return cut();
            }
            if (step.isDelta()) {
                pause(script.manner().pace());
                deltas++;
            }
            if (left.isDone()) {
                return Ending.LEFT;
            }
            switch (step) {
                case Step.Text(String piece) -> write(turn.text(piece));
                case Step.Thinking(String piece) -> write(turn.thinking(piece));
                case Step.CallStart(ScriptedCall call) -> write(turn.callStart(call));
                case Step.CallPiece(ScriptedCall call, String piece, boolean last) ->
                    write(turn.callPiece(call, piece, last));
                case Step.Wait(Hold hold) -> waitFor(hold);
                case Step.Malformed() -> connection.chunk(turn.malformed());
                case Step.Fault(String type, String message) -> {
                    connection.chunk(turn.error(type, message));
                    connection.endChunks();
                    return Ending.WHOLE;
                }
            }
        }
        if (script.isCut()) {
            return cut();
        }
        if (left.isDone()) {
            return Ending.LEFT;
        }
        write(turn.end());
        connection.endChunks();
        return Ending.WHOLE;
    }

    /** Omits the last chunk, so that every client can detect the cut. */
    private Ending cut() throws IOException {
        connection.close();
        return Ending.CUT;
    }

    private void write(List<String> frames) throws IOException {
        for (String frame : frames) {
            connection.chunk(frame);
        }
    }

    private void waitFor(Hold hold) {
        CompletableFuture.anyOf(hold.reach(), left).join();
    }

    private void pause(Duration pace) {
        if (!pace.isZero()) {
            Hold.done(left, pace);
        }
    }
}
