package dev.parley.runs.execution;

import dev.parley.agents.RegisteredAgent;
import dev.parley.log.Entry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.threads.ThreadRoster;
import java.util.List;

/**
 * A run that began in the transaction of its start. What was known there need not be read again to execute it.
 *
 * @param agent who answers
 * @param input what it is given
 * @param roster who was in its thread
 * @param said the messages that came with it, in order; no other one followed them before it began
 */
public record FreshRun(
        Run run,
        RunState.Running state,
        RegisteredAgent agent,
        RunAgentInput input,
        ThreadRoster roster,
        List<Entry> said) {
    public FreshRun {
        said = List.copyOf(said);
    }
}
