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
 * Verifies that the log is undamaged and that all other tables agree with the log, and prints each finding in a line of
 * its own. Servers may keep running.
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

    /** Verifies every thread; true if there are no findings. */
    public boolean run() {
        try (Snapshots snapshots = Snapshots.of(database)) {
            snapshots.read(Schema::read);
            progress.begin("messages verified", snapshots.read(connection -> Snapshots.number(connection, """
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

    /** Verifies one thread alone. */
    public boolean run(ThreadId thread) {
        try (Snapshots snapshots = Snapshots.of(database)) {
            snapshots.read(Schema::read);
            boolean known = snapshots.read(connection -> {
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

    /** Verifies the blobs of all objects. */
    public boolean runOnBlobs(BlobStore store) {
        long before = findings;
        try (Snapshots snapshots = Snapshots.of(database)) {
            long count = new BlobCheck(snapshots, store, this::report).run();
            progress.say(String.format(
                    Locale.ROOT, "%,d blobs verified, %,d of them missing or damaged.", count, findings - before));
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

    /** Checks the next range of threads, and returns its last thread; empty if no thread follows the id. */
    private Optional<UUID> checkAfter(Snapshots snapshots, @Nullable UUID after) {
        return snapshots.read(connection -> {
            Optional<ThreadRange> range = ThreadRange.after(connection, after);
            if (range.isPresent()) {
                check(connection, range.get());
            }
            return range.map(checked -> checked.last().value());
        });
    }

    private void check(Connection connection, ThreadRange range) throws SQLException {
        new ThreadChecks(connection, (thread, finding) -> report("thread " + thread + ": " + finding), progress::add)
                .check(range);
        threads += range.threads();
    }

    private void report(String finding) {
        findings++;
        progress.say(finding);
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
