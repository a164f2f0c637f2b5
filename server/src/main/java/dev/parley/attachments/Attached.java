package dev.parley.attachments;

import dev.parley.log.Effect;
import dev.parley.protocol.ThreadId;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Objects are shown in a thread: from now on they stay as they are, and those who may read the thread may see them. */
public record Attached(ThreadId thread, List<Seen> objects) implements Effect {
    public Attached {
        objects = List.copyOf(objects);
    }

    public static Attached of(ThreadId thread, Collection<StoredObject> objects) {
        return new Attached(
                thread,
                objects.stream()
                        .map(object -> new Seen(object.id(), object.key().path(), object.blob()))
                        .distinct()
                        .toList());
    }

    /** An object as it was when somebody looked: shown is what was seen, or nothing. */
    public record Seen(UUID id, String path, BlobId blob) {}

    @Override
    public boolean repeatable() {
        return true;
    }
}
