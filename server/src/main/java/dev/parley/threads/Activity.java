package dev.parley.threads;

import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Event;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
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
    private static final int PREVIEW = 140;
    private static final int TITLE = 80;
    private static final int REPAIR_BATCH = 500;

    private final Database database;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-activity").daemon().factory());
    private Map<ThreadId, Entry> pending = new HashMap<>();

    public Activity(Database database) {
        this.database = database;
        writer.scheduleWithFixedDelay(
                () -> guarded(this::flush), INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        writer.scheduleWithFixedDelay(
                () -> guarded(this::repair), 0, REPAIR_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Notes committed messages. Called on the lane's thread, so it only notes. */
    public synchronized void committed(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Committed(Entry entry) && entry.said().kind() == EntryKind.MESSAGE) {
                pending.merge(entry.thread(), entry, (a, b) -> a.seq() > b.seq() ? a : b);
            }
        }
    }

    private synchronized List<Entry> takePending() {
        List<Entry> taken = new ArrayList<>(pending.values());
        pending = new HashMap<>();
        return taken;
    }

    private void flush() {
        List<Entry> entries = takePending();
        if (!entries.isEmpty()) {
            try {
                write(entries.stream()
                        .map(entry -> new Row(
                                entry.thread(),
                                entry.seq(),
                                entry.createdAt(),
                                preview(entry.said().content()),
                                entry.seq() == 1 ? start(entry.said().content(), TITLE) : ""))
                        .toList());
            } catch (RuntimeException unavailable) {
                entries.forEach(entry -> committed(List.of(new Event.Committed(entry))));
                throw unavailable;
            }
        }
    }

    /** A thread's newest message; the title is empty unless it is the first one. */
    private record Row(ThreadId thread, long seq, Instant at, String preview, String title) {}

    private void write(List<Row> rows) {
        database.transact(handle -> {
            Object[] threads = rows.stream().map(row -> row.thread().value()).toArray();
            Object[] times =
                    rows.stream().map(row -> row.at().atOffset(ZoneOffset.UTC)).toArray();
            updateThreads(handle, rows, threads, times);
            return handle.createUpdate("""
                            update participants p set active_at = new.at
                            from unnest(:threads::uuid[], :times::timestamptz[]) as new (thread_id, at)
                            where p.thread_id = new.thread_id and p.active_at < new.at""")
                    .bindArray("threads", UUID.class, threads)
                    .bindArray("times", OffsetDateTime.class, times)
                    .execute();
        });
    }

    private static void updateThreads(Handle handle, List<Row> rows, Object[] threads, Object[] times) {
        handle.createUpdate("""
                        update thread_activity a
                        set last_seq = new.seq, last_message_at = new.at, last_message_preview = new.preview,
                            updated_at = clock_timestamp()
                        from unnest(:threads::uuid[], :seqs::bigint[], :times::timestamptz[], :previews::text[])
                            as new (thread_id, seq, at, preview)
                        where a.thread_id = new.thread_id and a.last_seq < new.seq""")
                .bindArray("threads", UUID.class, threads)
                .bindArray("seqs", Long.class, rows.stream().map(Row::seq).toArray())
                .bindArray("times", OffsetDateTime.class, times)
                .bindArray(
                        "previews",
                        String.class,
                        rows.stream().map(Row::preview).toArray())
                .execute();
        List<Row> first = rows.stream().filter(row -> !row.title().isEmpty()).toList();
        if (!first.isEmpty()) {
            handle.createUpdate("""
                            update threads t set title = new.title
                            from unnest(:threads::uuid[], :titles::text[]) as new (thread_id, title)
                            where t.thread_id = new.thread_id and t.title is null""")
                    .bindArray(
                            "threads",
                            UUID.class,
                            first.stream().map(row -> row.thread().value()).toArray())
                    .bindArray(
                            "titles",
                            String.class,
                            first.stream().map(Row::title).toArray())
                    .execute();
        }
    }

    /** Writes what was never written: threads whose head is ahead of their activity. */
    private void repair() {
        List<Row> behind = database.read(handle -> handle.createQuery("""
                        select h.thread_id, last.seq, last.created_at, last.content, first.content as first
                        from thread_heads h
                        join thread_activity a using (thread_id)
                        cross join lateral (
                            select e.seq, e.created_at, left(e.content, 200) as content from entries e
                            where e.thread_id = h.thread_id and e.kind = 0 order by e.seq desc limit 1) as last
                        cross join lateral (
                            select left(e.content, 200) as content from entries e
                            where e.thread_id = h.thread_id and e.kind = 0 order by e.seq limit 1) as first
                        where h.last_seq > a.last_seq and last.seq > a.last_seq limit %d""".formatted(REPAIR_BATCH))
                .map((row, context) -> new Row(
                        new ThreadId(row.getObject("thread_id", UUID.class)),
                        row.getLong("seq"),
                        row.getObject("created_at", OffsetDateTime.class).toInstant(),
                        preview(row.getString("content")),
                        start(row.getString("first"), TITLE)))
                .list());
        if (!behind.isEmpty()) {
            write(behind);
            if (behind.size() == REPAIR_BATCH) {
                repair();
            }
        }
    }

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
