package dev.parley.runs.execution;

import dev.parley.agents.RegisteredAgent;
import dev.parley.log.Entry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.threads.ThreadRoster;
import java.util.List;

/**
 * A run that has just begun in the transaction of its start. What was known there need not be read again to execute it.
 *
 * @param agent who answers
 * @param input what it is given
 * @param roster who was in its thread
 * @param said what was said along with it, in order; nothing came after that before it began
 */
public record Begun(
        Run run,
        RunState.Running state,
        RegisteredAgent agent,
        RunAgentInput input,
        ThreadRoster roster,
        List<Entry> said) {
    public Begun {
        said = List.copyOf(said);
    }
}
