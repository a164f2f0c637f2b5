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

/** The front door of erasure: operators request erasures and see their progress. */
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
                new ThreadEraser.FeatureErasers(
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
     * An operator's request to erase a thread or an actor.
     *
     * @param before the time before which messages are erased; null if all messages are erased
     */
    public record ErasureRequest(
            @Nullable ThreadId thread,
            @Nullable Actor actor,
            @Nullable Instant before,
            @Nullable String reason) {}

    /**
     * Records an erasure, which runs in the background. If the request's key is repeated, the first erasure is
     * returned.
     */
    public Erasure request(Principal operator, ErasureRequest subject, Optional<RequestKey> request) {
        Erasure wanted = new Erasure(
                UuidV7.next(),
                subject.thread(),
                subject.actor(),
                subject.before(),
                subject.reason(),
                operator.actor(),
                clock.instant(),
                0,
                0,
                0,
                null);
        Erasure stored = database.transact(handle -> {
            Optional<UUID> before = request.flatMap(key -> RequestKeys.taken(handle, key, wanted.id()));
            if (before.isPresent()) {
                return require(handle, before.get());
            }
            if (subject.thread() != null) {
                requireThread(handle, subject.thread());
            }
            ErasureStore.insert(handle, wanted);
            if (subject.thread() != null) {
                ErasureStore.add(handle, wanted.id(), subject.thread(), true);
            }
            audit.record(handle, operator.actor(), "erasure.requested", wanted.id() + " " + wanted.subject());
            return require(handle, wanted.id());
        });
        worker.wake();
        return stored;
    }

    public Erasure find(UUID id) {
        return database.read(handle -> require(handle, id));
    }

    /** Erasures before an id, the newest first. */
    public List<Erasure> listBefore(@Nullable UUID before, int limit) {
        return store.listBefore(before, limit);
    }

    /** The retention of messages. */
    public Retention retention() {
        return retention;
    }

    /** Sets the days after which a thread's messages are erased; null for the server's default. */
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
