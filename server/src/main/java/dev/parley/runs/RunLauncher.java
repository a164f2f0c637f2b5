package dev.parley.runs;

import dev.parley.agents.RegisteredAgent;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Entry;
import dev.parley.log.Log;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.execution.FreshRun;
import dev.parley.runs.execution.RunEngine;
import dev.parley.runs.execution.RunJournal;
import dev.parley.runs.execution.RunTermination;
import dev.parley.runs.input.NewMessages;
import dev.parley.runs.input.RunOptions;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.Participants;
import dev.parley.threads.RevisedMessage;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadEffect;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.Threads;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes planned runs down, whichever face planned them: at once with a slot of this node, or queued. And it makes way
 * for runs that do not wait.
 */
final class RunLauncher {
    private final RunStore store;
    private final Log log;
    private final Threads threads;
    private final ThreadAccess access;
    private final Participants participants;
    private final WorkIntake intake;
    private final ResumeRules resumes;
    private final RunRights rights;
    private final RunJournal journal;
    private final RunTermination termination;
    private final RunEngine engine;

    RunLauncher(
            RunStore store,
            Runs.Dependencies parts,
            ResumeRules resumes,
            RunRights rights,
            RunJournal journal,
            RunTermination termination,
            RunEngine engine) {
        this.store = store;
        this.log = parts.log();
        this.threads = parts.threads();
        this.access = parts.access();
        this.participants = parts.participants();
        this.intake = parts.intake();
        this.resumes = resumes;
        this.rights = rights;
        this.journal = journal;
        this.termination = termination;
        this.engine = engine;
    }

    static void requireScopes(Principal caller) {
        caller.requireScope(Capability.CAN_RUN);
        caller.requireScope(Capability.CAN_SEND);
    }

    /** Only users make threads: for all others one that is not there is not there. */
    static void requireOwner(Principal caller) {
        if (!(caller instanceof Principal.User)) {
            throw new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread.");
        }
    }

    /** The thread as the caller finds it; empty if there is none yet. One that the caller may not run in is refused. */
    Optional<ThreadRoster> known(Principal caller, ThreadId thread) {
        try {
            return Optional.of(access.requireAllowed(caller, thread, Capability.CAN_RUN));
        } catch (ProblemException refused) {
            if (refused.problem() != Problem.THREAD_NOT_FOUND) {
                throw refused;
            }
            // Asked only now: nearly always there is one. If there is, it may have been made in between.
            return access.isTaken(thread)
                    ? Optional.of(access.requireAllowed(caller, thread, Capability.CAN_RUN))
                    : Optional.empty();
        }
    }

    /** The run that is wanted is a new one: not while the server stops. */
    void requireOpen() {
        intake.requireOpen();
    }

    /**
     * Everything about a run that is to be started, once it is found to be possible.
     *
     * @param parent the run that its client named as its parent
     * @param again the message that is to be answered again, or whose place the new one takes
     */
    record Plan(
            RunAgentInput input,
            RunOptions options,
            @Nullable UUID parent,
            @Nullable RevisedMessage again,
            NewMessages said) {}

    /** Writes a run down, and makes way for it; refuses a name that is taken with {@link Problem#KEY_REUSED}. */
    Run launch(Principal caller, ThreadId thread, Optional<ThreadRoster> known, RegisteredAgent agent, Plan plan) {
        resumes.requireMayDecide(caller, thread, agent, plan.input());
        ThreadRoster roster = known.orElseGet(() -> made(caller, thread, agent));
        MultitaskStrategy strategy = plan.options().strategy();
        if (Intention.towardsActive(strategy) != null) {
            rights.requireMayDisplace(caller, roster, agent.actor(), strategy, store.unfinished(thread));
        }
        ThreadEffect joining =
                roster.member(agent.actor()).isPresent() ? null : participants.joining(caller, thread, agent.actor());
        RunIdentity identity = RunIdentity.of(
                        UuidV7.next(), thread, plan.input().runId(), agent.actor(), caller.actor())
                .askedFor(strategy)
                .drivenBy(agent.kind() == RegisteredAgent.Kind.EXTERNAL ? Run.Driver.EXTERNAL : Run.Driver.NODE)
                .under(plan.parent());
        RunStart start = new RunStart(identity, caller, plan.input(), joining, plan.again(), plan.said());
        Optional<Run> running = start.mayRunAtOnce() ? runAtOnce(start, agent, roster) : Optional.empty();
        return running.orElseGet(() -> queue(start));
    }

    /** Another caller may make it at the same moment, with another agent: what counts is how it is found then. */
    private ThreadRoster made(Principal caller, ThreadId thread, RegisteredAgent agent) {
        requireOwner(caller);
        threads.createFor(caller, thread, agent.actor());
        return access.requireAllowed(caller, thread, Capability.CAN_RUN);
    }

    /** Starts a run that begins in the same transaction, here; empty if it has to wait for its turn. */
    private Optional<Run> runAtOnce(RunStart start, RegisteredAgent agent, ThreadRoster roster) {
        UUID task = start.run().taskId();
        Optional<RunState.Running> slot =
                engine.reserve(task, start.run().thread(), start.caller().actor());
        if (slot.isEmpty()) {
            return Optional.empty();
        }
        boolean executed = false;
        try {
            List<Entry> said = append(start, start.running(slot.get(), journal.started(start.run()))).entries().stream()
                    .map(CommandOutcome.Placed::entry)
                    .toList();
            Run run = require(task);
            // It may have been ended before its agent was asked.
            if (run.state().equals(slot.get())) {
                engine.execute(new FreshRun(run, slot.get(), agent, start.input(), roster, said));
                executed = true;
            }
            return Optional.of(run);
        } catch (ProblemException refused) {
            // Something may be in its way: then it is judged as one that waits, and refused as such if it is.
            if (refused.problem() == Problem.RUN_ACTIVE || refused.problem() == Problem.FORBIDDEN) {
                return Optional.empty();
            }
            throw refused;
        } finally {
            if (!executed) {
                engine.release(task);
            }
        }
    }

    private Run queue(RunStart start) {
        append(start, start.queued());
        Run run = require(start.run().taskId());
        makeWay(run);
        return run;
    }

    private CommandOutcome.Done append(RunStart start, List<Change> changes) {
        return log.append(
                new Command(UuidV7.next(), start.run().thread(), start.caller().actor(), changes));
    }

    private Run require(UUID task) {
        return store.find(task).orElseThrow(() -> new IllegalStateException("Run " + task + " is gone"));
    }

    /** Ends what was marked for it when a run came that did not want to wait. */
    void makeWay(Run run) {
        if (Intention.towardsActive(run.identity().strategy()) != null) {
            store.unfinished(run.thread()).stream()
                    .filter(other -> other.ending() != null && other.state() instanceof RunState.Running)
                    .forEach(other -> termination.end(other.taskId(), Intention.CANCEL));
        }
    }
}
