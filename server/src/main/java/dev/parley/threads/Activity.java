package dev.parley.threads;

import dev.parley.log.Entry;
import dev.parley.log.Event;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What lists show of threads: last activity, preview, a title for threads without one. Written behind the log, coalesced
 * to about once a second per thread, since no append should pay for it. It is derived: what a crash kept from being
 * written is found by comparing heads, at the start and every few minutes.
 */
public final class Activity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Activity.class);
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration REPAIR_INTERVAL = Duration.ofMinutes(5);
    private static final int PIECE = 5;
    private static final int PREVIEW = 140;
    private static final int TITLE = 80;
    private static final int REPAIR_BATCH = 500;

    private final Database database;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-activity").daemon().factory());
    private ActivityNotes notes = new ActivityNotes();

    public Activity(Database database) {
        this.database = database;
        writer.scheduleWithFixedDelay(
                () -> guarded(this::flush), INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        writer.scheduleWithFixedDelay(
                () -> guarded(this::repair), 0, REPAIR_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes committed entries. Called on the lane's thread, so it only notes. */
    public synchronized void committed(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Committed(Entry entry)) {
                notes.note(entry);
            }
        }
    }

    private synchronized ActivityNotes takeNotes() {
        ActivityNotes taken = notes;
        notes = new ActivityNotes();
        return taken;
    }

    private synchronized void putBack(ActivityNotes taken) {
        taken.all().forEach(notes::note);
    }

    private void flush() {
        ActivityNotes taken = takeNotes();
        if (!taken.isEmpty()) {
            try {
                // Titles first: a crash behind them leaves the rows behind the heads, where the repair finds them.
                database.transact(handle -> {
                    writeTitles(handle, taken.first().stream().map(Title::of).toList());
                    return taken;
                });
                List<Row> rows = taken.newest().stream().map(Row::of).toList();
                // Piece by piece: appends wait for the rows of participants that a transaction here holds.
                for (int from = 0; from < rows.size(); from += PIECE) {
                    List<Row> piece = rows.subList(from, Math.min(from + PIECE, rows.size()));
                    database.transact(handle -> {
                        write(handle, piece);
                        return piece;
                    });
                }
                database.transact(handle -> {
                    writeRevised(handle, taken.revised());
                    return taken;
                });
            } catch (RuntimeException unavailable) {
                putBack(taken);
                throw unavailable;
            }
        }
    }

    /** A thread's newest message. */
    private record Row(ThreadId thread, long seq, Instant at, String preview) {
        static Row of(Entry entry) {
            return new Row(
                    entry.thread(),
                    entry.seq(),
                    entry.createdAt(),
                    Activity.preview(entry.said().content()));
        }
    }

    /** The title of a thread that nobody has named. */
    private record Title(ThreadId thread, String text) {
        static Title of(Entry entry) {
            return new Title(entry.thread(), start(entry.said().content(), TITLE));
        }
    }

    private static void write(Handle handle, List<Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        Object[] threads = rows.stream().map(row -> row.thread().value()).toArray();
        Object[] times =
                rows.stream().map(row -> row.at().atOffset(ZoneOffset.UTC)).toArray();
        handle.createUpdate("""
                        update thread_activity a
                        set last_seq = new.seq, last_message_at = new.at, last_message_preview = new.preview,
                            updated_at = clock_timestamp()
                        from unnest(:threads::uuid[], :seqs::bigint[], :times::timestamptz[], :previews::text[])
                            as new (thread_id, seq, at, preview)
                        where a.thread_id = new.thread_id and a.last_seq <= new.seq""")
                .bindArray("threads", UUID.class, threads)
                .bindArray("seqs", Long.class, rows.stream().map(Row::seq).toArray())
                .bindArray("times", OffsetDateTime.class, times)
                .bindArray(
                        "previews",
                        String.class,
                        rows.stream().map(Row::preview).toArray())
                .execute();
        handle.createUpdate("""
                        update participants p set active_at = new.at
                        from unnest(:threads::uuid[], :times::timestamptz[]) as new (thread_id, at)
                        where p.thread_id = new.thread_id and p.active_at < new.at""")
                .bindArray("threads", UUID.class, threads)
                .bindArray("times", OffsetDateTime.class, times)
                .execute();
    }

    private static void writeTitles(Handle handle, List<Title> titles) {
        if (titles.isEmpty()) {
            return;
        }
        handle.createUpdate("""
                        update threads t set title = new.title
                        from unnest(:threads::uuid[], :titles::text[]) as new (thread_id, title)
                        where t.thread_id = new.thread_id and t.title is null and t.deleted_at is null""")
                .bindArray(
                        "threads",
                        UUID.class,
                        titles.stream().map(title -> title.thread().value()).toArray())
                .bindArray(
                        "titles", String.class, titles.stream().map(Title::text).toArray())
                .execute();
    }

    /** A preview must not go on showing what its author changed or took back. */
    private static void writeRevised(Handle handle, Map<ActivityNotes.Place, Entry> revised) {
        revised.forEach((place, revision) -> handle.createUpdate("""
                        update thread_activity set last_message_preview = :preview, updated_at = clock_timestamp()
                        where thread_id = :thread and last_seq = :seq""")
                .bind("preview", preview(revision.said().content()))
                .bind("thread", place.thread().value())
                .bind("seq", place.seq())
                .execute());
    }

    /** Writes what was never written: threads whose head is ahead of their activity. */
    private void repair() {
        List<Behind> behind = database.read(handle -> handle.createQuery("""
                        select h.thread_id, last.seq, last.created_at, first.content as first,
                            case when gone.seq is null then last.content else '' end as content
                        from thread_heads h
                        join thread_activity a using (thread_id)
                        cross join lateral (
                            select e.seq, e.created_at, left(e.content, 200) as content from entries e
                            where e.thread_id = h.thread_id and e.kind = 0 order by e.seq desc limit 1) as last
                        cross join lateral (
                            select left(e.content, 200) as content from entries e
                            where e.thread_id = h.thread_id and e.kind = 0 order by e.seq limit 1) as first
                        left join lateral (
                            select r.seq from entries r
                            where r.thread_id = h.thread_id and r.target_seq = last.seq and r.kind = 2
                            limit 1) as gone on true
                        where h.last_seq > a.last_seq
                            and (last.seq > a.last_seq or gone.seq is not null and a.last_message_preview <> '')
                        order by h.thread_id limit %d""".formatted(REPAIR_BATCH))
                .map((row, context) -> {
                    ThreadId thread = new ThreadId(row.getObject("thread_id", UUID.class));
                    return new Behind(
                            new Row(
                                    thread,
                                    row.getLong("seq"),
                                    row.getObject("created_at", OffsetDateTime.class)
                                            .toInstant(),
                                    preview(row.getString("content"))),
                            new Title(thread, start(row.getString("first"), TITLE)));
                })
                .list());
        if (!behind.isEmpty()) {
            database.transact(handle -> {
                write(handle, behind.stream().map(Behind::row).toList());
                writeTitles(handle, behind.stream().map(Behind::title).toList());
                return behind;
            });
            if (behind.size() == REPAIR_BATCH) {
                repair();
            }
        }
    }

    /** What a list does not show yet. */
    private record Behind(Row row, Title title) {}

    /** What lists show of a message. */
    static String preview(String content) {
        return start(content, PREVIEW);
    }

    /** The first line's start, in whole code points. */
    private static String start(String content, int characters) {
        String line = content.strip().lines().findFirst().orElse("");
        return line.codePointCount(0, line.length()) <= characters
                ? line
                : line.substring(0, line.offsetByCodePoints(0, characters - 1)) + "…";
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException unavailable) {
            LOG.debug("Activity is written later: {}", unavailable.toString());
        }
    }

    /** Writes what is pending and stops. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(2, TimeUnit.SECONDS)) {
                writer.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        guarded(this::flush);
    }
}
