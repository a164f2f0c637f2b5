package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.CommandOutcome;
import dev.parley.log.Event;
import dev.parley.log.Line;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.RunFence;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.SharedState;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunLines;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.Messages;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the events of runs back from the log, and appends to the log in the name of a run's holder. No other class for
 * runs reads the clock.
 */
public final class RunJournal {
    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

    private static final int PAGE = 500;

    private final RunStore store;
    private final Log log;
    private final LogReader reader;
    private final Messages messages;
    private final Clock clock;
    private final RunSettings settings;

    public RunJournal(RunStore store, Log log, LogReader reader, Messages messages, Clock clock, RunSettings settings) {
        this.store = store;
        this.log = log;
        this.reader = reader;
        this.messages = messages;
        this.clock = clock;
        this.settings = settings;
    }

    /** The event with which a run begins. */
    public RunEvent.Started started(RunIdentity run) {
        UUID parent = run.parent();
        return new RunEvent.Started(
                run.thread().toString(),
                run.runId(),
                RunAgentInput.PROTOCOL_VERSION,
                parent == null ? null : store.find(parent).map(Run::runId).orElse(null),
                null,
                new Common(clock.millis(), null, null));
    }

    /** The changes by which a holder claims a queued run or resumes a waiting run. */
    public List<Change> takenUp(Run run, RunState.Running state) {
        return RunBirth.takenUp(run, state, () -> started(run.identity()));
    }

    /**
     * The events of a run when a holder claims or resumes it: the events in the log, or only the first event if the run
     * never began.
     */
    public List<AguiEvent> eventsSoFar(Run run) {
        return run.positions().first() == null ? List.of(started(run.identity())) : logged(run);
    }

    /** The ledger of a run that has these events in the log. */
    public RunLedger restore(Run run, List<AguiEvent> logged) {
        return RunLedger.restore(
                run,
                logged,
                new SharedState(() -> store.state(run.thread()).map(RunStore.SharedState::json)),
                store.supersession(run),
                text -> messages.namedIn(run.thread(), run.agent(), text),
                settings.output());
    }

    /** The ledger of a run that has to end, even if its events in the log are inconsistent. */
    RunLedger restoreForEnd(Run run) {
        List<AguiEvent> logged = logged(run);
        try {
            return restore(run, logged);
        } catch (IllegalArgumentException nonsense) {
            LOG.error("Could not restore the events of run {}; ending it without them", run.name(), nonsense);
            return restore(run, logged.subList(0, 1));
        }
    }

    /** All events of a run that are in the log. */
    List<AguiEvent> logged(Run run) {
        return stretches(run).stream()
                .flatMap(stretch -> stretch.lines().stream())
                .map(line -> RunLines.read(line.json()))
                .toList();
    }

    /**
     * The events of a run up to a position; empty if compaction has merged deltas across the position, which happens
     * only in finished runs.
     */
    public Optional<List<AguiEvent>> loggedUntil(Run run, long position) {
        List<AguiEvent> events = new ArrayList<>();
        for (Event.Emitted stretch : stretches(run)) {
            for (Line line : stretch.lines()) {
                if (line.position() <= position) {
                    events.add(RunLines.read(line.json()));
                } else if (line.from() <= position) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(events);
    }

    private List<Event.Emitted> stretches(Run run) {
        List<Event.Emitted> all = new ArrayList<>();
        long after = run.positions().created();
        List<Event.Emitted> page = reader.emittedAfter(run.thread(), run.taskId(), after, PAGE);
        while (!page.isEmpty()) {
            all.addAll(page);
            after = page.getLast().position();
            page = page.size() < PAGE ? List.of() : reader.emittedAfter(run.thread(), run.taskId(), after, PAGE);
        }
        return all;
    }

    /**
     * The terminal event from the log, unless the event has expired. The event may contain more than the run's stored
     * result.
     */
    public Optional<RunEvent> lastEvent(Run run) {
        Long last = run.positions().last();
        return last == null
                ? Optional.empty()
                : reader.emittedAfter(run.thread(), run.taskId(), last - 1, 1).stream()
                        .map(stretch -> RunLines.read(stretch.lines().getLast().json()))
                        .filter(RunEvent.class::isInstance)
                        .map(RunEvent.class::cast)
                        .findFirst();
    }

    /** Adds events to a run's ledger, and returns them as the lines to append. */
    public List<String> write(RunLedger ledger, List<AguiEvent> entering) {
        return ledger.write(entering, clock.millis());
    }

    /** Appends in the name of a run; false if the run was taken from its holder. */
    public boolean carry(Run run, RunState.Unfinished held, List<Change> changes) {
        try {
            log.carry(command(run, held, changes), RunSettings.APPEND_TIMEOUT);
            return true;
        } catch (ProblemException refused) {
            if (refused.problem() == Problem.RUN_TAKEN_OVER) {
                return false;
            }
            throw refused;
        }
    }

    /** Appends in the name of a run for a caller that waits for it; throws if the run was taken over. */
    public CommandOutcome.Done append(Run run, RunState.Unfinished held, List<Change> changes) {
        return log.append(command(run, held, changes));
    }

    private static Command command(Run run, RunState.Unfinished held, List<Change> changes) {
        return new Command(UuidV7.next(), run.thread(), run.agent(), new RunFence(run.taskId(), held.epoch()), changes);
    }
}
