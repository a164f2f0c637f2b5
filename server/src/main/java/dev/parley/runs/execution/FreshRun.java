package dev.parley.runs.execution;

import dev.parley.agents.RegisteredAgent;
import dev.parley.log.Entry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.threads.ThreadRoster;
import java.util.List;

/**
 * A run that began in the transaction of its start, with the facts known from that transaction. The run is executed
 * without reading these facts again.
 *
 * @param agent the agent that answers
 * @param input the client's input
 * @param roster the members of the run's thread at its start
 * @param messages the messages that came with the run, in order; no other message followed them before the run began
 */
public record FreshRun(
        Run run,
        RunState.Running state,
        RegisteredAgent agent,
        RunAgentInput input,
        ThreadRoster roster,
        List<Entry> messages) {
    public FreshRun {
        messages = List.copyOf(messages);
    }
}
