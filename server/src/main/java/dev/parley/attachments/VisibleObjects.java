package dev.parley.attachments;

import dev.parley.auth.Principal;
import dev.parley.storage.Database;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads the objects that a caller may see: its own objects, and objects shown in threads that it may read. */
final class VisibleObjects {
    private final Database database;

    VisibleObjects(Database database) {
        this.database = database;
    }

    /** Throws the same error for a foreign object as for a missing object. */
    StoredObject require(Principal caller, String bucket, String path) {
        return find(caller, bucket, List.of(path)).stream().findFirst().orElseThrow(Attachments::noSuchObject);
    }

    Optional<StoredObject> find(Principal caller, ObjectKey key) {
        return find(caller, key.bucket(), List.of(key.path())).stream().findFirst();
    }

    /** The objects among {@code paths} that the caller may see; refuses callers that may not keep objects. */
    List<StoredObject> find(Principal caller, String bucket, Collection<String> paths) {
        CallersFolder.of(caller);
        List<ObjectKey> keys = paths.stream()
                .flatMap(path -> ObjectKey.of(bucket, path).stream())
                .toList();
        return keys.isEmpty() ? List.of() : database.read(handle -> ObjectStore.listFor(handle, keys, caller));
    }
}
