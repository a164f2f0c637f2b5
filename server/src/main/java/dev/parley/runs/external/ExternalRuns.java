package dev.parley.runs.external;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.Log;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.execution.RunEnder;
import dev.parley.runs.execution.RunLeases;
import dev.parley.runs.execution.RunLedger;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunLines;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs that somebody drives from outside, by posting numbered events under an epoch. What was posted before is known by
 * its number, so a post can be repeated; a gap, or the epoch of somebody else, is refused. Between posts the run's
 * ledger is kept here if it can be, and read back from the log if not.
 */
public final class ExternalRuns {
    /** Characters of what runs have said that are kept between their posts. */
    private static final long MAX_CACHED_CHARACTERS = 64L * 1024 * 1024;

    private static final EventLanguage AGUI = new AguiLanguage();

    private final RunStore store;
    private final RunLeases leases;
    private final Log log;
    private final Threads threads;
    private final RunEnder ender;
    private final Clock clock;
    private final RunSettings settings;
    private final BiFunction<Run, String, List<Actor>> mentions;
    private final Cache<UUID, Open> open = Caffeine.newBuilder()
            .maximumWeight(MAX_CACHED_CHARACTERS)
            .weigher((UUID task, Open kept) ->
                    (int) Math.min(Integer.MAX_VALUE, 2_000 + kept.ledger().written()))
            .expireAfterAccess(Duration.ofMinutes(2))
            .build();

    /** The same few locks for all runs: two that share one wait for each other, which is all. */
    private final Object[] locks = Stream.generate(Object::new).limit(64).toArray();

    public ExternalRuns(
            RunStore store,
            RunLeases leases,
            Log log,
            Threads threads,
            RunEnder ender,
            Clock clock,
            RunSettings settings,
            BiFunction<Run, String, List<Actor>> mentions) {
        this.store = store;
        this.leases = leases;
        this.log = log;
        this.threads = threads;
        this.ender = ender;
        this.clock = clock;
        this.settings = settings;
        this.mentions = mentions;
    }

    /** A run that is being driven, as of its next event. */
    private record Open(RunLedger ledger, int epoch, long next) {}

    /**
     * A post.
     *
     * @param epoch null when the driver opens the run
     * @param first the number of the first event
     * @param events as they came; none are a sign of life
     */
    public record Post(@Nullable Integer epoch, long first, List<JsonNode> events) {
        public Post {
            events = List.copyOf(events);
        }

        /** Whether it may open a run: whoever knows an epoch, or begins in the middle, means one that is there. */
        public boolean isFirst() {
            return epoch == null && first == 0;
        }

        private boolean isKnown(Run run) {
            return first + events.size() <= run.nextEvent();
        }
    }

    /**
     * The answer to a post.
     *
     * @param next the number of the event that is expected next
     * @param stop whether the run is over: nothing more is taken
     */
    public record DriverStatus(int epoch, long next, boolean stop) {}

    public void takenOver(UUID task) {
        open.invalidate(task);
    }

    /** Takes a post of an agent that drives its run in AG-UI; the first one with an unused name opens the run. */
    public DriverStatus post(Principal caller, ThreadId thread, String runId, Post post) {
        caller.requireScope(Capability.CAN_RUN);
        if (!(caller instanceof Principal.Agent)) {
            throw new ProblemException(Problem.FORBIDDEN, "Only an agent drives its runs from outside.");
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

    /** Passes if all events of a post can be read: what cannot be read opens nothing. */
    public static void requireReadable(EventLanguage language, Post post) {
        for (int i = 0; i < post.events().size(); i++) {
            language.requireReadable(post.events().get(i), "events[" + i + "]");
        }
    }

    /** Takes a post of whoever drives the run, in the driver's language. */
    public DriverStatus post(ExternalDriver driver, ThreadId thread, String runId, Post post) {
        requireReadable(driver.language(), post);
        threads.requireAllowed(driver.caller(), thread, Capability.CAN_RUN);
        Run run = store.find(thread, runId).orElseGet(() -> open(driver, thread, runId, post));
        if (run.driver() != Run.Driver.EXTERNAL
                || !run.isRoot()
                || !driver.mayDrive().test(run)) {
            throw new ProblemException(Problem.RUN_TAKEN_OVER, "This run is not the caller's to drive.");
        }
        // One post of a run at a time; those of other nodes are told apart by their numbers, in the log.
        synchronized (lockOf(run.taskId())) {
            return feed(driver.language(), run.taskId(), post);
        }
    }

    private Object lockOf(UUID task) {
        return locks[Math.floorMod(task.hashCode(), locks.length)];
    }

    private Run open(ExternalDriver driver, ThreadId thread, String runId, Post post) {
        if (!post.isFirst()) {
            throw RunStore.noSuchRun();
        }
        Actor caller = driver.caller().actor();
        ExternalDriver.Opening opening = driver.opening().get();
        Actor agent = opening.agent();
        Optional<Run> parent = Optional.ofNullable(opening.parentRunId()).flatMap(name -> store.find(thread, name));
        UUID task = UuidV7.next();
        RunState.Running state = RunState.Queued.FIRST.claim(null, UUID.randomUUID());
        RunEvent begins = new RunEvent.Started(
                thread.toString(),
                runId,
                RunAgentInput.PROTOCOL_VERSION,
                parent.map(Run::runId).orElse(null),
                null,
                Common.NONE);
        List<Change> changes = new ArrayList<>(opening.along());
        changes.add(RunUpdate.of(runId, agent, state));
        changes.add(new Change.Apply(new RunEffect.Opened(
                task,
                thread,
                runId,
                agent,
                caller,
                Run.Driver.EXTERNAL,
                Run.Origin.CLIENT,
                MultitaskStrategy.ENQUEUE,
                parent.map(Run::taskId).orElse(null),
                null,
                state,
                null,
                null,
                null,
                false,
                0,
                0)));
        changes.add(new Change.Emit(task, agent, List.of(new RunLines(runId).write(begins, clock.millis()))));
        try {
            log.append(new Command(UuidV7.next(), thread, caller, changes));
            return store.find(thread, runId).orElseThrow(RunStore::noSuchRun);
        } catch (ProblemException refused) {
            // Somebody may have opened it at the same moment.
            Optional<Run> other =
                    refused.problem() == Problem.KEY_REUSED ? store.find(thread, runId) : Optional.empty();
            return other.orElseThrow(() -> refused);
        }
    }

    private DriverStatus feed(EventLanguage language, UUID task, Post post) {
        Run run = store.find(task).orElseThrow(RunStore::noSuchRun);
        if (!(run.state() instanceof RunState.Unfinished unfinished)) {
            return new DriverStatus(((RunState.Over) run.state()).epoch(), run.nextEvent(), true);
        }
        if (run.ending() != null) {
            // Somebody is about to end it: whatever came in between would not be in its end.
            return new DriverStatus(unfinished.epoch(), run.nextEvent(), true);
        }
        RunState.Running state = claimed(unfinished);
        if (!knowsEpoch(post, run, unfinished, state)) {
            throw new ProblemException(
                    Problem.RUN_TAKEN_OVER, "The run goes on under another epoch than that of this post.");
        }
        if (post.first() > run.nextEvent()) {
            throw new ProblemException(
                    Problem.EVENT_GAP,
                    "The next event is number " + run.nextEvent() + ", but this post begins with " + post.first()
                            + ".");
        }
        long known = Math.min(run.nextEvent() - post.first(), post.events().size());
        List<JsonNode> fresh = post.events().subList((int) known, post.events().size());
        if (fresh.isEmpty() && unfinished instanceof RunState.Waiting) {
            // A sign of life wakes nobody: it goes on when something happens.
            return new DriverStatus(state.epoch(), run.nextEvent(), false);
        }
        // All that can be refused has been: from here on it is one command.
        List<Change> claim = unfinished instanceof RunState.Running ? List.of() : ender.beginning(run, state);
        if (!fresh.isEmpty()) {
            return append(language, run, unfinished, state, claim, fresh);
        }
        boolean alive = claim.isEmpty() ? leases.heard(task, state.epoch()) : ender.carry(run, unfinished, claim);
        return new DriverStatus(state.epoch(), run.nextEvent(), !alive);
    }

    private static boolean knowsEpoch(Post post, Run run, RunState.Unfinished now, RunState.Running claimed) {
        if (post.epoch() == null) {
            return mayLackEpoch(run, post);
        }
        // Whoever paused it and was not answered comes again with the epoch that it had.
        return post.epoch() == claimed.epoch()
                || now instanceof RunState.Waiting && post.epoch() == now.epoch() - 1 && post.isKnown(run);
    }

    /** The first post has none yet, and may be repeated if its answer was lost. */
    private static boolean mayLackEpoch(Run run, Post post) {
        return run.nextEvent() == 0 || post.first() == 0 && post.isKnown(run);
    }

    /** The state in which its driver holds it; of a run that waited for its driver, the one that this post brings about. */
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
        Open kept = open.getIfPresent(run.taskId());
        RunLedger ledger = kept != null && kept.epoch() == state.epoch() && kept.next() == run.nextEvent()
                ? kept.ledger()
                : ender.restore(run, run.firstPosition() == null ? List.of(ender.started(run)) : ender.logged(run));
        if (ledger.guard().isOver()) {
            return new DriverStatus(state.epoch(), run.nextEvent(), true);
        }
        // Whatever happens now, this ledger is ahead of the log until the log has caught up.
        open.invalidate(run.taskId());
        EventLanguage.Words said = listen(language, run, ledger, events);
        List<String> lines = ledger.write(said.events(), clock.millis());
        List<Change> before = new ArrayList<>(claim);
        before.addAll(ledger.children(said.events()));
        before.add(new Change.Apply(new RunEffect.Fed(run.taskId(), run.nextEvent(), next)));
        said.effects().forEach(effect -> before.add(new Change.Apply(effect)));
        boolean over = ledger.guard().isOver();
        if (!over && !lines.isEmpty()) {
            before.add(new Change.Emit(run.taskId(), run.agent(), lines));
        }
        RunState.Unfinished then = !over && said.pauses() ? state.pause() : state;
        if (then instanceof RunState.Waiting) {
            before.add(new Change.Apply(RunEffect.Moved.to(run, then)));
            before.add(RunUpdate.of(run, then));
        }
        try {
            RunLedger.appendEnd(
                    again -> {
                        List<Change> changes = new ArrayList<>(before);
                        if (over) {
                            changes.addAll(ledger.ending(lines, state, text -> mentions.apply(run, text), again));
                        }
                        return changes;
                    },
                    changes -> log.append(new Command(
                            UuidV7.next(),
                            run.thread(),
                            run.agent(),
                            new RunFence(run.taskId(), from.epoch()),
                            changes)));
        } catch (ProblemException refused) {
            return stopped(run, refused);
        }
        // A run that waits goes on under the epoch that it will have then.
        int epoch = claimed(then).epoch();
        if (!over) {
            open.put(run.taskId(), new Open(ledger, epoch, next));
        }
        return new DriverStatus(epoch, next, over);
    }

    /** All that enters the log for some events; what comes behind the run's end says nothing any more. */
    private EventLanguage.Words listen(EventLanguage language, Run run, RunLedger ledger, List<JsonNode> events) {
        RunProgress progress = new RunProgress(run, ledger.guard());
        List<AguiEvent> entering = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        boolean pauses = false;
        for (int i = 0; i < events.size() && !ledger.guard().isOver(); i++) {
            EventLanguage.Words words = language.read(events.get(i), run.nextEvent() + i, progress);
            words.events().forEach(event -> entering.addAll(ledger.accept(event, settings.output())));
            effects.addAll(words.effects());
            // Of a post the last event decides: whatever comes behind a pause goes on, as it does in a post of its own.
            pauses = words.pauses();
        }
        return new EventLanguage.Words(entering, effects, pauses);
    }

    /** A driver whose run is being ended is told to stop, not that it did something wrong. */
    private DriverStatus stopped(Run before, ProblemException refused) {
        Run now = store.find(before.taskId()).orElseThrow(() -> refused);
        if (refused.problem() != Problem.RUN_TAKEN_OVER || !now.isOver() && now.ending() == null) {
            throw refused;
        }
        return new DriverStatus(
                now.state() instanceof RunState.Unfinished unfinished
                        ? unfinished.epoch()
                        : ((RunState.Over) now.state()).epoch(),
                now.nextEvent(),
                true);
    }
}
