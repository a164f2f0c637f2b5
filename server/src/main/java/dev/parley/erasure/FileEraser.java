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
import org.jspecify.annotations.Nullable;

/** Removes the files that erased messages of a thread have shown, unless other messages show them. */
final class FileEraser {
    private final Database database;
    private final ErasedObjects objects;

    FileEraser(Database database, ErasedObjects objects) {
        this.database = database;
        this.objects = objects;
    }

    /** Before the messages go, since nothing says later what they showed. */
    void note(Work work, List<@Nullable String> metadata) {
        Set<ObjectKey> files = new LinkedHashSet<>();
        for (String each : metadata) {
            if (each != null && each.contains(MessageFiles.FIRST)) {
                files.addAll(MessageFiles.keysIn(Json.MAPPER.readTree(each)));
            }
        }
        database.transact(handle -> {
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

    /** Once all messages are erased. */
    void remove(Work work) {
        if (work.everything()) {
            objects.removeShownIn(work.thread());
        }
        List<ObjectKey> files = database.read(handle -> handle
                .createQuery("""
                        select bucket, path from erasure_objects
                        where erasure_id = :erasure and thread_id = :thread""")
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .map((row, context) -> ObjectKey.of(row.getString("bucket"), row.getString("path")))
                .list()
                .stream()
                .flatMap(Optional::stream)
                .toList());
        for (ObjectKey file : files) {
            if (!isStillShown(work.thread(), file)) {
                objects.remove(work.thread(), file);
            }
        }
        forget(work);
    }

    private void forget(Work work) {
        database.transact(handle -> handle.createUpdate(
                        "delete from erasure_objects where erasure_id = :erasure and thread_id = :thread")
                .bind("erasure", work.erasure())
                .bind("thread", work.thread().value())
                .execute());
    }

    private boolean isStillShown(ThreadId thread, ObjectKey file) {
        String quoted = Json.MAPPER.writeValueAsString(file.path());
        return database.read(handle -> handle.createQuery("""
                        select exists (
                            select 1 from entries where thread_id = :thread and erased_at is null and kind = 0
                                and metadata is not null and strpos(metadata::text, :path) > 0)""")
                .bind("thread", thread.value())
                .bind("path", quoted)
                .mapTo(Boolean.class)
                .one());
    }
}
