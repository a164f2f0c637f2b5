package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Limits the participants of a thread. The append itself counts them, so two actors who join at once cannot both get
 * the last place.
 */
final class RoomCheck {
    private RoomCheck() {}

    static Refusal full(int most) {
        return Refusal.ofField("participants", "are more than the limit of " + most + " in one thread");
    }

    /** @param most the maximum number of participants of one thread */
    static Optional<Refusal> refusal(Command command, ThreadFacts thread, int most) {
        List<Actor> joining = joining(command);
        if (joining.isEmpty()) {
            return Optional.empty();
        }
        Set<Actor> then = new HashSet<>(thread.members().keySet());
        return then.addAll(joining) && then.size() > most ? Optional.of(full(most)) : Optional.empty();
    }

    private static List<Actor> joining(Command command) {
        List<Actor> joining = new ArrayList<>();
        for (Change change : command.changes()) {
            if (change instanceof Change.Apply(ThreadEffect.Joined joined)) {
                joined.members().forEach(member -> joining.add(member.actor()));
            }
        }
        return joining;
    }
}
