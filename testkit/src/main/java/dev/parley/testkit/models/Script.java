package dev.parley.testkit.models;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A model's answer to one request, independent of any provider. Every method returns a new script. */
public final class Script {
    private final List<Step> steps;
    private final Manner manner;

    private Script(List<Step> steps, Manner manner) {
        this.steps = List.copyOf(steps);
        this.manner = manner;
    }

    /** An empty answer. */
    public static Script answer() {
        return new Script(List.of(), Manner.PLAIN);
    }

    /** Adds text, with one delta for each piece. */
    public Script text(String... pieces) {
        return with(Stream.of(pieces).map(Step.Text::new));
    }

    /** Adds thinking before the text, with one delta for each piece. */
    public Script thinking(String... pieces) {
        return with(Stream.of(pieces).map(Step.Thinking::new));
    }

    /**
     * Adds a tool call. Several calls of one answer are parallel calls. A provider that does not stream arguments sends
     * the whole call when the last piece is due.
     *
     * @param id the id of the call; empty for no id, if the provider allows that
     * @param pieces the pieces of one JSON text; no pieces stand for {@code {}}
     */
    public Script call(String id, String name, String... pieces) {
        List<String> arguments = pieces.length == 0 ? List.of("{}") : List.of(pieces);
        ScriptedCall call = new ScriptedCall(calls().size(), id, name, arguments);
        int last = arguments.size() - 1;
        return with(Stream.concat(
                Stream.of(new Step.CallStart(call)),
                IntStream.rangeClosed(0, last).mapToObj(i -> new Step.CallPiece(call, arguments.get(i), i == last))));
    }

    public Script usage(int in, int out) {
        return usage(in, out, 0);
    }

    /** @param in the number of all tokens read, including tokens from a cache */
    public Script usage(int in, int out, int cached) {
        return with(manner.usage(new Usage(in, out, cached)));
    }

    /** Sets the reason for the end. By default, an answer with calls ends because of its calls. */
    public Script stop(Stop reason) {
        return with(manner.reason(reason));
    }

    /** Sets a reason for the end in words that no provider has published yet, or that only one provider uses. */
    public Script stop(String raw) {
        return with(manner.stop(raw));
    }

    /** Waits here until the test releases the hold or the client leaves. */
    public Script hold(Hold hold) {
        return with(Stream.of(new Step.Wait(hold)));
    }

    /** Sends a frame with broken JSON here, and goes on. */
    public Script malformed() {
        return with(Stream.of(new Step.Malformed()));
    }

    /**
     * Sends an error here, as the provider does after a status of 200, and ends the answer. The type is the provider's
     * own word.
     */
    public Script errorInStream(String type, String message) {
        return with(Stream.of(new Step.Fault(type, message)));
    }

    /**
     * Closes the connection within the answer, after this many pieces of text, thinking and arguments. Clients may drop
     * unread pieces; a hold before the cut gives them time.
     */
    public Script cutAfter(int deltas) {
        return with(manner.cutAfter(deltas));
    }

    /** Waits this long before each delta. */
    public Script slow(Duration pace) {
        return with(manner.pace(pace));
    }

    /** Reads the request and sends nothing, not even a status, until the client leaves or the server is closed. */
    public Script silent() {
        return with(manner.silent(true));
    }

    /** Refuses with the provider's own error body. */
    public Script status(int status, Map<String, String> headers, String message) {
        return with(manner.refusal(new Refusal(status, headers, message, null)));
    }

    /** Refuses with this literal body, in the provider's form or not. */
    public Script statusWithBody(int status, Map<String, String> headers, String body) {
        return with(manner.refusal(new Refusal(status, headers, "", body)));
    }

    private Script with(Stream<? extends Step> more) {
        return new Script(Stream.concat(steps.stream(), more).toList(), manner);
    }

    private Script with(Manner changed) {
        return new Script(steps, changed);
    }

    List<Step> steps() {
        return steps;
    }

    Manner manner() {
        return manner;
    }

    Usage usage() {
        return manner.usage();
    }

    boolean isCut() {
        return manner.cutAfter() != Manner.NEVER;
    }

    /** The reason for the end in the provider's words. The map has the provider's word for each reason. */
    String stopIn(Map<Stop, String> words) {
        if (!manner.stop().isEmpty()) {
            return manner.stop();
        }
        Stop fitting = calls().isEmpty() ? Stop.END : Stop.CALLS;
        return words.getOrDefault(Objects.requireNonNullElse(manner.reason(), fitting), "");
    }

    String wholeText() {
        return steps.stream()
                .map(step -> step instanceof Step.Text(String piece) ? piece : "")
                .collect(Collectors.joining());
    }

    String wholeThinking() {
        return steps.stream()
                .map(step -> step instanceof Step.Thinking(String piece) ? piece : "")
                .collect(Collectors.joining());
    }

    List<ScriptedCall> calls() {
        return steps.stream()
                .flatMap(step -> step instanceof Step.CallStart(ScriptedCall call) ? Stream.of(call) : Stream.empty())
                .toList();
    }
}
