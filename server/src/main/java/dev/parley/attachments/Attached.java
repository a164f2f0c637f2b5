package dev.parley.attachments;

import dev.parley.log.Effect;
import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.UUID;

/** Objects are shown in a thread: from now on they stay as they are, and those who may read the thread may see them. */
public record Attached(ThreadId thread, List<UUID> objects) implements Effect {
    public Attached {
        objects = List.copyOf(objects);
    }

    @Override
    public boolean repeatable() {
        return true;
    }
}
