package dev.parley.erasure;

import dev.parley.attachments.ErasedObjects;
import dev.parley.auth.Audit;
import dev.parley.auth.Principal;
import dev.parley.contexts.Contexts;
import dev.parley.log.Compaction;
import dev.parley.log.Log;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.runs.Runs;
import dev.parley.storage.Database;
import dev.parley.storage.RequestKeys;
import dev.parley.storage.RequestKeys.RequestKey;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The front door of erasure: operators say what shall go, and see how far it has gone. */
public final class Erasures implements AutoCloseable {
    private final Database database;
    private final Audit audit;
    private final Clock clock;
    private final ErasureStore store;
    private final ErasureWorker worker;
    private final Retention retention;

    public Erasures(
            Database database,
            Log log,
            Runs runs,
            Contexts contexts,
            ErasedObjects objects,
            Audit audit,
            Retention.Days days,
            Clock clock) {
        this.database = database;
        this.audit = audit;
        this.clock = clock;
        this.store = new ErasureStore(database);
        RunEraser runEraser = new RunEraser(database, runs, new Compaction(database), store);
        ThreadEraser threads = new ThreadEraser(
                database,
                log,
                store,
                new ThreadEraser.Beside(
                        contexts, new FileEraser(database, objects), runEraser, new SessionEraser(database)));
        this.worker = new ErasureWorker(
                database,
                store,
                new PersonsThreads(database),
                new PersonEraser(database, objects),
                threads,
                new QuoteEraser(database, contexts, runEraser, threads::carry),
                audit);
        this.retention = new Retention(database, store, threads, contexts, audit, days, clock);
    }

    /**
     * What an operator wants erased: a thread or an actor.
     *
     * @param before only what was said before this; null for everything
     */
    public record ErasureRequest(
            @Nullable ThreadId thread,
            @Nullable Actor actor,
            @Nullable Instant before,
            @Nullable String reason) {}

    /** Notes an erasure, which is carried out in the background; a repeated key gives the first one. */
    public Erasure request(Principal operator, ErasureRequest wish, Optional<RequestKey> request) {
        Erasure wanted = new Erasure(
                UuidV7.next(),
                wish.thread(),
                wish.actor(),
                wish.before(),
                wish.reason(),
                operator.actor(),
                clock.instant(),
                0,
                0,
                0,
                null);
        Erasure noted = database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, wanted.id()));
            if (before.isPresent()) {
                return require(handle, before.get());
            }
            if (wish.thread() != null) {
                requireThread(handle, wish.thread());
            }
            ErasureStore.insert(handle, wanted);
            if (wish.thread() != null) {
                ErasureStore.add(handle, wanted.id(), wish.thread(), true);
            }
            audit.record(handle, operator.actor(), "erasure.requested", wanted.id() + " " + wanted.subject());
            return require(handle, wanted.id());
        });
        worker.wake();
        return noted;
    }

    public Erasure find(UUID id) {
        return database.read(handle -> require(handle, id));
    }

    /** Those before one, the newest first. */
    public List<Erasure> listBefore(@Nullable UUID before, int limit) {
        return store.listBefore(before, limit);
    }

    /** For how long the messages of threads are kept. */
    public Retention retention() {
        return retention;
    }

    /** Sets after how many days the messages of a thread are erased; null for what the server does. */
    public Retention.ThreadRetention setRetention(Principal operator, ThreadId thread, @Nullable Integer days) {
        return database.transact(handle -> {
            requireThread(handle, thread);
            retention.set(handle, thread, days);
            audit.record(
                    handle, operator.actor(), "retention.set", "thread:" + thread + " " + (days == null ? "-" : days));
            return retention.of(handle, thread);
        });
    }

    public Retention.ThreadRetention findRetention(ThreadId thread) {
        return database.read(handle -> {
            requireThread(handle, thread);
            return retention.of(handle, thread);
        });
    }

    private static Erasure require(Handle handle, UUID id) {
        return ErasureStore.find(handle, id)
                .orElseThrow(() -> new ProblemException(Problem.ERASURE_NOT_FOUND, "There is no such erasure."));
    }

    private static void requireThread(Handle handle, ThreadId thread) {
        boolean known = handle.createQuery(
                        "select exists (select 1 from threads where thread_id = :thread and deleted_at is null)")
                .bind("thread", thread.value())
                .mapTo(Boolean.class)
                .one();
        if (!known) {
            throw new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread.");
        }
    }

    @Override
    public void close() {
        retention.close();
        worker.close();
    }
}
