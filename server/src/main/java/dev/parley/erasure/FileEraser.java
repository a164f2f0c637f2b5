package dev.parley.erasure;

import dev.parley.attachments.ErasedObjects;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.ObjectKey;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Removes the files that erased messages of a thread have shown, unless other messages show them. */
final class FileEraser {
    private static final int PIECE = 1_000;
    private static final String SHOWING =
            " where thread_id = :thread and metadata is not null and strpos(metadata::text, :file) > 0 ";

    private final Database database;
    private final ErasedObjects objects;

    FileEraser(Database database, ErasedObjects objects) {
        this.database = database;
        this.objects = objects;
    }

    /** Records the files of messages. Runs before the messages are erased, because the messages name the files. */
    void record(ErasureTask work, List<Long> seqs) {
        database.transact(handle -> {
            Set<ObjectKey> files = new LinkedHashSet<>();
            handle.createQuery("select metadata from entries" + SHOWING + "and seq = any (:seqs)")
                    .bind("thread", work.thread().value())
                    .bind("file", MessageFiles.FIRST)
                    .bindArray("seqs", Long.class, seqs)
                    .mapTo(String.class)
                    .forEach(metadata -> files.addAll(MessageFiles.keysIn(Json.MAPPER.readTree(metadata))));
            for (ObjectKey file : files) {
                handle.createUpdate("""
                                insert into erasure_objects (erasure_id, thread_id, bucket, path)
                                values (:erasure, :thread, :bucket, :path) on conflict do nothing""")
                        .bind("erasure", work.erasure())
                        .bind("thread", work.thread().value())
                        .bind("bucket", file.bucket())
                        .bind("path", file.path())
                        .execute();
            }
            return files.size();
        });
    }

    /** Removes the recorded files. Runs after all messages are erased. */
    void remove(ErasureTask work) {
        if (work.erasesAll()) {
            objects.removeShownIn(work.thread());
            forget(work);
            return;
        }
        Set<ObjectKey> files = new LinkedHashSet<>(database.read(handle -> handle
                .createQuery("""
                        select bucket, path from erasure_objects
                        where erasure_id = :erasure and thread_id = :thread""")
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .map((row, context) -> ObjectKey.of(row.getString("bucket"), row.getString("path")))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList()));
        noLongerShown(work.thread(), files).forEach(file -> objects.remove(work.thread(), file));
        forget(work);
    }

    private void forget(ErasureTask work) {
        database.transact(handle -> handle.createUpdate(
                        "delete from erasure_objects where erasure_id = :erasure and thread_id = :thread")
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .execute());
    }

    private record Showing(long seq, String metadata) {}

    /**
     * The files that no message shows any more. Searches the thread once for all files, a page of messages at a time.
     */
    private Set<ObjectKey> noLongerShown(ThreadId thread, Set<ObjectKey> files) {
        Set<ObjectKey> gone = new LinkedHashSet<>(files);
        List<Showing> piece = gone.isEmpty() ? List.of() : showing(thread, 0);
        while (!piece.isEmpty() && !gone.isEmpty()) {
            for (Showing each : piece) {
                gone.removeAll(Set.copyOf(MessageFiles.keysIn(Json.MAPPER.readTree(each.metadata()))));
            }
            piece = showing(thread, piece.getLast().seq());
        }
        return gone;
    }

    private List<Showing> showing(ThreadId thread, long after) {
        return database.read(handle -> handle.createQuery("select seq, metadata from entries" + SHOWING + """
                        and kind = 0 and erased_at is null and seq > :after order by seq limit :limit""")
                .bind("thread", thread.value())
                .bind("file", MessageFiles.FIRST)
                .bind("after", after)
                .bind("limit", PIECE)
                .map((row, context) -> new Showing(row.getLong("seq"), row.getString("metadata")))
                .list());
    }
}
