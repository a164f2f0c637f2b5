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
 * @param fence the run in whose name the command writes; null if the actor acts as a participant
 */
public record Command(
        UUID id, ThreadId thread, Actor actor, @Nullable RunFence fence, List<Change> changes) {
    public Command {
        changes = List.copyOf(changes);
        if (changes.stream()
                .allMatch(change -> change instanceof Change.Apply(Effect effect) && !effect.repeatable())) {
            // If the answer to a commit is lost, the lane looks for the entries and events of the command.
            throw new IllegalArgumentException("a command must append or announce something");
        }
    }

    /** A command whose actor acts as a participant of the thread. */
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

    /** True if later commands for the same thread must be decided by facts that include the effects of this command. */
    boolean concludes() {
        return changes.stream().anyMatch(change -> change instanceof Change.Apply(Effect effect) && effect.concludes());
    }

    int weight() {
        return changes.stream().mapToInt(Change::weight).sum();
    }
}
