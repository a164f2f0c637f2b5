package dev.parley.runs.lifecycle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.log.Effect;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadEffect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The unfinished runs of threads as this node's last batches left them. The remembered runs of a thread are valid as
 * long as the thread's head is the same, because every change to a run changes the head's position or its number of
 * facts. The remembered times may differ from the times in the database. No rule judges by these times.
 */
public final class RunMemory {
    private static final long MAX_RUNS = 200_000;

    private final Cache<ThreadId, ThreadRuns> threads = Caffeine.newBuilder()
            .maximumWeight(MAX_RUNS)
            .weigher((ThreadId thread, ThreadRuns runs) -> 1 + runs.unfinished().size())
            .build();

    /**
     * The runs of a thread, and the state of its head for which they are valid.
     *
     * @param position the last position of the head
     * @param facts the head's number of facts
     * @param unfinished the unfinished runs, the oldest first
     * @param newest the run that was opened last; null if that run is not known
     */
    private record ThreadRuns(
            long position,
            long facts,
            List<Run> unfinished,
            @Nullable UUID newest) {
        boolean isUnder(@Nullable Head head) {
            return head != null && position == head.lastPosition() && facts == head.facts();
        }
    }

    /**
     * The unfinished runs of the wanted threads that have a head, from memory or from the database. The list of a
     * thread without unfinished runs is empty.
     */
    public Map<ThreadId, List<Run>> unfinished(FactSource source, Collection<Head> heads, Collection<ThreadId> wanted)
            throws SQLException {
        Map<ThreadId, List<Run>> all = new HashMap<>();
        List<Head> unknown = new ArrayList<>();
        for (Head head : heads) {
            if (wanted.contains(head.thread())) {
                ThreadRuns runs = threads.getIfPresent(head.thread());
                if (runs != null && runs.isUnder(head)) {
                    all.put(head.thread(), runs.unfinished());
                } else {
                    unknown.add(head);
                }
            }
        }
        if (!unknown.isEmpty()) {
            Map<ThreadId, List<Run>> fresh = RunFacts.unfinished(
                    source.connection(), unknown.stream().map(Head::thread).toList());
            for (Head head : unknown) {
                List<Run> runs = fresh.getOrDefault(head.thread(), List.of());
                threads.put(head.thread(), new ThreadRuns(head.lastPosition(), head.facts(), runs, null));
                all.put(head.thread(), runs);
            }
        }
        return all;
    }

    /** The unfinished run with this id, if it is remembered for this head. */
    Optional<Run> find(Head head, UUID task) {
        ThreadRuns runs = threads.getIfPresent(head.thread());
        return runs == null || !runs.isUnder(head)
                ? Optional.empty()
                : runs.unfinished().stream()
                        .filter(run -> run.taskId().equals(task))
                        .findFirst();
    }

    /** True if no run was opened in the thread after this run; false if that is unknown. */
    boolean isNewest(Head head, UUID task) {
        ThreadRuns runs = threads.getIfPresent(head.thread());
        return runs != null && runs.isUnder(head) && task.equals(runs.newest());
    }

    /** Applies the effects of a committed batch to the remembered runs. */
    void remember(Map<ThreadId, Head> before, Map<ThreadId, Head> after, List<Effect> effects) {
        Map<ThreadId, UpdatedRuns> updated = new HashMap<>();
        after.forEach((thread, head) -> {
            ThreadRuns runs = threads.getIfPresent(thread);
            if (runs != null && runs.isUnder(before.get(thread))) {
                updated.put(thread, new UpdatedRuns(runs));
            }
        });
        for (Effect effect : effects) {
            switch (effect) {
                case RunEffect.RowEffect changed -> {
                    UpdatedRuns runs = updated.get(changed.thread());
                    if (runs != null) {
                        runs.apply(changed);
                    }
                }
                case ThreadEffect.Deleted deleted -> updated.remove(deleted.thread());
                default -> {}
            }
        }
        after.forEach((thread, head) -> {
            UpdatedRuns runs = updated.get(thread);
            if (runs != null && runs.known) {
                threads.put(thread, runs.under(head));
            } else {
                threads.invalidate(thread);
            }
        });
    }

    /** The runs of one thread while the effects of a batch are applied to them. */
    private static final class UpdatedRuns {
        private final List<Run> unfinished;
        private @Nullable UUID newest;
        private boolean known = true;

        UpdatedRuns(ThreadRuns runs) {
            this.unfinished = new ArrayList<>(runs.unfinished());
            this.newest = runs.newest();
        }

        ThreadRuns under(Head head) {
            return new ThreadRuns(head.lastPosition(), head.facts(), List.copyOf(unfinished), newest);
        }

        void apply(RunEffect.RowEffect effect) {
            switch (effect) {
                case RunEffect.Opened opened -> open(opened);
                case RunEffect.Moved moved
                when moved.to() instanceof RunState.Over ->
                    unfinished.removeIf(run -> run.taskId().equals(moved.task()));
                case RunEffect.Moved moved -> change(moved.task(), run -> moved(run, moved));
                case RunEffect.Joined joined -> change(joined.task(), run -> joined(run, joined.seq()));
                case RunEffect.Fed fed -> change(fed.task(), run -> fed(run, fed.next()));
                case RunEffect.Lifted lifted -> change(lifted.task(), RunMemory::lifted);
            }
        }

        private void open(RunEffect.Opened opened) {
            // A run that displaces other runs marks them by an SQL condition that is not repeated here. The runs of its
            // thread are therefore no longer known.
            known &= Intention.towardsActive(opened.run().strategy()) == null;
            unfinished.add(opened.toRun());
            newest = opened.run().taskId();
        }

        private void change(UUID task, UnaryOperator<Run> change) {
            unfinished.replaceAll(run -> run.taskId().equals(task) ? change.apply(run) : run);
        }
    }

    private static Run moved(Run run, RunEffect.Moved moved) {
        boolean runs = moved.to() instanceof RunState.Running;
        Long first = run.positions().first();
        return new Run(
                run.identity(),
                moved.to(),
                moved.to() instanceof RunState.Unfinished unfinished ? unfinished.attempts() : run.attempts(),
                runs && moved.intention() != null ? moved.intention() : run.ending(),
                run.triggers(),
                run.readsTo(),
                new Run.Positions(
                        run.positions().created(),
                        runs && first == null ? Long.valueOf(moved.position() + 1) : first,
                        run.positions().last()),
                run.nextEvent(),
                run.result(),
                run.times());
    }

    private static Run joined(Run run, long seq) {
        List<Long> triggers = new ArrayList<>(run.triggers());
        triggers.add(seq);
        return with(run, triggers, run.readsTo(), run.nextEvent());
    }

    private static Run fed(Run run, long next) {
        return with(run, run.triggers(), run.readsTo(), next);
    }

    private static Run lifted(Run run) {
        return with(run, run.triggers(), null, run.nextEvent());
    }

    private static Run with(Run run, List<Long> triggers, @Nullable Long readsTo, long nextEvent) {
        return new Run(
                run.identity(),
                run.state(),
                run.attempts(),
                run.ending(),
                triggers,
                readsTo,
                run.positions(),
                nextEvent,
                run.result(),
                run.times());
    }
}
