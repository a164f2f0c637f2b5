package dev.parley.runs.external;

import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.guard.RunGuard;
import dev.parley.runs.guard.Span;
import dev.parley.runs.guard.SubagentState;
import dev.parley.runs.lifecycle.Run;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run, derived from its log. An owner is the id of a subagent's run, or null for the run's own agent.
 */
public final class RunProgress {
    private final Run run;
    private final RunGuard guard;
    private final Map<Object, ToolEvent.Start> lastCalls = new HashMap<>();
    private int callsFiled;

    public RunProgress(Run run, RunGuard guard) {
        this.run = run;
        this.guard = guard;
    }

    public Run run() {
        return run;
    }

    /** The text that this owner is streaming. */
    public Optional<String> openText(@Nullable String owner) {
        return guard.latest(Span.Kind.TEXT, owner).map(Span::id);
    }

    /** The thought that this owner is streaming. */
    public Optional<String> openThought(@Nullable String owner) {
        return guard.latest(Span.Kind.REASONING_MESSAGE, owner).map(Span::id);
    }

    /** This owner's thoughts, in order; empty thoughts are left out. */
    public List<CharSequence> thoughts(@Nullable String owner) {
        return guard.transcript().thoughts(owner);
    }

    /** True if this owner has streamed text. */
    public boolean hasSpoken(@Nullable String owner) {
        return guard.transcript().hasSpoken(owner);
    }

    public boolean hasCall(String id) {
        return guard.transcript().hasCall(id);
    }

    /**
     * The last call with this key.
     *
     * @param keysOf computes the keys of a call; it must always return the same keys for the same call
     */
    public Optional<ToolEvent.Start> lastCall(Object key, Function<ToolEvent.Start, ? extends List<?>> keysOf) {
        List<ToolEvent.Start> calls = guard.transcript().calls();
        for (; callsFiled < calls.size(); callsFiled++) {
            ToolEvent.Start call = calls.get(callsFiled);
            keysOf.apply(call).forEach(each -> lastCalls.put(each, call));
        }
        return Optional.ofNullable(lastCalls.get(key));
    }

    public boolean isAnswered(String call) {
        return guard.transcript().isAnswered(call);
    }

    /** The message to which this owner's next call belongs; empty if the call begins a message of its own. */
    public Optional<String> messageOfNextCall(@Nullable String owner) {
        return guard.transcript().messageOfNextCall(owner);
    }

    /** The message that this owner has begun last; empty if it has begun none. */
    public Optional<String> latestMessage(@Nullable String owner) {
        return guard.transcript().latestMessage(owner);
    }

    /** The state of a subagent. */
    public SubagentState progressOf(String id) {
        return guard.progressOf(id);
    }
}
