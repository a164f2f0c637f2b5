package dev.parley.attachments;

import dev.parley.log.Effect;
import dev.parley.protocol.ThreadId;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Marks objects as shown in a thread. From then on the objects stay unchanged, and readers of the thread may see them.
 */
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

    /** An object in the state that a request has read. A message shows exactly this object, or is refused. */
    record Seen(UUID id, String path, BlobId blob) {}

    @Override
    public boolean repeatable() {
        return true;
    }
}
