package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.UUID;

/** What one caller wants done to one thread: all of it, in this order, in one transaction, or nothing. */
public record Command(UUID id, ThreadId thread, Actor actor, List<Change> changes) {
    public Command {
        changes = List.copyOf(changes);
    }

    public static Command append(ThreadId thread, Draft draft) {
        return new Command(UuidV7.next(), thread, draft.said().author(), List.of(new Change.Append(draft)));
    }

    List<Draft> drafts() {
        return changes.stream()
                .filter(Change.Append.class::isInstance)
                .map(change -> ((Change.Append) change).draft())
                .toList();
    }

    int weight() {
        return changes.stream().mapToInt(Change::weight).sum();
    }
}
