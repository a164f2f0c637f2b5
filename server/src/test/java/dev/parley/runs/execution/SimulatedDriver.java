package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.runs.execution.SimulatedNodes.Node;
import dev.parley.runs.execution.SimulatedNodes.Step;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunBirth;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A driver of an external run: another node repeats each of its posts later, and every other driver pauses once. */
final class SimulatedDriver {
    /** The number of the event that pauses the run. */
    private static final long PAUSE = 2;

    private final SimulatedNodes nodes;
    private final SimulatedRuns runs;
    private final Actor agent;
    private final UUID task;
    private final Node other;
    private final boolean pauses;
    private final String name;

    SimulatedDriver(SimulatedNodes nodes, SimulatedRuns runs, Actor agent) {
        this.nodes = nodes;
        this.runs = runs;
        this.agent = agent;
        this.task = nodes.uuid();
        this.other = nodes.any();
        this.pauses = nodes.flip();
        this.name = "run " + task.getLeastSignificantBits();
    }

    @Nullable
    Step open() {
        RunState.Running state = RunState.Queued.FIRST.claim(null, nodes.uuid());
        RunIdentity run = SimulatedNodes.run(task, name, agent).drivenBy(Run.Driver.EXTERNAL);
        Optional<Problem> refusal =
                nodes.start(RunBirth.of(run).running(state, SimulatedNodes.started(run), List.of()));
        return refusal.isPresent() ? null : () -> post(0);
    }

    private @Nullable Step post(long number) {
        nodes.begin(other, null, () -> feed(number));
        return () -> {
            Step append = feed(number);
            return append == null
                    ? null
                    : () -> {
                        append.take();
                        return runs.row(task).nextEvent() > number ? () -> post(number + 1) : () -> post(number);
                    };
        };
    }

    private @Nullable Step feed(long number) {
        Run run = runs.row(task);
        if (!(run.state() instanceof RunState.Unfinished from) || from instanceof RunState.Queued) {
            return null;
        }
        if (run.nextEvent() != number) {
            return run.nextEvent() > number ? () -> null : null;
        }
        RunState.Running state =
                from instanceof RunState.Waiting waiting ? waiting.resume(nodes.uuid()) : (RunState.Running) from;
        if (state.epoch() != (pauses && number > PAUSE ? 3 : 1)) {
            return null;
        }
        RunLedger ledger = nodes.restore(run, runs.logged(task));
        if (ledger.guard().isOver()) {
            return null;
        }
        List<AguiEvent> entering = new ArrayList<>();
        if (number == 0) {
            entering.addAll(ledger.guard().accept(new TextEvent.Start("m")));
        } else if (number < 4) {
            entering.addAll(ledger.guard().accept(new TextEvent.Content("m", number + " ")));
        } else {
            entering.addAll(ledger.guard().accept(new RunEvent.Finished(SimulatedRuns.THREAD.toString(), name)));
        }
        List<String> lines = ledger.write(entering, 0);
        List<Change> changes = new ArrayList<>();
        if (from instanceof RunState.Waiting) {
            changes.add(RunUpdate.of(run, state));
            changes.add(new Change.Apply(RunEffect.Moved.to(run, state)));
        }
        changes.add(new Change.Apply(new RunEffect.Fed(SimulatedRuns.THREAD, task, number, number + 1, false)));
        boolean over = ledger.guard().isOver();
        if (!over) {
            changes.add(new Change.Emit(task, agent, lines));
        }
        if (pauses && number == PAUSE) {
            changes.add(new Change.Apply(RunEffect.Moved.to(run, state.pause())));
        }
        return () -> {
            RunLedger.appendEnd(
                    again -> {
                        List<Change> all = new ArrayList<>(changes);
                        if (over) {
                            all.addAll(ledger.ending(lines, state, again));
                        }
                        return all;
                    },
                    all -> nodes.carry(run, from, all));
            return null;
        };
    }
}
