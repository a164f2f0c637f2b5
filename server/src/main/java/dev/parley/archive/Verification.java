package dev.parley.archive;

import dev.parley.attachments.BlobStore;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether the log is what was written and everything beside it agrees with it; says each finding in a line of its
 * own. Servers may go on meanwhile.
 */
public final class Verification {
    private final DatabaseAddress database;
    private final Progress progress;
    private long findings;
    private long threads;

    public Verification(DatabaseAddress database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    /** Looks at every thread; true if nothing was found. */
    public boolean run() {
        try (Snapshots snapshots = Snapshots.of(database)) {
            snapshots.look(Schema::read);
            progress.begin("messages verified", snapshots.look(connection -> Snapshots.number(connection, """
                            select coalesce(sum(h.last_seq), 0) from thread_heads h
                            join threads t on t.thread_id = h.thread_id and t.deleted_at is null""")), 0);
            Optional<UUID> after = checkAfter(snapshots, null);
            while (after.isPresent()) {
                after = checkAfter(snapshots, after.get());
            }
            progress.end();
        }
        return conclude();
    }

    /** Looks at one thread alone. */
    public boolean run(ThreadId thread) {
        try (Snapshots snapshots = Snapshots.of(database)) {
            snapshots.look(Schema::read);
            boolean known = snapshots.look(connection -> {
                if (!exists(connection, thread)) {
                    return false;
                }
                check(connection, ThreadRange.of(thread));
                return true;
            });
            if (!known) {
                throw new ArchiveRefused("There is no thread " + thread + ".");
            }
        }
        return conclude();
    }

    /** Looks at the bytes of all objects. */
    public boolean runOnBlobs(BlobStore store) {
        long before = findings;
        try (Snapshots snapshots = Snapshots.of(database)) {
            long count = new BlobCheck(snapshots, store, this::found).run();
            progress.say(String.format(
                    Locale.ROOT, "%,d objects' bytes looked at, %,d of them wrong.", count, findings - before));
        }
        return findings == before;
    }

    private boolean conclude() {
        progress.say(
                findings == 0
                        ? String.format(Locale.ROOT, "%,d threads are as they were written.", threads)
                        : String.format(Locale.ROOT, "%,d findings in %,d threads.", findings, threads));
        return findings == 0;
    }

    /** Returns the last thread that was looked at; empty if there is none behind the id. */
    private Optional<UUID> checkAfter(Snapshots snapshots, @Nullable UUID after) {
        return snapshots.look(connection -> {
            Optional<ThreadRange> range = ThreadRange.after(connection, after);
            if (range.isPresent()) {
                check(connection, range.get());
            }
            return range.map(found -> found.last().value());
        });
    }

    private void check(Connection connection, ThreadRange range) throws SQLException {
        new ThreadChecks(connection, (thread, what) -> found("thread " + thread + ": " + what), progress::add)
                .check(range);
        threads += range.threads();
    }

    private void found(String what) {
        findings++;
        progress.say(what);
    }

    private static boolean exists(Connection connection, ThreadId thread) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("select 1 from threads where thread_id = ?")) {
            query.setObject(1, thread.value());
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }
}
