package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of deciding a batch of commands: the heart of the log, and a pure function. The caller has locked the
 * heads and read the facts under that lock. Deciding reads no clock, no random number and no database, and does not
 * change its inputs. So the same inputs give the same log, byte for byte, and a simulator can walk millions of
 * histories.
 *
 * @param outcomes one per command, in their order
 * @param heads the heads that moved
 * @param drafts the entries to write, each with its draft
 * @param events all events to write, in order; those of entries included
 * @param effects the features' effects to write in the same transaction, in order
 */
record Decision(
        List<CommandOutcome> outcomes,
        Map<ThreadId, Head> heads,
        List<NewEntry> drafts,
        List<Event> events,
        List<Effect> effects) {

    /** An entry to write, and its draft. */
    record NewEntry(Entry entry, Draft draft) {}

    /** Decides commands in order, each against the state that its predecessors in the batch leave. */
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

    boolean hasWrites() {
        return !events.isEmpty() || !effects.isEmpty();
    }
}
