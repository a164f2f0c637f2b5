package dev.parley.log;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a batch of commands comes to: the heart of the log, and a pure function. The heads are locked by the caller, the
 * facts were read under that lock, and nothing here reads a clock, a random number or a database; so the same inputs
 * give the same log, byte for byte, and a simulator can walk millions of histories.
 *
 * <p>Commands are decided in order, each against the state its predecessors in the batch leave behind: a key that an
 * earlier command of the batch took is taken. A command is decided whole: if one of its drafts is refused, none of its
 * changes happens.
 *
 * @param outcomes one per command, in their order
 * @param heads the heads that moved
 * @param drafts the entries to write, each with its draft
 * @param events all events to write, in order; those of entries included
 */
record Decision(List<Outcome> outcomes, Map<ThreadId, Head> heads, List<NewEntry> drafts, List<Event> events) {

    /** An entry to write, and the draft it came from. */
    record NewEntry(Entry entry, Draft draft) {}

    static Decision decide(
            Map<ThreadId, Head> heads, Known known, List<Rule.Judge> judges, Instant now, List<Command> commands) {
        Batch batch = new Batch(heads, known, judges, now.truncatedTo(ChronoUnit.MICROS));
        List<Outcome> outcomes = new ArrayList<>(commands.size());
        for (Command command : commands) {
            outcomes.add(batch.decide(command));
        }
        return new Decision(outcomes, batch.moved, batch.drafts, batch.events);
    }

    /** The state that commands of one batch leave to those behind them. */
    private static final class Batch {
        private final Map<ThreadId, Head> heads;
        private final Known known;
        private final List<Rule.Judge> judges;
        private final Instant now;
        private final Map<Known.Place, Known.Holder> taken = new HashMap<>();
        private final Map<ThreadId, Head> moved = new HashMap<>();
        private final List<NewEntry> drafts = new ArrayList<>();
        private final List<Event> events = new ArrayList<>();

        Batch(Map<ThreadId, Head> heads, Known known, List<Rule.Judge> judges, Instant now) {
            this.heads = heads;
            this.known = known;
            this.judges = judges;
            this.now = now;
        }

        Outcome decide(Command command) {
            Head head = moved.getOrDefault(command.thread(), heads.get(command.thread()));
            if (head == null) {
                return new Outcome.Refused(Refusal.of(Problem.THREAD_NOT_FOUND, "There is no such thread."));
            }
            Outcome.@Nullable Done earlier = committedEarlier(command);
            if (earlier != null) {
                return earlier;
            }
            return judge(Rule.Stage.ACCESS, command, head)
                    .or(() -> keysRefused(command))
                    .or(() -> isNew(command) ? judge(Rule.Stage.STATE, command, head) : Optional.empty())
                    .<Outcome>map(Outcome.Refused::new)
                    .orElseGet(() -> isNew(command) ? carryOut(command, head) : repeat(command));
        }

        /** A request that was carried out before does nothing again: whatever came with its entries came with them then. */
        private Outcome repeat(Command command) {
            List<Outcome.Placed> entries = new ArrayList<>();
            for (Draft draft : command.drafts()) {
                Known.Holder holder = holderOf(command, draft);
                if (holder != null) {
                    entries.add(new Outcome.Placed(holder.entry(), true));
                }
            }
            return new Outcome.Done(entries, List.of());
        }

        /** This very command's own work, committed by an attempt whose answer was lost. */
        private Outcome.@Nullable Done committedEarlier(Command command) {
            List<Event> announced = known.announcements().getOrDefault(command.id(), List.of());
            List<Outcome.Placed> entries = new ArrayList<>();
            boolean found = !announced.isEmpty();
            for (Draft draft : command.drafts()) {
                Known.Holder own = known.entries().get(idOf(command, draft));
                Known.Holder holder = own != null ? own : holderOf(command, draft);
                found |= own != null;
                if (holder != null) {
                    entries.add(new Outcome.Placed(holder.entry(), own == null));
                }
            }
            return found ? new Outcome.Done(entries, announced) : null;
        }

        private Optional<Refusal> judge(Rule.Stage stage, Command command, Head head) {
            for (Rule.Judge judge : judges) {
                if (judge.stage() == stage) {
                    Optional<Refusal> refusal = judge.judgement().of(command, head);
                    if (refusal.isPresent()) {
                        return refusal;
                    }
                }
            }
            return Optional.empty();
        }

        private Optional<Refusal> keysRefused(Command command) {
            for (Draft draft : command.drafts()) {
                Known.Holder holder = holderOf(command, draft);
                if (holder != null && !holder.sameBody(draft)) {
                    return Optional.of(new Refusal(
                            Problem.KEY_REUSED,
                            "This key was used in this thread for a message with another body (seq "
                                    + holder.entry().seq() + ").",
                            List.of(),
                            Map.of(
                                    "seq",
                                    holder.entry().seq(),
                                    "message_id",
                                    holder.entry().said().id())));
                }
            }
            return Optional.empty();
        }

        private boolean isNew(Command command) {
            List<Draft> all = command.drafts();
            return all.isEmpty() || all.stream().anyMatch(draft -> holderOf(command, draft) == null);
        }

        private Outcome carryOut(Command command, Head start) {
            Head head = start;
            List<Outcome.Placed> entries = new ArrayList<>();
            List<Event> announced = new ArrayList<>();
            for (Change change : command.changes()) {
                switch (change) {
                    case Change.Append(Draft draft) -> {
                        Known.Holder holder = holderOf(command, draft);
                        if (holder != null) {
                            entries.add(new Outcome.Placed(holder.entry(), true));
                            continue;
                        }
                        Entry entry = Entry.place(draft, head, later(head.lastCreatedAt(), now));
                        head = head.after(entry);
                        take(command, draft, entry);
                        entries.add(new Outcome.Placed(entry, false));
                    }
                    case Change.Announce(String type, String payload) -> {
                        Event.Announced event = new Event.Announced(
                                command.thread(),
                                head.lastPosition() + 1,
                                head.lastSeq(),
                                later(head.lastCreatedAt(), now),
                                type,
                                payload,
                                command.id());
                        head = head.after(event);
                        events.add(event);
                        announced.add(event);
                    }
                }
            }
            if (!head.equals(start)) {
                moved.put(command.thread(), head);
            }
            return new Outcome.Done(entries, announced);
        }

        private void take(Command command, Draft draft, Entry entry) {
            drafts.add(new NewEntry(entry, draft));
            events.add(new Event.Committed(entry));
            EntryKey key = draft.key();
            if (key != null) {
                taken.put(new Known.Place(command.thread(), key), new Known.Holder(entry, draft.fingerprint()));
            }
        }

        private Known.@Nullable Holder holderOf(Command command, Draft draft) {
            EntryKey key = draft.key();
            if (key == null) {
                return null;
            }
            Known.Place place = new Known.Place(command.thread(), key);
            Known.Holder inBatch = taken.get(place);
            return inBatch != null ? inBatch : known.entries().get(place);
        }

        private static Known.Place idOf(Command command, Draft draft) {
            return new Known.Place(command.thread(), EntryKey.id(draft.said().id()));
        }

        /** Time never runs backwards within a thread, whatever the clock does. */
        private static Instant later(Instant a, Instant b) {
            return a.isAfter(b) ? a : b;
        }
    }
}
