package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.LogIndex.Key;
import dev.parley.testkit.history.Violation.Kind;
import dev.parley.testkit.history.WriterNotes.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares what writers were told with what is in the log: I1, I3, I4, I10, and each writer's own order. */
final class WriterJudge {
    /** A key in its thread. */
    private record Place(ThreadId thread, Key key) {}

    private final Map<ThreadId, LogIndex> logs;
    private final List<Violation> violations;
    private final Map<Place, List<Write>> byKey = new LinkedHashMap<>();
    private final Set<String> senders = new HashSet<>();
    private long operations;
    private long acknowledged;
    private long refused;
    private long unknownWritten;
    private long unknownAbsent;

    WriterJudge(Map<ThreadId, LogIndex> logs, List<Violation> violations) {
        this.logs = logs;
        this.violations = violations;
    }

    /** Takes in one writer's notes. */
    void hear(WriterNotes writer) {
        senders.add(writer.sender());
        Set<Place> tried = new HashSet<>();
        Map<ThreadId, Long> last = new HashMap<>();
        for (Write write : writer.writes()) {
            operations++;
            Place place = new Place(write.thread(), new Key(writer.sender(), write.key()));
            byKey.computeIfAbsent(place, any -> new ArrayList<>(1)).add(write);
            boolean firstTry = tried.add(place);
            if (write.outcome() instanceof Outcome.Acknowledged told && firstTry) {
                // A repeat is acknowledged at its first place, which says nothing about the order of writing.
                long before = last.getOrDefault(write.thread(), 0L);
                if (told.seq() <= before && !told.duplicate()) {
                    add(Kind.REORDERED, "writer " + writer.name() + " got seq " + told.seq() + " after " + before);
                }
                last.put(write.thread(), Math.max(before, told.seq()));
            }
        }
    }

    /** Judges all that was heard. */
    void judge() {
        byKey.forEach(this::judgeKey);
        logs.forEach((thread, log) -> log.entries().forEach(entry -> judgeOrigin(thread, entry)));
    }

    private void judgeKey(Place place, List<Write> writes) {
        LogIndex log = logs.get(place.thread());
        if (log == null) {
            throw new IllegalArgumentException("The final log of thread " + place.thread() + " is missing");
        }
        Optional<LogEntry> entry = log.withKey(place.key());
        Set<Outcome.Acknowledged> firsts = new HashSet<>();
        boolean mayBeWritten = false;
        for (Write write : writes) {
            boolean sameBody = entry.isPresent() && entry.get().content().equals(write.body());
            switch (write.outcome()) {
                case Outcome.Acknowledged told -> {
                    acknowledged++;
                    mayBeWritten = true;
                    judgeAcknowledged(place, write, told, log);
                    if (!told.duplicate() && !firsts.add(told)) {
                        add(Kind.DUPLICATED, name(place) + " was acknowledged as new twice at seq " + told.seq());
                    }
                }
                case Outcome.Refused no -> refused++;
                case Outcome.Unknown lost -> {
                    mayBeWritten |= sameBody;
                    if (sameBody) {
                        unknownWritten++;
                    } else {
                        unknownAbsent++;
                    }
                }
            }
        }
        if (firsts.size() > 1) {
            add(Kind.DUPLICATED, name(place) + " was acknowledged as new at several places: " + firsts);
        }
        if (entry.isPresent() && !mayBeWritten) {
            judgeUnexpected(place, writes, entry.get());
        }
    }

    private void judgeUnexpected(Place place, List<Write> writes, LogEntry entry) {
        boolean refusedBody = writes.stream()
                .anyMatch(write -> write.outcome() instanceof Outcome.Refused
                        && write.body().equals(entry.content()));
        add(
                refusedBody ? Kind.WRITTEN_THOUGH_REFUSED : Kind.CHANGED,
                name(place) + " is at seq " + entry.seq() + " with content " + entry.content()
                        + ", which no accepted or unanswered write had");
    }

    private void judgeAcknowledged(Place place, Write write, Outcome.Acknowledged told, LogIndex log) {
        String name = name(place) + " acknowledged at seq " + told.seq();
        if (told.serverSeqAtSubmit() != told.seq() - 1) {
            add(Kind.WRONG_SUBMIT_SEQ, name + " was told server_seq_at_submit " + told.serverSeqAtSubmit());
        }
        LogEntry entry = log.withId(told.id());
        if (entry == null) {
            add(Kind.LOST, name + " with id " + told.id() + " is not in the log");
            return;
        }
        if (entry.seq() != told.seq()) {
            add(Kind.REORDERED, name + " is at seq " + entry.seq());
        }
        Key key = place.key();
        if (!entry.content().equals(write.body())
                || !entry.sender().equals(key.sender())
                || !key.key().equals(entry.key())) {
            add(Kind.CHANGED, name + " was " + write.body() + " and is " + entry);
        }
    }

    private void judgeOrigin(ThreadId thread, LogEntry entry) {
        String key = entry.key();
        if (key == null || !senders.contains(entry.sender())) {
            return;
        }
        if (!byKey.containsKey(new Place(thread, new Key(entry.sender(), key)))) {
            add(Kind.INVENTED, "thread " + thread + " has at seq " + entry.seq() + " what nobody wrote: " + entry);
        }
    }

    private static String name(Place place) {
        return "key " + place.key().key() + " of " + place.key().sender() + " in thread " + place.thread();
    }

    private void add(Kind kind, String text) {
        violations.add(new Violation(kind, text));
    }

    long operations() {
        return operations;
    }

    long acknowledged() {
        return acknowledged;
    }

    long refused() {
        return refused;
    }

    long unknownWritten() {
        return unknownWritten;
    }

    long unknownAbsent() {
        return unknownAbsent;
    }
}
