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
 * Carries erasures out in the background, the oldest one first, each by one node at a time. Whoever dies in the middle
 * loses its lease, and another node goes on.
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
    /** What is carried out right now: a piece may take longer than a lease lasts. */
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
        long often = LEASE.toMillis() / 4;
        keeper.scheduleWithFixedDelay(this::keepLease, often, often, TimeUnit.MILLISECONDS);
    }

    /** There is something to do. */
    void wake() {
        try {
            worker.execute(this::work);
        } catch (RejectedExecutionException stopping) {
            LOG.debug("Another node carries the erasure out");
        }
    }

    private void work() {
        try {
            Optional<Erasure> next = store.take(holder, LEASE);
            while (next.isPresent() && !closed) {
                tryToCarryOut(next.get());
                next = store.take(holder, LEASE);
            }
            // Retention marks quotes as well, and so does a message that was read from its platform before an erasure.
            if (!closed && !quotes.drain(null, () -> !closed)) {
                LOG.debug("Quotes of erased messages wait for runs that have read them");
            }
        } catch (RuntimeException unavailable) {
            LOG.warn("Erasures are carried out later: {}", unavailable.toString());
        }
    }

    /** One that waits or fails must not keep the others from being carried out. */
    private void tryToCarryOut(Erasure erasure) {
        current = erasure.id();
        try {
            if (carryOut(erasure)) {
                return;
            }
        } catch (RuntimeException failed) {
            LOG.warn("The erasure {} is tried again later: {}", erasure.id(), failed.toString());
        } finally {
            current = null;
        }
        store.putOff(erasure.id(), holder);
    }

    private void keepLease() {
        UUID erasure = current;
        try {
            if (erasure != null && !store.take(erasure, holder, LEASE)) {
                LOG.debug("The erasure {} is another node's now", erasure);
            }
        } catch (RuntimeException unavailable) {
            LOG.debug("The lease of an erasure is kept later: {}", unavailable.toString());
        }
    }

    /** False if it has to wait, or is another node's now. */
    private boolean carryOut(Erasure erasure) {
        Actor actor = erasure.actor();
        boolean marked = false;
        if (actor != null) {
            erasePerson(erasure, actor);
            while (persons.look(erasure, actor)) {
                if (!goOn(erasure)) {
                    return false;
                }
            }
            while (quotes.mark(actor, erasure.before())) {
                marked = true;
                if (!goOn(erasure)) {
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
            if (!goOn(erasure)) {
                return false;
            }
            Optional<ErasureTask> same =
                    progress == ThreadEraser.Progress.MOVED ? store.again(work) : Optional.<ErasureTask>empty();
            next = same.or(() -> store.next(
                    erasure.id(), actor, erasure.before(), work.thread().value()));
        }
        waiting |= !quotes.drain(store.quotesMarkedAt(erasure.id(), marked), () -> goOn(erasure));
        return !waiting && (hasMore(erasure) || finish(erasure));
    }

    /** Keeps the lease; false if the server stops, or somebody else has it. */
    private boolean goOn(Erasure erasure) {
        return !closed && store.take(erasure.id(), holder, LEASE);
    }

    /** Whether the actor has joined threads, said more in those that were done, or was quoted meanwhile. */
    private boolean hasMore(Erasure erasure) {
        Actor actor = erasure.actor();
        return actor != null
                && (persons.addNew(erasure, actor)
                        || persons.reopen(erasure, actor)
                        || quotes.mark(actor, erasure.before()));
    }

    /** Where only what was said before a time goes, the person stays. */
    private void erasePerson(Erasure erasure, Actor actor) {
        if (erasure.before() == null) {
            person.erase(actor);
        }
    }

    private boolean finish(Erasure erasure) {
        if (erasure.actor() != null) {
            // Whoever called meanwhile has left a name, a key or a file again.
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

    /** Finishes the piece that is under way, and lets another node go on at once. */
    @Override
    public void close() {
        closed = true;
        worker.shutdown();
        keeper.shutdownNow();
        try {
            if (!worker.awaitTermination(LAST_PIECE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("A piece of an erasure is not over yet");
            }
            store.release(holder);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException unavailable) {
            LOG.debug("The lease of an erasure runs out by itself: {}", unavailable.toString());
        }
    }
}
