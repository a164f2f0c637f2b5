package dev.parley.runs;

import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.tools.ToolApproval;
import dev.parley.auth.Principal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.RunStore;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules of the decisions about open interrupts that a client brings with a run. */
final class ResumeRules {
    private final RunStore store;

    ResumeRules(RunStore store) {
        this.store = store;
    }

    /** Which questions are open is judged with the append; a thread that is not there yet has none. */
    static void requireWellFormed(RunAgentInput input, boolean known) {
        Set<String> named = new HashSet<>();
        for (int i = 0; i < input.resume().size(); i++) {
            String field = "resume[" + i + "].interruptId";
            if (!known) {
                throw ProblemException.invalidField(field, "names no open interrupt of this thread");
            }
            if (!named.add(input.resume().get(i).interruptId())) {
                throw ProblemException.invalidField(field, "is decided about twice");
            }
        }
    }

    /** Passes if the input decides about all that an agent has asked: it cannot go on with half of its answers. */
    void requireAllDecided(ThreadId thread, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return;
        }
        Set<String> decided =
                input.resume().stream().map(ResumeEntry::interruptId).collect(Collectors.toSet());
        List<RunStore.OpenInterrupt> open = store.openInterrupts(thread);
        Set<Actor> asking = open.stream()
                .filter(each -> decided.contains(each.question().id()))
                .map(RunStore.OpenInterrupt::agent)
                .collect(Collectors.toSet());
        List<String> left = open.stream()
                .filter(each -> asking.contains(each.agent()))
                .map(each -> each.question().id())
                .filter(id -> !decided.contains(id))
                .toList();
        if (!left.isEmpty()) {
            throw ProblemException.invalidField(
                    "resume", "must decide about every open interrupt; missing: " + String.join(", ", left));
        }
    }

    /**
     * Passes unless the caller decides about the call of a tool and may not. Only people decide, and the decision goes to
     * the agent that wants to call it: another one would carry out what it never meant.
     */
    void requireMayDecide(Principal caller, ThreadId thread, RegisteredAgent agent, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return;
        }
        Map<String, RunStore.OpenInterrupt> open = store.openInterrupts(thread).stream()
                .filter(asked -> ToolApproval.REASON.equals(asked.question().reason()))
                .collect(Collectors.toMap(asked -> asked.question().id(), asked -> asked, (first, second) -> second));
        for (int i = 0; i < input.resume().size(); i++) {
            RunStore.OpenInterrupt asked = open.get(input.resume().get(i).interruptId());
            if (asked != null && !(caller instanceof Principal.User)) {
                throw new ProblemException(Problem.FORBIDDEN, "Only a person may decide about the call of a tool.");
            }
            if (asked != null && !asked.agent().equals(agent.actor())) {
                throw ProblemException.invalidField(
                        "resume[" + i + "].interruptId", "was asked by another agent: " + asked.agent());
            }
        }
    }
}
