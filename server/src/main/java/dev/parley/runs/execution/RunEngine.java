package dev.parley.runs.execution;

import dev.parley.agents.Agent;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.Turn;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.runs.lifecycle.RunUpdate;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs on this node, each on a virtual thread of its own. Most runs begin with their start: the starter reserves a
 * slot here first. What had to wait is looked for when something may have freed its turn, or a second has
 * passed, and is claimed through the lane.
 */
public final class RunEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunEngine.class);
    private static final Duration REPAIR = Duration.ofSeconds(1);
    /** Between two looks: where many runs end, one look serves them all. */
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(10);
    /** How long a stopping server waits for the end of a run to be written. */
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(4);

    private final RunStore store;
    private final Log log;
    private final Clock clock;
    private final UUID node;
    private final RunSettings settings;
    private final RunEnder ender;
    private final Function<Actor, Optional<RegisteredAgent>> agents;
    private final Map<RegisteredAgent.Kind, Agent> kinds;
    private final RunTurns turns;
    private final BiFunction<Run, String, List<Actor>> mentions;
    private final QueuedRuns queue;
    private final RunSlots slots;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread dispatcher;
    /** Whether a released slot wakes the dispatcher; true while the queue is being read. */
    private volatile boolean full;
    /** Whether the last look ended without free slots; new runs then queue behind the waiting ones. */
    private volatile boolean crowded;
    /** Callers who had more runs waiting than their share when it was last looked: new runs of theirs wait behind them. */
    private volatile Set<Actor> overShare = Set.of();

    private volatile boolean stopping;

    /**
     * @param agents finds an agent
     * @param kinds how agents of each kind that we run are called
     * @param turns what its agent is given for a run
     */
    public RunEngine(
            RunStore store,
            QueuedRuns queue,
            Log log,
            Clock clock,
            UUID node,
            RunSettings settings,
            RunEnder ender,
            Function<Actor, Optional<RegisteredAgent>> agents,
            Map<RegisteredAgent.Kind, Agent> kinds,
            RunTurns turns,
            BiFunction<Run, String, List<Actor>> mentions) {
        this.store = store;
        this.queue = queue;
        this.slots = new RunSlots(settings.executing());
        this.log = log;
        this.clock = clock;
        this.node = node;
        this.settings = settings;
        this.ender = ender;
        this.agents = agents;
        this.kinds = kinds;
        this.turns = turns;
        this.mentions = mentions;
        this.dispatcher = Thread.ofPlatform().name("parley-runs").daemon().start(this::dispatch);
    }

    /** A run may be waiting, or its turn may have come: called after commits, on the lane's thread. */
    public void committed(List<Event> events) {
        if (events.stream().anyMatch(RunEngine::letsRunsBegin)) {
            wakeUps.release();
        }
    }

    /** That one has begun lets no other begin. */
    private static boolean letsRunsBegin(Event event) {
        return event instanceof Event.Announced announced
                && announced.type().equals(RunUpdate.TYPE)
                && !RunUpdate.stateIn(announced).equals(RunState.Running.WIRE);
    }

    /** A run is queued on a node without a free slot. */
    public void wake() {
        if (wakeUps.availablePermits() == 0) {
            wakeUps.release();
        }
    }

    public boolean hasRoom() {
        return !stopping && slots.free() > 0;
    }

    public Set<UUID> held() {
        return slots.tasks();
    }

    public boolean holdsOneIn(ThreadId thread) {
        return slots.holdsOneIn(thread);
    }

    /** Those whose agents are answering right now. */
    Set<UUID> answering() {
        return slots.answering();
    }

    /** The runs that have been going on for longer than a run may take. */
    List<UUID> overdue() {
        return slots.olderThan(settings.longest().toNanos());
    }

    /** How many callers have runs waiting that only their own share of the slots keeps from beginning. */
    public int callersOverShare() {
        return overShare.size();
    }

    /** Somebody has taken a run over: whatever its agent still says is lost. */
    public void takenOver(UUID task) {
        HeldRun run = slots.find(task);
        if (run != null) {
            run.stop();
        }
    }

    private void dispatch() {
        while (!stopping) {
            try {
                if (wakeUps.tryAcquire(REPAIR.toMillis(), TimeUnit.MILLISECONDS)) {
                    wakeUps.drainPermits();
                }
                claimAll();
                Thread.sleep(MIN_POLL_INTERVAL);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException unavailable) {
                LOG.debug("Queued runs are looked for later: {}", unavailable.toString());
            }
        }
    }

    /** Looks at everybody who has runs waiting, from where the last look ran out of slots. */
    private void claimAll() {
        // Said before anything is counted: a run that ends meanwhile either leaves room that is seen, or wakes.
        full = true;
        boolean fromStart = queue.isAtStart();
        Set<Actor> over = new HashSet<>();
        while (slots.free() > 0 && !stopping) {
            claim(queue.nextStarters(), over);
            if (queue.isAtStart()) {
                break;
            }
        }
        overShare = Set.copyOf(over);
        crowded = slots.free() == 0 || !queue.isAtStart();
        full = crowded || !over.isEmpty();
        if (!crowded && !fromStart) {
            // The first starters were not looked at this time.
            wake();
        }
    }

    /** @param over gets the callers who may have more waiting than their share lets begin */
    private void claim(List<QueuedRuns.Starter> starters, Set<Actor> over) {
        boolean more = !starters.isEmpty();
        while (more && !stopping) {
            int free = slots.free();
            Map<Actor, QueuedRuns.Room> rooms = new HashMap<>();
            for (QueuedRuns.Starter starter : starters) {
                QueuedRuns.Room room = slots.roomOf(starter);
                if (room.most() > 0) {
                    rooms.put(starter.actor(), room);
                } else {
                    over.add(starter.sharer());
                }
            }
            List<Run> found = rooms.isEmpty() || free == 0
                    ? List.of()
                    : queue.claimable(slots.tasks(), List.copyOf(rooms.values()), free);
            Map<Actor, Integer> started = new HashMap<>();
            for (Run run : found) {
                Actor sharer = Objects.requireNonNull(rooms.get(run.startedBy()))
                        .starter()
                        .sharer();
                if (start(run, sharer)) {
                    started.merge(run.startedBy(), 1, Integer::sum);
                } else {
                    over.add(sharer);
                }
            }
            started.forEach((starter, count) -> {
                QueuedRuns.Room room = Objects.requireNonNull(rooms.get(starter));
                if (count == room.most()) {
                    over.add(room.starter().sharer());
                }
            });
            more = !started.isEmpty() && found.size() == free && slots.free() > 0;
        }
    }

    /**
     * Reserves a slot for a run that begins with its start; empty if the run must queue. Taken before anything is
     * written: a run of this node that it does not hold is taken for abandoned.
     */
    public Optional<RunState.Running> offer(UUID task, ThreadId thread, Actor starter) {
        // While others wait for room here, nobody passes them.
        if (crowded) {
            return Optional.empty();
        }
        Actor sharer = queue.sharerOf(starter);
        if (overShare.contains(sharer) || !slots.hold(task, thread, sharer)) {
            return Optional.empty();
        }
        // Asked behind that: whoever stops this either sees what is held, or is seen here.
        if (stopping) {
            withdraw(task);
            return Optional.empty();
        }
        return Optional.of(RunState.Queued.FIRST.claim(node, UUID.randomUUID()));
    }

    /** The run was not written, or nobody knows whether it was: then the keeper finds it. */
    public void withdraw(UUID task) {
        slots.giveBack(task);
        if (full) {
            wakeUps.release();
        }
    }

    /** Executes a run that has a slot. */
    public void begin(Begun begun) {
        work(begun.run(), ours -> {
            ours.set(true);
            answer(
                    begun.run(),
                    List.of(ender.started(begun.run())),
                    begun.state(),
                    begun.agent(),
                    agent -> turns.of(begun));
        });
    }

    /** False if its sharer may not have a slot now. */
    private boolean start(Run run, Actor sharer) {
        boolean held = slots.hold(run.taskId(), run.thread(), sharer);
        if (held) {
            work(run, ours -> claimAndAnswer(run, ours));
        }
        return held;
    }

    private void claimAndAnswer(Run queued, AtomicBoolean ours) throws InterruptedException {
        Optional<RunState.Running> claimed = claim(queued);
        if (claimed.isPresent()) {
            ours.set(true);
            // Messages may have joined it until the moment of the claim.
            Run run = store.find(queued.taskId()).orElse(queued);
            // Of one that had never begun nothing has to be read back.
            List<AguiEvent> before = queued.firstPosition() == null ? List.of(ender.started(run)) : ender.logged(run);
            answer(run, before, claimed.get(), agents.apply(run.agent()).orElse(null), agent -> turns.of(run, agent));
        }
    }

    /** What is done for a run; notes when it is ours to execute. */
    private interface Work {
        void run(AtomicBoolean ours) throws InterruptedException;
    }

    private void work(Run run, Work work) {
        Thread.ofVirtual().name("parley-run-" + run.taskId()).start(() -> {
            AtomicBoolean ours = new AtomicBoolean();
            try {
                work.run(ours);
            } catch (InterruptedException stopped) {
                LOG.debug("Run {} was stopped", run.name());
            } catch (RuntimeException | Error failed) {
                // The sweeper finds it, since this node does not hold it any more.
                LOG.error("Run {} broke off", run.name(), failed);
            } finally {
                slots.giveBack(run.taskId());
                if (ours.get() && full) {
                    // Only now is there room for another; one not claimed would be tried again at once, and again.
                    wakeUps.release();
                }
            }
        });
    }

    private Optional<RunState.Running> claim(Run run) {
        if (!(run.state() instanceof RunState.Queued queued)) {
            return Optional.empty();
        }
        RunState.Running running = queued.claim(node, UUID.randomUUID());
        try {
            return ender.carry(run, queued, ender.beginning(run, running)) ? Optional.of(running) : Optional.empty();
        } catch (ProblemException refused) {
            if (refused.problem() == Problem.FORBIDDEN) {
                ender.end(run.taskId(), Intention.EXPEL);
            } else {
                LOG.debug("Run {} is not claimed now: {}", run.name(), refused.detail());
            }
            return Optional.empty();
        }
    }

    /** @param before what is in the log of the run */
    private void answer(
            Run run,
            List<AguiEvent> before,
            RunState.Running state,
            @Nullable RegisteredAgent agent,
            Function<RegisteredAgent, Turn> turn)
            throws InterruptedException {
        RunLedger ledger = ender.restore(run, before);
        if (ledger.guard().isOver()) {
            return;
        }
        RunWriter writer = new RunWriter(log, clock, run, state, ledger, settings.output());
        try {
            call(run, agent, turn, writer);
            writer.finish(text -> mentions.apply(run, text));
        } finally {
            writer.close();
        }
    }

    private void call(Run run, @Nullable RegisteredAgent asked, Function<RegisteredAgent, Turn> given, RunWriter writer)
            throws InterruptedException {
        HeldRun here = Objects.requireNonNull(slots.find(run.taskId()));
        try {
            Agent agent = asked == null ? null : kinds.get(asked.kind());
            if (asked == null || agent == null) {
                writer.fail("The agent is not one that this server runs.", "agent_unavailable");
                return;
            }
            Turn turn = given.apply(asked);
            if (!agent.asksModels()) {
                // What it could see is kept, whether it looks at it or not.
                turn.context();
            }
            here.answers(writer);
            try {
                agent.answer(turn, writer);
            } catch (InterruptedException ended) {
                if (!writer.isOver()) {
                    throw ended;
                }
                // It went on after the end of its run; what it said up to that end is its answer.
            } finally {
                here.hasAnswered();
            }
        } catch (RuntimeException failed) {
            if (here.isStopped()) {
                LOG.debug("The agent of run {} was stopped", run.name(), failed);
            } else {
                LOG.error("The agent of run {} failed", run.name(), failed);
            }
            writer.fail("The agent failed.", "agent_failed");
        }
    }

    /** Takes no new runs, and gives those under way some time; what is left then is stored as it is. */
    @Override
    public void close() {
        stopping = true;
        dispatcher.interrupt();
        join(dispatcher);
        long end = System.nanoTime() + settings.grace().toNanos();
        while (!slots.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        // Side by side: there is not much time left.
        List<Thread> enders = held().stream()
                .map(task -> Thread.startVirtualThread(() -> interrupt(task)))
                .toList();
        enders.forEach(RunEngine::join);
        slots.stopAll();
    }

    private void interrupt(UUID task) {
        try {
            ender.end(task, Intention.INTERRUPT);
        } catch (RuntimeException unavailable) {
            LOG.warn("Run of task {} is left to others: {}", task, unavailable.toString());
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(FINISH_TIMEOUT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
