package dev.parley.log;

import java.util.List;

/** What became of a command. */
public sealed interface CommandOutcome {
    /** Everything it asked for is in the log. */
    record Done(List<Placed> entries, List<Event> events) implements CommandOutcome {}

    /** Nothing of it is in the log. */
    record Refused(Refusal refusal) implements CommandOutcome {}

    /**
     * Where one draft of a command ended up.
     *
     * @param duplicate the entry was there before: the key was used already, for the same body
     */
    record Placed(Entry entry, boolean duplicate) {}
}
