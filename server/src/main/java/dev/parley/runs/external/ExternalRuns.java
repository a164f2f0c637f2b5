package dev.parley.runs.external;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.execution.RunJournal;
import dev.parley.runs.execution.RunLeases;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.ThreadAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Runs of external drivers, which post numbered events under an epoch. A repeated post is recognised by the numbers of
 * its events. A gap, or the epoch of another driver, is refused.
 */
public final class ExternalRuns {
    private static final EventLanguage AGUI = new AguiLanguage();

    private final RunStore store;
    private final Log log;
    private final ThreadAccess access;
    private final RunJournal journal;
    private final EventFeed feed;

    /** A fixed number of locks for all runs. Two runs that share a lock wait for each other, which is harmless. */
    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    public ExternalRuns(RunStore store, RunLeases leases, Log log, ThreadAccess access, RunJournal journal) {
        this.store = store;
        this.log = log;
        this.access = access;
        this.journal = journal;
        this.feed = new EventFeed(store, leases, journal);
    }

    public void takenOver(UUID task) {
        feed.forget(task);
    }

    /** Takes a post of an agent that drives its run in AG-UI. The first post with an unused runId opens the run. */
    public DriverStatus post(Principal caller, ThreadId thread, String runId, DriverPost post) {
        caller.requireScope(Capability.CAN_RUN);
        if (!(caller instanceof Principal.Agent)) {
            throw new ProblemException(
                    Problem.FORBIDDEN, "Only an agent may drive an external run; use a token of the agent.");
        }
        Actor agent = caller.actor();
        return post(
                new ExternalDriver(
                        caller,
                        AGUI,
                        run -> run.agent().equals(agent),
                        () -> new ExternalDriver.Opening(agent, null, List.of())),
                thread,
                runId,
                post);
    }

    /** Takes a post of a run's driver, in the driver's language. */
    public DriverStatus post(ExternalDriver driver, ThreadId thread, String runId, DriverPost post) {
        post.requireReadable(driver.language());
        access.requireAllowed(driver.caller(), thread, Capability.CAN_RUN);
        Run run = store.find(thread, runId).orElseGet(() -> open(driver, thread, runId, post));
        if (run.driver() != Run.Driver.EXTERNAL
                || !run.isRoot()
                || !driver.mayDrive().test(run)) {
            throw new ProblemException(Problem.RUN_TAKEN_OVER, "The caller may not drive this run.");
        }
        // This node handles one post of a run at a time. The log recognises concurrent posts on other nodes by the
        // numbers of their events.
        synchronized (lockOf(run.taskId())) {
            return feed.take(driver.language(), run.taskId(), post);
        }
    }

    private Object lockOf(UUID task) {
        return locks[Math.floorMod(task.hashCode(), locks.length)];
    }

    private Run open(ExternalDriver driver, ThreadId thread, String runId, DriverPost post) {
        if (!post.isFirst()) {
            throw RunStore.noSuchRun();
        }
        Actor caller = driver.caller().actor();
        ExternalDriver.Opening opening = driver.opening().get();
        UUID parent = Optional.ofNullable(opening.parentRunId())
                .flatMap(name -> store.find(thread, name))
                .map(Run::taskId)
                .orElse(null);
        RunIdentity run = RunIdentity.of(UuidV7.next(), thread, runId, opening.agent(), caller)
                .askedFor(MultitaskStrategy.ENQUEUE)
                .drivenBy(Run.Driver.EXTERNAL)
                .under(parent);
        RunState.Running state = RunState.Queued.FIRST.claim(null, UUID.randomUUID());
        List<Change> changes = new ArrayList<>(opening.along());
        changes.addAll(RunBirth.of(run).running(state, journal.started(run), List.of()));
        try {
            log.append(new Command(UuidV7.next(), thread, caller, changes));
            return store.find(thread, runId).orElseThrow(RunStore::noSuchRun);
        } catch (ProblemException refused) {
            // Another post may have opened the run at the same moment.
            Optional<Run> other =
                    refused.problem() == Problem.KEY_REUSED ? store.find(thread, runId) : Optional.empty();
            return other.orElseThrow(() -> refused);
        }
    }
}
