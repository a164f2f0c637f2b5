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
 * Writes the planned runs of all faces to the log. A run either begins at once in a slot of this node or is queued. The
 * launcher also ends the runs that a new run displaces.
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

    /** Passes if the caller is a user, because only users create threads. Other callers find no thread. */
    static void requireOwner(Principal caller) {
        if (!(caller instanceof Principal.User)) {
            throw new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread.");
        }
    }

    /** The thread for a caller who may run in it; empty if the thread does not exist yet. */
    Optional<ThreadRoster> findThread(Principal caller, ThreadId thread) {
        try {
            return Optional.of(access.requireAllowed(caller, thread, Capability.CAN_RUN));
        } catch (ProblemException refused) {
            if (refused.problem() != Problem.THREAD_NOT_FOUND) {
                throw refused;
            }
            // This check comes last, since the thread nearly always exists. If the thread exists now, it may have been
            // created after the first lookup.
            return access.isTaken(thread)
                    ? Optional.of(access.requireAllowed(caller, thread, Capability.CAN_RUN))
                    : Optional.empty();
        }
    }

    /** Refuses new runs while the server stops. */
    void requireOpen() {
        intake.requireOpen();
    }

    /**
     * A run to be started, after all checks.
     *
     * @param parent the run that the client named as the parent of this run
     * @param repeatedQuestion the message that the run answers anew, or that the client's new message replaces
     */
    record Plan(
            RunAgentInput input,
            RunOptions options,
            @Nullable UUID parent,
            @Nullable RevisedMessage repeatedQuestion,
            NewMessages newMessages) {}

    /** Writes a run and ends the runs that it displaces. A runId in use is refused with {@link Problem#KEY_REUSED}. */
    Run launch(Principal caller, ThreadId thread, Optional<ThreadRoster> known, RegisteredAgent agent, Plan plan) {
        resumes.requireMayDecide(caller, thread, agent, plan.input());
        ThreadRoster roster = known.orElseGet(() -> createThread(caller, thread, agent));
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
        RunStart start =
                new RunStart(identity, caller, plan.input(), joining, plan.repeatedQuestion(), plan.newMessages());
        Optional<Run> running = start.mayRunAtOnce() ? runAtOnce(start, agent, roster) : Optional.empty();
        return running.orElseGet(() -> queue(start));
    }

    /**
     * Creates the thread. Another caller may create the thread at the same moment with another agent, so the thread is
     * read afterwards.
     */
    private ThreadRoster createThread(Principal caller, ThreadId thread, RegisteredAgent agent) {
        requireOwner(caller);
        threads.createFor(caller, thread, agent.actor());
        return access.requireAllowed(caller, thread, Capability.CAN_RUN);
    }

    /** Starts a run on this node that begins in the same transaction; empty if the run has to wait for its turn. */
    private Optional<Run> runAtOnce(RunStart start, RegisteredAgent agent, ThreadRoster roster) {
        UUID task = start.run().taskId();
        Optional<RunState.Running> slot =
                engine.reserve(task, start.run().thread(), start.caller().actor());
        if (slot.isEmpty()) {
            return Optional.empty();
        }
        boolean executed = false;
        try {
            CommandOutcome.Done done = append(start, start.running(slot.get(), journal.started(start.run())));
            Run run = start.begun(slot.get(), done);
            List<Entry> entries =
                    done.entries().stream().map(CommandOutcome.Placed::entry).toList();
            engine.execute(new FreshRun(run, slot.get(), agent, start.input(), roster, entries));
            executed = true;
            return Optional.of(run);
        } catch (ProblemException refused) {
            // Another run may be active. The new run is then tried as a queued run, which is refused if necessary.
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
        CommandOutcome.Done done = log.append(
                new Command(UuidV7.next(), start.run().thread(), start.caller().actor(), changes));
        if (done.events().isEmpty()) {
            // Another run brought the same results at the same time, so this command was taken for its repetition.
            throw new ProblemException(
                    Problem.KEY_REUSED, "All messages of this run are in the thread already; send the next message.");
        }
        return done;
    }

    private Run require(UUID task) {
        return store.find(task).orElseThrow(() -> new IllegalStateException("Run " + task + " is gone"));
    }

    /** Ends the running runs that are marked to end, if the new run does not wait for its turn. */
    void makeWay(Run run) {
        if (Intention.towardsActive(run.identity().strategy()) != null) {
            store.unfinished(run.thread()).stream()
                    .filter(other -> other.ending() != null && other.state() instanceof RunState.Running)
                    .forEach(other -> termination.end(other.taskId(), Intention.CANCEL));
        }
    }
}
