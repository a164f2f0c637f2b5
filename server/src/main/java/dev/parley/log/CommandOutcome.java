package dev.parley.log;

import java.util.List;

/** The outcome of a command. */
public sealed interface CommandOutcome {
    /** Every entry and event of the command is in the log. */
    record Done(List<Placed> entries, List<Event> events) implements CommandOutcome {}

    /** The log holds nothing of the command. */
    record Refused(Refusal refusal) implements CommandOutcome {}

    /**
     * The entry that one draft of a command became.
     *
     * @param duplicate true if the entry existed before, because an earlier request used its key with the same body
     */
    record Placed(Entry entry, boolean duplicate) {}
}
