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

/** Compares writers' notes with the log: I1, I3, I4, I10, and each writer's own order. */
final class WriterJudge {
    /** A key in its thread. */
    private record ThreadKey(ThreadId thread, Key key) {}

    private final Map<ThreadId, LogIndex> logs;
    private final List<Violation> violations;
    private final Map<ThreadKey, List<Write>> byKey = new LinkedHashMap<>();
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

    /** Adds one writer's notes. */
    void collect(WriterNotes writer) {
        senders.add(writer.sender());
        Set<ThreadKey> tried = new HashSet<>();
        Map<ThreadId, Long> last = new HashMap<>();
        for (Write write : writer.writes()) {
            operations++;
            ThreadKey threadKey = new ThreadKey(write.thread(), new Key(writer.sender(), write.key()));
            byKey.computeIfAbsent(threadKey, any -> new ArrayList<>(1)).add(write);
            boolean firstTry = tried.add(threadKey);
            if (write.outcome() instanceof Outcome.Acknowledged ack && firstTry) {
                // A repeat is acknowledged with the seq of the first write, which does not show the order of writing.
                long before = last.getOrDefault(write.thread(), 0L);
                if (ack.seq() <= before && !ack.duplicate()) {
                    add(Kind.REORDERED, "writer " + writer.name() + " got seq " + ack.seq() + " after " + before);
                }
                last.put(write.thread(), Math.max(before, ack.seq()));
            }
        }
    }

    /** Judges all notes added so far. */
    void judge() {
        byKey.forEach(this::judgeKey);
        logs.forEach((thread, log) -> log.entries().forEach(entry -> judgeOrigin(thread, entry)));
    }

    private void judgeKey(ThreadKey threadKey, List<Write> writes) {
        LogIndex log = logs.get(threadKey.thread());
        if (log == null) {
            throw new IllegalArgumentException("The final log of thread " + threadKey.thread() + " is missing");
        }
        Optional<LogEntry> entry = log.withKey(threadKey.key());
        Set<Outcome.Acknowledged> firsts = new HashSet<>();
        boolean mayBeWritten = false;
        for (Write write : writes) {
            boolean sameBody = entry.isPresent() && entry.get().content().equals(write.body());
            switch (write.outcome()) {
                case Outcome.Acknowledged ack -> {
                    acknowledged++;
                    mayBeWritten = true;
                    judgeAcknowledged(threadKey, write, ack, log);
                    if (!ack.duplicate() && !firsts.add(ack)) {
                        add(Kind.DUPLICATED, name(threadKey) + " was acknowledged as new twice at seq " + ack.seq());
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
            add(Kind.DUPLICATED, name(threadKey) + " was acknowledged as new at several places: " + firsts);
        }
        if (entry.isPresent() && !mayBeWritten) {
            judgeUnexpected(threadKey, writes, entry.get());
        }
    }

    private void judgeUnexpected(ThreadKey threadKey, List<Write> writes, LogEntry entry) {
        boolean refusedBody = writes.stream()
                .anyMatch(write -> write.outcome() instanceof Outcome.Refused
                        && write.body().equals(entry.content()));
        add(
                refusedBody ? Kind.WRITTEN_THOUGH_REFUSED : Kind.CHANGED,
                name(threadKey) + " is at seq " + entry.seq() + " with content " + entry.content()
                        + ", which no accepted or unanswered write had");
    }

    private void judgeAcknowledged(ThreadKey threadKey, Write write, Outcome.Acknowledged ack, LogIndex log) {
        String name = name(threadKey) + " acknowledged at seq " + ack.seq();
        if (ack.serverSeqAtSubmit() != ack.seq() - 1) {
            add(Kind.WRONG_SUBMIT_SEQ, name + " was told server_seq_at_submit " + ack.serverSeqAtSubmit());
        }
        LogEntry entry = log.withId(ack.id());
        if (entry == null) {
            add(Kind.LOST, name + " with id " + ack.id() + " is not in the log");
            return;
        }
        if (entry.seq() != ack.seq()) {
            add(Kind.REORDERED, name + " is at seq " + entry.seq());
        }
        Key key = threadKey.key();
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
        if (!byKey.containsKey(new ThreadKey(thread, new Key(entry.sender(), key)))) {
            add(
                    Kind.INVENTED,
                    "thread " + thread + " has at seq " + entry.seq() + " an entry that no writer wrote: " + entry);
        }
    }

    private static String name(ThreadKey threadKey) {
        return "key " + threadKey.key().key() + " of " + threadKey.key().sender() + " in thread " + threadKey.thread();
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
