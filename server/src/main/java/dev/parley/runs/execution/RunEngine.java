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
 * Executes runs on this node, each on a virtual thread of its own. Most runs begin in the transaction of their start,
 * which reserves a slot here first. The dispatcher looks for queued runs when a commit may have freed a turn, and at
 * least every second. The dispatcher claims queued runs through the lane.
 */
public final class RunEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunEngine.class);
    private static final Duration REPAIR = Duration.ofSeconds(1);
    /** The pause between two looks at the queue. If many runs end within the pause, one look serves all of them. */
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(10);
    /** The time that a stopping server waits for the terminal event of a run to be written. */
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(4);

    private final QueuedRuns queue;
    private final RunSlots slots;
    private final RunExecution execution;
    private final RunTermination termination;
    private final RunSettings settings;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread dispatcher;
    /** True if a released slot wakes the dispatcher; always true while the queue is being read. */
    private volatile boolean full;
    /** True if the last look ended without free slots. New runs then queue after the waiting runs. */
    private volatile boolean crowded;
    /**
     * The callers that had more waiting runs than their share at the last look. Their new runs queue after the waiting
     * runs.
     */
    private volatile Set<Actor> overShare = Set.of();

    /** True if runs may wait for a turn; the end of a run then wakes the dispatcher. */
    private volatile boolean waiting = true;

    private volatile boolean stopping;

    public RunEngine(Database database, RunExecution execution, RunTermination termination, RunSettings settings) {
        this.queue = new QueuedRuns(database);
        this.slots = new RunSlots(settings.executing());
        this.execution = execution;
        this.termination = termination;
        this.settings = settings;
        this.dispatcher = Thread.ofPlatform().name("parley-runs").daemon().start(this::dispatch);
    }

    /**
     * Wakes the dispatcher if a run may be waiting or a turn may be free. Called after commits, on the lane's thread.
     */
    public void committed(List<Event> events) {
        if (events.stream().anyMatch(this::letsRunsBegin)) {
            wakeUps.release();
        }
    }

    /**
     * True if the event may let a queued run begin: a new run is queued, or a run has ended while other runs may wait.
     * The beginning of a run frees no turn.
     */
    private boolean letsRunsBegin(Event event) {
        if (!(event instanceof Event.Announced announced) || !announced.type().equals(RunUpdate.TYPE)) {
            return false;
        }
        String state = RunUpdate.stateIn(announced);
        return state.equals(RunState.Queued.FIRST.wire()) || waiting && !state.equals(RunState.Running.WIRE);
    }

    /** Wakes the dispatcher for a run that is queued on a node without a free slot. */
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

    /** The runs whose agents are answering. */
    Set<UUID> answering() {
        return slots.answering();
    }

    /** The executed runs that exceed the time limit. */
    List<UUID> overdue() {
        return slots.olderThan(settings.longest().toNanos());
    }

    /** The number of callers with runs that wait only because the callers' share of the slots is taken. */
    public int callersOverShare() {
        return overShare.size();
    }

    /** Stops a run that was taken over; further events of its agent are lost. */
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
                LOG.debug("Could not read the queued runs; retrying within a second: {}", unavailable.toString());
            }
        }
    }

    /** Looks at all starters of waiting runs, from the page at which the last look ran out of slots. */
    private void claimAll() {
        // This field is set before slots are counted. If a run ends meanwhile, its slot is counted or its end wakes the
        // dispatcher.
        full = true;
        // This field is set before the queue is read, so that a run that ends meanwhile wakes the dispatcher.
        waiting = true;
        boolean found = false;
        boolean fromStart = queue.isAtStart();
        Set<Actor> over = new HashSet<>();
        while (slots.free() > 0 && !stopping) {
            List<QueuedRuns.Starter> starters = queue.nextStarters();
            found |= !starters.isEmpty();
            claimFrom(starters, over);
            if (queue.isAtStart()) {
                break;
            }
        }
        overShare = Set.copyOf(over);
        crowded = slots.free() == 0 || !queue.isAtStart();
        full = crowded || !over.isEmpty();
        waiting = crowded || found || !fromStart;
        if (!crowded && !fromStart) {
            // This look skipped the first starters.
            wake();
        }
    }

    /** @param over receives the callers that may have more waiting runs than their share of the slots admits */
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
            List<Run> claimable = rooms.isEmpty() || free == 0
                    ? List.of()
                    : queue.claimable(slots.tasks(), List.copyOf(rooms.values()), free);
            Map<Actor, Integer> started = new HashMap<>();
            for (Run run : claimable) {
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
            more = !started.isEmpty() && claimable.size() == free && slots.free() > 0;
        }
    }

    /**
     * Reserves a slot for a run that begins with its start; empty if the run must queue. The slot is held before the
     * run is written, because the sweep treats a run of this node without a held slot as abandoned.
     */
    public Optional<RunState.Running> reserve(UUID task, ThreadId thread, Actor starter) {
        // No new run passes the runs that wait for a slot here.
        if (crowded) {
            return Optional.empty();
        }
        Actor sharer = queue.sharerOf(starter);
        if (overShare.contains(sharer) || !slots.hold(task, thread, sharer)) {
            return Optional.empty();
        }
        // This check comes after the hold. A concurrent close() therefore either sees the held slot or is seen here.
        if (stopping) {
            release(task);
            return Optional.empty();
        }
        return Optional.of(execution.firstHolding());
    }

    /**
     * Frees the slot of a run that was not written. If it is unknown whether the run was written, the keeper finds the
     * run.
     */
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

    /** Claims and executes a queued run; returns false if its sharer may not have a slot now. */
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
                LOG.debug("Run {} was stopped; this node gives up its slot", run.name());
            } catch (RuntimeException | Error failed) {
                // The sweep finds the run, since this node does not hold it any more.
                LOG.error("Could not execute run {}; the sweep rescues it", run.name(), failed);
            } finally {
                slots.giveBack(run.taskId());
                if (here.isClaimed() && full) {
                    // The dispatcher wakes after the slot is free. A run that was not claimed does not wake the
                    // dispatcher, which would try the same run again at once.
                    wakeUps.release();
                }
            }
        });
    }

    /**
     * Accepts no new runs, and gives the executing runs their grace period. Runs that are still executing afterwards
     * are ended as interrupted, with their partial answers.
     */
    @Override
    public void close() {
        stopping = true;
        dispatcher.interrupt();
        join(dispatcher);
        long end = System.nanoTime() + settings.grace().toNanos();
        while (!slots.isEmpty() && System.nanoTime() < end) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        // The runs are ended in parallel, since little time is left.
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
            LOG.warn(
                    "Could not end run of task {} at shutdown; a later sweep rescues it: {}",
                    task,
                    unavailable.toString());
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
