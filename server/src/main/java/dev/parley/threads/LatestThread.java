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
 * Finds the thread in which somebody's latest message is, archived or not. Lists are written behind the log, so their
 * order only says where to look: of the most active threads the log itself is asked. A thread that stood further down
 * comes into view when the list has caught up.
 */
public final class LatestThread {
    private static final int PAGE = 50;
    /** Threads that nothing was said in stand in lists, too; so many are looked through at most. */
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

    /** A thread on the way through a list, and when its last message was said; null if there is none to be read. */
    private record Seen(
            ThreadStore.ListCursor place, @Nullable Instant saidAt) {}

    /** A message of a user, an assistant or a tool makes a thread the latest; of several at once the thread's id decides. */
    public Optional<ThreadId> of(Principal caller) {
        caller.requireScope(Capability.CAN_READ);
        return Stream.of(false, true)
                .flatMap(archived -> latest(caller.actor(), archived).stream())
                .max(Comparator.comparing(Seen::saidAt, Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(seen -> seen.place().thread().value()))
                .map(seen -> seen.place().thread());
    }

    private Optional<Seen> latest(Actor actor, boolean archived) {
        ThreadStore.ListCursor after = BEGINNING;
        Seen best = null;
        for (int i = 0; i < PAGES; i++) {
            List<Seen> page = page(actor, archived, after);
            for (Seen seen : page) {
                if (seen.saidAt() != null && (best == null || seen.saidAt().isAfter(said(best)))) {
                    best = seen;
                }
            }
            if (page.size() < PAGE) {
                break;
            }
            after = page.getLast().place();
            // Nothing further down is known to have been active since.
            if (best != null && !after.activeAt().isAfter(said(best))) {
                break;
            }
        }
        return Optional.ofNullable(best);
    }

    private static Instant said(Seen seen) {
        return seen.saidAt() == null ? Instant.MIN : seen.saidAt();
    }

    private List<Seen> page(Actor actor, boolean archived, ThreadStore.ListCursor after) {
        return database.read(handle -> handle.createQuery(LISTED)
                .bind("actor", actor.value())
                .bind("archived", archived)
                .bind("at", after.activeAt().atOffset(ZoneOffset.UTC))
                .bind("thread", after.thread().value())
                .bind("rows", PAGE)
                .map((row, context) -> {
                    OffsetDateTime said = row.getObject("created_at", OffsetDateTime.class);
                    return new Seen(
                            new ThreadStore.ListCursor(
                                    row.getObject("active_at", OffsetDateTime.class)
                                            .toInstant(),
                                    new ThreadId(row.getObject("thread_id", UUID.class))),
                            said == null ? null : said.toInstant());
                })
                .list());
    }
}
