package dev.parley.runs.execution;

import dev.parley.limits.FairShares;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The slots of this node for runs, the runs that hold them, and the actors whose shares these runs use. */
final class RunSlots {
    private final Map<UUID, HeldRun> held = new ConcurrentHashMap<>();
    private final FairShares<Actor> shares;

    RunSlots(int slots) {
        this.shares = new FairShares<>(slots);
    }

    /**
     * Takes a slot for a run; false if the run's sharer may not have a slot now, or if the run already holds a slot.
     */
    boolean hold(UUID task, ThreadId thread, Actor sharer) {
        if (!shares.tryTake(sharer)) {
            return false;
        }
        if (held.putIfAbsent(task, new HeldRun(thread, sharer)) != null) {
            shares.giveBack(sharer);
            return false;
        }
        return true;
    }

    void giveBack(UUID task) {
        HeldRun run = held.remove(task);
        if (run != null) {
            shares.giveBack(run.sharer());
        }
    }

    int free() {
        return shares.free();
    }

    QueuedRuns.Room roomOf(QueuedRuns.Starter starter) {
        return new QueuedRuns.Room(starter, shares.held(starter.sharer()), shares.allowance(starter.sharer()));
    }

    @Nullable
    HeldRun find(UUID task) {
        return held.get(task);
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    Set<UUID> tasks() {
        return Set.copyOf(held.keySet());
    }

    boolean holdsOneIn(ThreadId thread) {
        return held.values().stream().anyMatch(each -> each.thread().equals(thread));
    }

    /** The runs whose agents are answering right now. */
    Set<UUID> answering() {
        return held.entrySet().stream()
                .filter(each -> each.getValue().isAnswering())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The runs that this node has held for longer than this number of nanoseconds. */
    List<UUID> olderThan(long nanos) {
        return held.entrySet().stream()
                .filter(each -> System.nanoTime() - each.getValue().since() > nanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    void stopAll() {
        held.values().forEach(HeldRun::stop);
    }
}
