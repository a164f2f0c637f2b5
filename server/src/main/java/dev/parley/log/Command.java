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
        if (changes.stream().allMatch(Change.Apply.class::isInstance)) {
            // A lost commit answer is looked up by what a command put into the log.
            throw new IllegalArgumentException("a command must append or announce something");
        }
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

    boolean changesFacts() {
        return changes.stream()
                .anyMatch(change -> change instanceof Change.Apply(Effect effect) && effect.changesFacts());
    }

    int weight() {
        return changes.stream().mapToInt(Change::weight).sum();
    }
}
