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

/** Checks the decisions about open interrupts that a client sends with a run. */
final class ResumeRules {
    private final RunStore store;

    ResumeRules(RunStore store) {
        this.store = store;
    }

    /**
     * Checks the form of the decisions; the append judges which questions are open. A new thread has no open questions.
     */
    static void requireWellFormed(RunAgentInput input, boolean known) {
        Set<String> named = new HashSet<>();
        for (int i = 0; i < input.resume().size(); i++) {
            String field = "resume[" + i + "].interruptId";
            if (!known) {
                throw ProblemException.invalidField(field, "names no open interrupt of this thread");
            }
            if (!named.add(input.resume().get(i).interruptId())) {
                throw ProblemException.invalidField(field, "is decided twice");
            }
        }
    }

    /**
     * Passes if the input decides about all open questions of each agent that it answers, because an agent cannot
     * resume with half of its answers.
     */
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
     * Passes if the input decides about no tool call, or if the caller may decide. Only users may decide, and the
     * decision must go to the agent that asked. Another agent would carry out a call that it never intended.
     */
    void requireMayDecide(Principal caller, ThreadId thread, RegisteredAgent agent, RunAgentInput input) {
        if (input.resume().isEmpty()) {
            return;
        }
        Map<String, RunStore.OpenInterrupt> open = store.openInterrupts(thread).stream()
                .filter(interrupt ->
                        ToolApproval.REASON.equals(interrupt.question().reason()))
                .collect(Collectors.toMap(
                        interrupt -> interrupt.question().id(), interrupt -> interrupt, (first, second) -> second));
        for (int i = 0; i < input.resume().size(); i++) {
            RunStore.OpenInterrupt interrupt = open.get(input.resume().get(i).interruptId());
            if (interrupt != null && !(caller instanceof Principal.User)) {
                throw new ProblemException(Problem.FORBIDDEN, "Only a user may decide about a tool call.");
            }
            if (interrupt != null && !interrupt.agent().equals(agent.actor())) {
                throw ProblemException.invalidField(
                        "resume[" + i + "].interruptId", "was asked by another agent: " + interrupt.agent());
            }
        }
    }
}
