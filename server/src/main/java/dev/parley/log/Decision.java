package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a batch of commands comes to: the heart of the log, and a pure function. The heads are locked by the caller, the
 * facts were read under that lock, and nothing here reads a clock, a random number or a database, or changes what it is
 * given. So the same inputs give the same log, byte for byte, and a simulator can walk millions of histories.
 *
 * @param outcomes one per command, in their order
 * @param heads the heads that moved
 * @param drafts the entries to write, each with its draft
 * @param events all events to write, in order; those of entries included
 * @param effects what features write along with them, in order
 */
record Decision(
        List<CommandOutcome> outcomes,
        Map<ThreadId, Head> heads,
        List<NewEntry> drafts,
        List<Event> events,
        List<Effect> effects) {

    /** An entry to write, and the draft it came from. */
    record NewEntry(Entry entry, Draft draft) {}

    /** Decides commands in order, each against the state its predecessors in the batch leave behind. */
    static Decision decide(
            Map<ThreadId, Head> heads,
            KnownFacts known,
            LogFeatures.BatchFacts facts,
            Instant now,
            List<Command> commands) {
        DecidingBatch batch = new DecidingBatch(heads, known, facts, now.truncatedTo(ChronoUnit.MICROS));
        List<CommandOutcome> outcomes = new ArrayList<>(commands.size());
        for (Command command : commands) {
            outcomes.add(batch.decide(command));
        }
        return batch.toDecision(outcomes);
    }

    boolean writesSomething() {
        return !events.isEmpty() || !effects.isEmpty();
    }
}
