package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one caller wants in one thread: all of them, in this order, in one transaction, or none.
 *
 * @param fence the run for which the command is written; null if its actor acts as a participant
 */
public record Command(
        UUID id, ThreadId thread, Actor actor, @Nullable RunFence fence, List<Change> changes) {
    public Command {
        changes = List.copyOf(changes);
        if (changes.stream()
                .allMatch(change -> change instanceof Change.Apply(Effect effect) && !effect.repeatable())) {
            // A lost commit answer is looked up by the entries and events of the command.
            throw new IllegalArgumentException("a command must append or announce something");
        }
    }

    /** A command under the actor's own participation in the thread. */
    public Command(UUID id, ThreadId thread, Actor actor, List<Change> changes) {
        this(id, thread, actor, null, changes);
    }

    public static Command append(ThreadId thread, Draft draft) {
        return new Command(UuidV7.next(), thread, draft.content().author(), List.of(new Change.Append(draft)));
    }

    List<Draft> drafts() {
        return changes.stream()
                .filter(Change.Append.class::isInstance)
                .map(change -> ((Change.Append) change).draft())
                .toList();
    }

    /** True if the later commands of its thread must be judged by the facts that it leaves. */
    boolean concludes() {
        return changes.stream().anyMatch(change -> change instanceof Change.Apply(Effect effect) && effect.concludes());
    }

    int weight() {
        return changes.stream().mapToInt(Change::weight).sum();
    }
}
