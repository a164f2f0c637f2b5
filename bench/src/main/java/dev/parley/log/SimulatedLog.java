package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The database of a simulated history. It holds only committed data, and refuses duplicates as PostgreSQL does with its
 * unique keys.
 */
final class SimulatedLog {
    private final long seed;
    final Map<ThreadId, Head> heads = new HashMap<>();
    final Map<ThreadId, List<Event>> events = new HashMap<>();
    final Map<ThreadId, List<Decision.NewEntry>> entries = new HashMap<>();
    private final Map<KnownFacts.ThreadKey, KnownFacts.Holder> keys = new HashMap<>();
    private final Map<UUID, List<Event>> announcements = new HashMap<>();

    SimulatedLog(long seed) {
        this.seed = seed;
    }

    void addThread(ThreadId thread, Instant now) {
        heads.put(thread, Head.empty(thread, now));
        events.put(thread, new ArrayList<>());
        entries.put(thread, new ArrayList<>());
    }

    /** The result of the lane's query for these attempts. */
    KnownFacts known(List<SimulatedHistory.Try> batch) {
        Map<KnownFacts.ThreadKey, KnownFacts.Holder> holders = new HashMap<>();
        Map<UUID, List<Event>> announced = new HashMap<>();
        for (SimulatedHistory.Try each : batch) {
            Command command = each.command();
            for (Draft draft : command.drafts()) {
                EntryKey key = draft.key();
                if (key != null) {
                    find(command.thread(), key, holders);
                }
                if (each.mayHaveCommitted()) {
                    find(command.thread(), EntryKey.id(draft.content().id()), holders);
                }
            }
            if (each.mayHaveCommitted() && announcements.containsKey(command.id())) {
                announced.put(command.id(), announcements.getOrDefault(command.id(), List.of()));
            }
        }
        return new KnownFacts(
                holders,
                announced,
                missed(batch),
                batch.stream()
                        .filter(SimulatedHistory.Try::mayHaveCommitted)
                        .map(each -> each.command().id())
                        .collect(Collectors.toSet()));
    }

    private Map<KnownFacts.Reading, Integer> missed(List<SimulatedHistory.Try> batch) {
        Map<KnownFacts.Reading, Integer> missed = new HashMap<>();
        for (SimulatedHistory.Try each : batch) {
            for (Draft draft : each.command().drafts()) {
                Long base = draft.content().baseSeq();
                if (base != null) {
                    ThreadId thread = each.command().thread();
                    Actor author = draft.content().author();
                    missed.put(
                            new KnownFacts.Reading(thread, author, base),
                            othersBetween(thread, author, base, Long.MAX_VALUE));
                }
            }
        }
        return missed;
    }

    private int othersBetween(ThreadId thread, Actor author, long after, long before) {
        return (int) entriesOf(thread).stream()
                .map(Decision.NewEntry::entry)
                .filter(entry -> entry.seq() > after && entry.seq() < before)
                .filter(entry -> !entry.content().author().equals(author))
                .count();
    }

    /**
     * Checks that a reply with a base seq has the right stale lag, and that a reply that must not be stale has missed
     * no message.
     */
    private void checkFreshness(Decision.NewEntry each) {
        Entry entry = each.entry();
        Long base = entry.content().baseSeq();
        if (base != null) {
            int missed = othersBetween(entry.thread(), entry.content().author(), base, entry.seq());
            require(
                    Objects.equals(entry.staleLag(), missed),
                    "seq " + entry.seq() + " missed " + missed + " messages but says " + entry.staleLag());
            require(missed == 0 || !each.draft().rejectIfStale(), "a stale reply was accepted at seq " + entry.seq());
        } else {
            require(entry.staleLag() == null, "seq " + entry.seq() + " says it is stale without a base");
        }
    }

    private void find(ThreadId thread, EntryKey key, Map<KnownFacts.ThreadKey, KnownFacts.Holder> holders) {
        KnownFacts.ThreadKey threadKey = new KnownFacts.ThreadKey(thread, key);
        KnownFacts.Holder holder = keys.get(threadKey);
        if (holder != null) {
            holders.put(threadKey, holder);
        }
    }

    void commit(Decision decision) {
        for (Decision.NewEntry each : decision.drafts()) {
            Entry entry = each.entry();
            KnownFacts.Holder holder = new KnownFacts.Holder(
                    entry, each.draft().fingerprint(), each.draft().salt());
            take(entry.thread(), EntryKey.id(entry.content().id()), holder);
            EntryKey key = each.draft().key();
            if (key != null) {
                take(entry.thread(), key, holder);
            }
            entriesOf(entry.thread()).add(each);
        }
        for (Event event : decision.events()) {
            events.getOrDefault(event.thread(), new ArrayList<>()).add(event);
            if (event instanceof Event.Announced announced) {
                announcements
                        .computeIfAbsent(announced.command(), command -> new ArrayList<>())
                        .add(event);
            }
        }
        heads.putAll(decision.heads());
    }

    List<Decision.NewEntry> entriesOf(ThreadId thread) {
        return entries.getOrDefault(thread, new ArrayList<>());
    }

    private void take(ThreadId thread, EntryKey key, KnownFacts.Holder holder) {
        if (keys.put(new KnownFacts.ThreadKey(thread, key), holder) != null) {
            throw new LogSimulator.Violation(seed, "the key " + key.value() + " was taken twice");
        }
    }

    /** Checks for dense seqs, growing positions, time that never runs back, an unbroken chain, and a correct head. */
    void check() {
        heads.forEach((thread, head) -> {
            long seq = 0;
            Instant last = Instant.MIN;
            Digest chain = Digest.ZERO;
            Set<String> ids = new HashSet<>();
            for (Decision.NewEntry each : entriesOf(thread)) {
                Entry entry = each.entry();
                checkFreshness(each);
                require(entry.seq() == ++seq, "seq " + entry.seq() + " stands where " + seq + " belongs");
                require(!entry.createdAt().isBefore(last), "time runs backwards at seq " + seq);
                require(ids.add(entry.content().id()), "the id of seq " + seq + " is there twice");
                last = entry.createdAt();
                chain = chain.chain(entry.digest());
            }
            require(head.lastSeq() == seq, "the head says seq " + head.lastSeq() + ", the log ends at " + seq);
            require(head.hash().equals(chain), "the head's hash is not the chain of the entries");
            checkPositions(events.getOrDefault(thread, List.of()), head);
        });
    }

    private void checkPositions(List<Event> stream, Head head) {
        long position = 0;
        long seq = 0;
        for (Event event : stream) {
            require(event.position() > position, "position " + event.position() + " follows " + position);
            position = event.position();
            if (event instanceof Event.Committed) {
                require(event.seq() == seq + 1, "event of seq " + event.seq() + " follows " + seq);
                seq = event.seq();
            } else {
                require(event.seq() == seq, "an event between entries names seq " + event.seq() + " after " + seq);
            }
        }
        require(head.lastPosition() == position, "the head's position is not the last event's");
        require(head.lastSeq() == seq, "an entry has no event");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new LogSimulator.Violation(seed, otherwise);
        }
    }
}
