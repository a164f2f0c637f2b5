package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of deciding a batch of commands: the heart of the log, and a pure function. The caller has locked the
 * heads and read the facts under that lock, or remembers both. Deciding reads no clock, no random number and no
 * database, and does not change its inputs. Therefore the same inputs give the same log, byte for byte, and a simulator
 * can walk millions of histories.
 *
 * @param outcomes the outcomes of the commands, in the order of the commands
 * @param heads the heads that moved
 * @param drafts the entries to write, each with its draft
 * @param events all events to write, in order, including the events of entries
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

    /** True if no command is refused. */
    boolean carriesAllOut() {
        return outcomes.stream().allMatch(CommandOutcome.Done.class::isInstance);
    }

    boolean hasWrites() {
        return !events.isEmpty() || !effects.isEmpty();
    }
}
