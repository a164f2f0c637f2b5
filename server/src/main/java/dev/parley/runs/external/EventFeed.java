package dev.parley.runs.external;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.Change;
import dev.parley.log.Effect;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.runs.execution.RunJournal;
import dev.parley.runs.execution.RunLeases;
import dev.parley.runs.execution.RunLedger;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * Receives the events that drivers post, and writes them to the log. Between posts, a run's ledger is cached here; a
 * ledger that is not cached is restored from the log.
 */
final class EventFeed {
    /** Characters of runs' events that are cached between posts. */
    private static final long MAX_CACHED_CHARACTERS = 64L * 1024 * 1024;

    private final RunStore store;
    private final RunLeases leases;
    private final RunJournal journal;
    private final Cache<UUID, OpenLedger> open = Caffeine.newBuilder()
            .maximumWeight(MAX_CACHED_CHARACTERS)
            .weigher((UUID task, OpenLedger cached) ->
                    (int) Math.min(Integer.MAX_VALUE, 2_000 + cached.ledger().written()))
            .expireAfterAccess(Duration.ofMinutes(2))
            .build();

    EventFeed(RunStore store, RunLeases leases, RunJournal journal) {
        this.store = store;
        this.leases = leases;
        this.journal = journal;
    }

    /**
     * The cached ledger of a run that an external driver drives. It is valid for one epoch and one number of the next
     * event.
     */
    private record OpenLedger(RunLedger ledger, int epoch, long next) {}

    void forget(UUID task) {
        open.invalidate(task);
    }

    DriverStatus take(EventLanguage language, UUID task, DriverPost post) {
        Run run = store.find(task).orElseThrow(RunStore::noSuchRun);
        if (!(run.state() instanceof RunState.Unfinished from)) {
            return new DriverStatus(epoch(run), run.nextEvent(), true);
        }
        if (run.ending() != null) {
            // Another caller is about to end the run. Events taken now would be missing from its end.
            return new DriverStatus(from.epoch(), run.nextEvent(), true);
        }
        RunState.Running state = claimed(from);
        post.requireNext(run, from, state);
        List<JsonNode> fresh = post.newTo(run);
        if (fresh.isEmpty() && from instanceof RunState.Waiting) {
            // A sign of life does not resume a waiting run; its next event does.
            return new DriverStatus(state.epoch(), run.nextEvent(), false);
        }
        // All refusals are above: the rest is one command.
        List<Change> claim = from instanceof RunState.Running ? List.of() : journal.takenUp(run, state);
        if (!fresh.isEmpty()) {
            return append(language, run, from, state, claim, fresh);
        }
        boolean alive = claim.isEmpty() ? leases.renew(task, state.epoch()) : journal.carry(run, from, claim);
        return new DriverStatus(state.epoch(), run.nextEvent(), !alive);
    }

    /** The state in which the driver holds the run. For a queued or waiting run, the post itself causes this state. */
    private static RunState.Running claimed(RunState.Unfinished from) {
        return switch (from) {
            case RunState.Queued queued -> queued.claim(null, UUID.randomUUID());
            case RunState.Waiting waiting -> waiting.resume(UUID.randomUUID());
            case RunState.Running already -> already;
        };
    }

    private DriverStatus append(
            EventLanguage language,
            Run run,
            RunState.Unfinished from,
            RunState.Running state,
            List<Change> claim,
            List<JsonNode> events) {
        long next = run.nextEvent() + events.size();
        RunLedger ledger = ledgerOf(run, state);
        if (ledger.guard().isOver()) {
            return new DriverStatus(state.epoch(), run.nextEvent(), true);
        }
        // From here on this ledger is ahead of the log, until the append succeeds.
        open.invalidate(run.taskId());
        EventLanguage.Words translation = translate(language, run, ledger, events);
        List<String> lines = journal.write(ledger, translation.events());
        List<Change> before = new ArrayList<>(claim);
        before.addAll(ledger.children(translation.events()));
        before.add(new Change.Apply(
                new RunEffect.Fed(run.thread(), run.taskId(), run.nextEvent(), next, lines.isEmpty())));
        translation.effects().forEach(effect -> before.add(new Change.Apply(effect)));
        boolean over = ledger.guard().isOver();
        if (!over && !lines.isEmpty()) {
            before.add(new Change.Emit(run.taskId(), run.agent(), lines));
        }
        RunState.Unfinished then = !over && translation.pauses() ? state.pause() : state;
        if (then instanceof RunState.Waiting) {
            before.add(new Change.Apply(RunEffect.Moved.to(run, then)));
            before.add(RunUpdate.of(run, then));
        }
        try {
            RunLedger.appendEnd(
                    again -> {
                        List<Change> changes = new ArrayList<>(before);
                        if (over) {
                            changes.addAll(ledger.ending(lines, state, again));
                        }
                        return changes;
                    },
                    changes -> journal.append(run, from, changes));
        } catch (ProblemException refused) {
            return stopped(run, refused);
        }
        // After its pause, the run continues under the epoch that it has when it resumes.
        int epoch = claimed(then).epoch();
        if (!over) {
            open.put(run.taskId(), new OpenLedger(ledger, epoch, next));
        }
        return new DriverStatus(epoch, next, over);
    }

    private RunLedger ledgerOf(Run run, RunState.Running state) {
        OpenLedger cached = open.getIfPresent(run.taskId());
        return cached != null && cached.epoch() == state.epoch() && cached.next() == run.nextEvent()
                ? cached.ledger()
                : journal.restore(run, journal.eventsSoFar(run));
    }

    /** The events and effects that enter the log for the posted events. Events after the run's end are ignored. */
    private static EventLanguage.Words translate(
            EventLanguage language, Run run, RunLedger ledger, List<JsonNode> events) {
        RunProgress progress = new RunProgress(run, ledger.guard());
        List<AguiEvent> entering = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        boolean pauses = false;
        for (int i = 0; i < events.size() && !ledger.guard().isOver(); i++) {
            EventLanguage.Words words = language.read(events.get(i), run.nextEvent() + i, progress);
            words.events().forEach(event -> entering.addAll(ledger.accept(event)));
            effects.addAll(words.effects());
            // The last event of a post decides whether the run pauses. An event after a pause resumes the run, as it
            // would in a separate post.
            pauses = words.pauses();
        }
        return new EventLanguage.Words(entering, effects, pauses);
    }

    /** A driver whose run is being ended is told to stop, without an error. */
    private DriverStatus stopped(Run before, ProblemException refused) {
        Run now = store.find(before.taskId()).orElseThrow(() -> refused);
        if (refused.problem() != Problem.RUN_TAKEN_OVER || !now.isOver() && now.ending() == null) {
            throw refused;
        }
        return new DriverStatus(epoch(now), now.nextEvent(), true);
    }

    private static int epoch(Run run) {
        return switch (run.state()) {
            case RunState.Unfinished unfinished -> unfinished.epoch();
            case RunState.Over over -> over.epoch();
        };
    }
}
