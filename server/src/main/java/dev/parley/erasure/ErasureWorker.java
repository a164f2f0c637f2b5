package dev.parley.erasure;

import dev.parley.auth.Audit;
import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes erasures in the background, the oldest one first, each on one node at a time. A node that dies loses its
 * lease, and another node continues.
 */
final class ErasureWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ErasureWorker.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofSeconds(60);
    private static final Duration LAST_PIECE = Duration.ofSeconds(10);

    private final Database database;
    private final ErasureStore store;
    private final PersonsThreads persons;
    private final PersonEraser person;
    private final ThreadEraser threads;
    private final QuoteEraser quotes;
    private final Audit audit;
    private final UUID holder = UUID.randomUUID();
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-erasure").daemon().factory());
    private final ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-erasure-lease").daemon().factory());
    /** The erasure in progress; its lease is renewed, since a piece may take longer than a lease. */
    private volatile @Nullable UUID current;

    private volatile boolean closed;

    ErasureWorker(
            Database database,
            ErasureStore store,
            PersonsThreads persons,
            PersonEraser person,
            ThreadEraser threads,
            QuoteEraser quotes,
            Audit audit) {
        this.database = database;
        this.store = store;
        this.persons = persons;
        this.person = person;
        this.threads = threads;
        this.quotes = quotes;
        this.audit = audit;
        worker.scheduleWithFixedDelay(this::work, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        long interval = LEASE.toMillis() / 4;
        keeper.scheduleWithFixedDelay(this::keepLease, interval, interval, TimeUnit.MILLISECONDS);
    }

    /** Starts a pass now. */
    void wake() {
        try {
            worker.execute(this::work);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("Erasure requested while stopping; another node executes it");
        }
    }

    private void work() {
        try {
            Optional<Erasure> next = store.lease(holder, LEASE);
            while (next.isPresent() && !closed) {
                tryExecute(next.get());
                next = store.lease(holder, LEASE);
            }
            // Erasures remove the quotes that they mark. Retention also marks quotes, and a quote that is stored after
            // the erasure of its message is marked at once. Such quotes are removed here.
            if (!closed && !quotes.drain(null, () -> !closed)) {
                LOG.debug("Quotes of erased messages still wait for runs that have read them");
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("Could not execute erasures; retrying on the next pass: {}", unavailable.toString());
        }
    }

    /** Executes an erasure. An erasure that waits or fails is postponed, because it must not hold up the others. */
    private void tryExecute(Erasure erasure) {
        current = erasure.id();
        try {
            if (execute(erasure)) {
                return;
            }
        } catch (RuntimeException failed) {
            LOG.warn("Could not execute erasure {}; retrying later: {}", erasure.id(), failed.toString());
        } finally {
            current = null;
        }
        store.postpone(erasure.id(), holder);
    }

    private void keepLease() {
        UUID erasure = current;
        try {
            if (erasure != null && !store.lease(erasure, holder, LEASE)) {
                LOG.debug("Erasure {} was taken over by another node", erasure);
            }
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not renew the lease of erasure {}; retrying: {}", erasure, unavailable.toString());
        }
    }

    /** False if the erasure has to wait, or was taken over by another node. */
    private boolean execute(Erasure erasure) {
        Actor actor = erasure.actor();
        boolean marked = false;
        if (actor != null) {
            erasePerson(erasure, actor);
            while (persons.addNextThreads(erasure, actor)) {
                if (!mayContinue(erasure)) {
                    return false;
                }
            }
            while (quotes.mark(actor, erasure.before())) {
                marked = true;
                if (!mayContinue(erasure)) {
                    return false;
                }
            }
        }
        boolean waiting = false;
        Optional<ErasureTask> next = store.next(erasure.id(), actor, erasure.before(), new UUID(0, 0));
        while (next.isPresent()) {
            ErasureTask work = next.get();
            ThreadEraser.Progress progress = threads.advance(work);
            waiting |= progress == ThreadEraser.Progress.WAITING;
            marked |= progress == ThreadEraser.Progress.MOVED;
            if (!mayContinue(erasure)) {
                return false;
            }
            Optional<ErasureTask> same =
                    progress == ThreadEraser.Progress.MOVED ? store.again(work) : Optional.<ErasureTask>empty();
            next = same.or(() -> store.next(
                    erasure.id(), actor, erasure.before(), work.thread().value()));
        }
        waiting |= !quotes.drain(store.quotesMarkedAt(erasure.id(), marked), () -> mayContinue(erasure));
        return !waiting && (hasMore(erasure) || finish(erasure));
    }

    /** Renews the lease; false if the server stops, or another node has the lease. */
    private boolean mayContinue(Erasure erasure) {
        return !closed && store.lease(erasure.id(), holder, LEASE);
    }

    /** True if the actor has meanwhile joined threads, written messages in finished threads, or been quoted. */
    private boolean hasMore(Erasure erasure) {
        Actor actor = erasure.actor();
        return actor != null
                && (persons.addNew(erasure, actor)
                        || persons.reopen(erasure, actor)
                        || quotes.mark(actor, erasure.before()));
    }

    /** Erases the person's data outside of threads, unless only messages before a time are erased. */
    private void erasePerson(Erasure erasure, Actor actor) {
        if (erasure.before() == null) {
            person.erase(actor);
        }
    }

    private boolean finish(Erasure erasure) {
        if (erasure.actor() != null) {
            // Repeated, because calls made meanwhile may have stored a name, a key or a file again.
            erasePerson(erasure, erasure.actor());
        }
        return database.transact(handle -> {
            boolean finished = ErasureStore.finish(handle, erasure.id(), holder);
            if (finished) {
                audit.record(handle, Actor.SYSTEM, "erasure.finished", erasure.id() + " " + erasure.subject());
            }
            return finished;
        });
    }

    /** Finishes the current piece, and releases the lease so that another node continues at once. */
    @Override
    public void close() {
        closed = true;
        worker.shutdown();
        keeper.shutdownNow();
        try {
            if (!worker.awaitTermination(LAST_PIECE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Stopping before the current piece of an erasure has ended");
            }
            store.release(holder);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unavailable) {
            LOG.debug("Could not release the lease of an erasure; it expires: {}", unavailable.toString());
        }
    }
}
