package dev.parley.threads;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.SpokenSql;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the thread with an actor's latest message, archived or not. Lists are written after the log, so their order
 * only determines the threads to read first. Among the most active threads, the log decides. A thread further down is
 * found once the list is up to date.
 */
public final class LatestThread {
    private static final int PAGE = 50;
    /** The maximum number of pages to search, because lists also contain threads without messages. */
    private static final int PAGES = 20;

    private static final ThreadStore.ListCursor BEGINNING =
            new ThreadStore.ListCursor(Instant.parse("9999-01-01T00:00:00Z"), new ThreadId(new UUID(-1, -1)));

    private static final String LISTED = """
            select l.thread_id, l.active_at, last.created_at
            from (
                select thread_id, actor, active_at from listings
                where actor = :actor and is_archived = :archived and (active_at, thread_id) < (:at, :thread)
                order by active_at desc, thread_id desc limit :rows) as l
            left join participants p
                on p.thread_id = l.thread_id and p.actor = l.actor and p.capabilities & 1 = 1
            left join lateral (%s) as last on true
            order by l.active_at desc, l.thread_id desc""".formatted(SpokenSql.latest("m.created_at", "p.thread_id", "true", "1"));

    private final Database database;

    public LatestThread(Database database) {
        this.database = database;
    }

    /** A listed thread, and the time of its last message; null if it has no readable message. */
    private record Candidate(
            ThreadStore.ListCursor cursor, @Nullable Instant lastMessageAt) {}

    /**
     * The thread with the caller's latest message of a user, an assistant or a tool. If messages of several threads
     * have the same time, the thread's id decides.
     */
    public Optional<ThreadId> of(Principal caller) {
        caller.requireScope(Capability.CAN_READ);
        return Stream.of(false, true)
                .flatMap(archived -> latest(caller.actor(), archived).stream())
                .max(Comparator.comparing(Candidate::lastMessageAt, Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(candidate -> candidate.cursor().thread().value()))
                .map(candidate -> candidate.cursor().thread());
    }

    private Optional<Candidate> latest(Actor actor, boolean archived) {
        ThreadStore.ListCursor after = BEGINNING;
        Candidate best = null;
        for (int i = 0; i < PAGES; i++) {
            List<Candidate> page = page(actor, archived, after);
            for (Candidate candidate : page) {
                if (candidate.lastMessageAt() != null
                        && (best == null || candidate.lastMessageAt().isAfter(timeOf(best)))) {
                    best = candidate;
                }
            }
            if (page.size() < PAGE) {
                break;
            }
            after = page.getLast().cursor();
            // All threads further down were last active before the best one.
            if (best != null && !after.activeAt().isAfter(timeOf(best))) {
                break;
            }
        }
        return Optional.ofNullable(best);
    }

    private static Instant timeOf(Candidate candidate) {
        return candidate.lastMessageAt() == null ? Instant.MIN : candidate.lastMessageAt();
    }

    private List<Candidate> page(Actor actor, boolean archived, ThreadStore.ListCursor after) {
        return database.read(handle -> handle.createQuery(LISTED)
                .bind("actor", actor.value())
                .bind("archived", archived)
                .bind("at", after.activeAt().atOffset(ZoneOffset.UTC))
                .bind("thread", after.thread().value())
                .bind("rows", PAGE)
                .map((row, context) -> {
                    OffsetDateTime createdAt = row.getObject("created_at", OffsetDateTime.class);
                    return new Candidate(
                            new ThreadStore.ListCursor(
                                    row.getObject("active_at", OffsetDateTime.class)
                                            .toInstant(),
                                    new ThreadId(row.getObject("thread_id", UUID.class))),
                            createdAt == null ? null : createdAt.toInstant());
                })
                .list());
    }
}
