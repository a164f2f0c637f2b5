package dev.parley.runs.execution;

import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Intention;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunSettings;
import dev.parley.runs.lifecycle.RunState;
import dev.parley.runs.lifecycle.RunUpdate;
import dev.parley.storage.Database;
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
import java.util.concurrent.locks.LockSupport;
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

    private final QueuedRuns queue;
    private final RunSlots slots;
    private final RunExecution execution;
    private final RunTermination termination;
    private final RunSettings settings;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread dispatcher;
    /** Whether a released slot wakes the dispatcher; true while the queue is being read. */
    private volatile boolean full;
    /** Whether the last look ended without free slots; new runs then queue behind the waiting ones. */
    private volatile boolean crowded;
    /** Callers who had more runs waiting than their share when it was last looked: new runs of theirs wait behind them. */
    private volatile Set<Actor> overShare = Set.of();

    private volatile boolean stopping;

    public RunEngine(Database database, RunExecution execution, RunTermination termination, RunSettings settings) {
        this.queue = new QueuedRuns(database);
        this.slots = new RunSlots(settings.executing());
        this.execution = execution;
        this.termination = termination;
        this.settings = settings;
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
            claimFrom(queue.nextStarters(), over);
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
    private void claimFrom(List<QueuedRuns.Starter> starters, Set<Actor> over) {
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
                if (tryToExecute(run, sharer)) {
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
    public Optional<RunState.Running> reserve(UUID task, ThreadId thread, Actor starter) {
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
            release(task);
            return Optional.empty();
        }
        return Optional.of(execution.firstHolding());
    }

    /** The run was not written, or nobody knows whether it was: then the keeper finds it. */
    public void release(UUID task) {
        slots.giveBack(task);
        if (full) {
            wakeUps.release();
        }
    }

    /** Executes a run for which a slot was reserved. */
    public void execute(FreshRun fresh) {
        work(fresh.run(), here -> execution.answer(fresh, here));
    }

    /** False if its sharer may not have a slot now. */
    private boolean tryToExecute(Run run, Actor sharer) {
        boolean held = slots.hold(run.taskId(), run.thread(), sharer);
        if (held) {
            work(run, here -> execution.claimAndAnswer(run, here));
        }
        return held;
    }

    private interface Work {
        void run(HeldRun here) throws InterruptedException;
    }

    private void work(Run run, Work work) {
        HeldRun here = Objects.requireNonNull(slots.find(run.taskId()));
        Thread.ofVirtual().name("parley-run-" + run.taskId()).start(() -> {
            try {
                work.run(here);
            } catch (InterruptedException stopped) {
                LOG.debug("Run {} was stopped", run.name());
            } catch (RuntimeException | Error failed) {
                // The sweep finds it, since this node does not hold it any more.
                LOG.error("Run {} broke off", run.name(), failed);
            } finally {
                slots.giveBack(run.taskId());
                if (here.isClaimed() && full) {
                    // Only now is there room for another; one not claimed would be tried again at once, and again.
                    wakeUps.release();
                }
            }
        });
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
        List<Thread> endings = held().stream()
                .map(task -> Thread.startVirtualThread(() -> interrupt(task)))
                .toList();
        endings.forEach(RunEngine::join);
        slots.stopAll();
    }

    private void interrupt(UUID task) {
        try {
            termination.end(task, Intention.INTERRUPT);
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
