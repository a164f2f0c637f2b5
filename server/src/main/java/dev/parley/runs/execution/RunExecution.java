package dev.parley.runs.execution;

import dev.parley.agents.Agent;
import dev.parley.agents.Agents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.Turn;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes one run at a time: claims it, calls its agent, and writes the agent's events to the log. */
public final class RunExecution {
    private static final Logger LOG = LoggerFactory.getLogger(RunExecution.class);

    private final RunStore store;
    private final RunJournal journal;
    private final RunTermination termination;
    private final RunTurns turns;
    private final Agents agents;
    private final Map<RegisteredAgent.Kind, Agent> kinds;
    private final UUID node;

    /** @param kinds the implementations that call agents, by the kinds of agents that this server runs */
    public RunExecution(
            RunStore store,
            RunJournal journal,
            RunTermination termination,
            RunTurns turns,
            Agents agents,
            Map<RegisteredAgent.Kind, Agent> kinds,
            UUID node) {
        this.store = store;
        this.journal = journal;
        this.termination = termination;
        this.turns = turns;
        this.agents = agents;
        this.kinds = kinds;
        this.node = node;
    }

    /** The state of a run that this node holds from the run's start on. */
    RunState.Running firstHolding() {
        return RunState.Queued.FIRST.claim(node, UUID.randomUUID());
    }

    /** Claims a queued run and executes it. Does nothing if another node was faster or the run may not begin. */
    void claimAndAnswer(Run queued, HeldRun here) throws InterruptedException {
        Optional<RunState.Running> claimed = claim(queued);
        if (claimed.isPresent()) {
            here.claimed();
            // Messages may have joined the run until the moment of the claim.
            Run run = store.find(queued.taskId()).orElse(queued);
            RunLedger ledger = journal.restore(run, journal.eventsSoFar(queued));
            answer(run, claimed.get(), ledger, here, agents.find(run.agent()), agent -> turns.of(run, agent));
        }
    }

    /** Executes a run that began in the transaction of its start. */
    void answer(FreshRun fresh, HeldRun here) throws InterruptedException {
        here.claimed();
        Run run = fresh.run();
        RunLedger ledger = journal.restore(run, List.of(journal.started(run.identity())));
        answer(run, fresh.state(), ledger, here, Optional.of(fresh.agent()), agent -> turns.of(fresh));
    }

    private Optional<RunState.Running> claim(Run run) {
        if (!(run.state() instanceof RunState.Queued queued)) {
            return Optional.empty();
        }
        RunState.Running running = queued.claim(node, UUID.randomUUID());
        try {
            return journal.carry(run, queued, journal.takenUp(run, running)) ? Optional.of(running) : Optional.empty();
        } catch (ProblemException refused) {
            if (refused.problem() == Problem.FORBIDDEN) {
                termination.end(run.taskId(), Intention.EXPEL);
            } else {
                LOG.debug("Could not claim run {}; it stays queued: {}", run.name(), refused.detail());
            }
            return Optional.empty();
        }
    }

    private void answer(
            Run run,
            RunState.Running state,
            RunLedger ledger,
            HeldRun here,
            Optional<RegisteredAgent> agent,
            Function<RegisteredAgent, Turn> turn)
            throws InterruptedException {
        if (ledger.guard().isOver()) {
            return;
        }
        RunWriter writer = new RunWriter(journal, run, state, ledger);
        try {
            call(run, agent, turn, writer, here);
            writer.finish();
        } finally {
            writer.close();
        }
    }

    private void call(
            Run run,
            Optional<RegisteredAgent> registered,
            Function<RegisteredAgent, Turn> given,
            RunWriter writer,
            HeldRun here)
            throws InterruptedException {
        try {
            Optional<Agent> kind = registered.map(known -> kinds.get(known.kind()));
            if (kind.isEmpty()) {
                writer.fail("The agent is not one that this server runs.", "agent_unavailable");
                return;
            }
            Agent agent = kind.get();
            Turn turn = given.apply(registered.get());
            if (!agent.asksModels()) {
                // This call stores the context, even if the agent never reads it.
                turn.context();
            }
            here.beginAnswer(writer);
            try {
                agent.answer(turn, writer);
            } catch (InterruptedException ended) {
                if (!writer.isOver()) {
                    throw ended;
                }
                // The agent continued after the end of its run. The events before that end are the agent's answer.
            } finally {
                here.endAnswer();
            }
        } catch (RuntimeException failed) {
            if (here.isStopped()) {
                LOG.debug("Agent of run {} failed after the run was stopped", run.name(), failed);
            } else {
                LOG.error("Agent of run {} failed; the run ends with agent_failed", run.name(), failed);
            }
            writer.fail("The agent failed.", "agent_failed");
        }
    }
}
