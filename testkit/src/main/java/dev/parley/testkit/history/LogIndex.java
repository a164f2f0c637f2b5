package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The final log of one thread by seq, id and key. {@link #of} reports violations within the log itself. */
final class LogIndex {
    /** A client's key; each sender has its own keys. */
    record Key(String sender, String key) {}

    private final Map<Long, LogEntry> bySeq = new HashMap<>();
    private final Map<String, LogEntry> byId = new HashMap<>();
    private final Map<Key, List<LogEntry>> byKey = new HashMap<>();
    private final List<LogEntry> entries;

    private LogIndex(List<LogEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    static LogIndex of(ThreadId thread, List<LogEntry> entries, List<Violation> violations) {
        LogIndex index = new LogIndex(entries);
        long last = 0;
        for (LogEntry entry : entries) {
            String entryName = "thread " + thread + " seq " + entry.seq();
            Order.check(last, entry.seq(), "the log of thread " + thread, violations);
            last = Math.max(last, entry.seq());
            if (entry.serverSeqAtSubmit() != entry.seq() - 1) {
                violations.add(new Violation(
                        Kind.WRONG_SUBMIT_SEQ, entryName + " has server_seq_at_submit " + entry.serverSeqAtSubmit()));
            }
            LogEntry sameId = index.byId.putIfAbsent(entry.id(), entry);
            if (sameId != null) {
                violations.add(new Violation(
                        Kind.DUPLICATED, entryName + " has the id " + entry.id() + " of seq " + sameId.seq()));
            }
            index.bySeq.putIfAbsent(entry.seq(), entry);
            index.addKey(entry, entryName, violations);
        }
        return index;
    }

    private void addKey(LogEntry entry, String entryName, List<Violation> violations) {
        String key = entry.key();
        if (key == null) {
            return;
        }
        List<LogEntry> same = byKey.computeIfAbsent(new Key(entry.sender(), key), any -> new ArrayList<>(1));
        if (!same.isEmpty()) {
            violations.add(new Violation(
                    Kind.DUPLICATED,
                    entryName + " has the key " + key + " of seq "
                            + same.getFirst().seq()));
        }
        same.add(entry);
    }

    List<LogEntry> entries() {
        return entries;
    }

    Optional<LogEntry> at(long seq) {
        return Optional.ofNullable(bySeq.get(seq));
    }

    @Nullable
    LogEntry withId(String id) {
        return byId.get(id);
    }

    Optional<LogEntry> withKey(Key key) {
        List<LogEntry> found = byKey.get(key);
        return found == null ? Optional.empty() : Optional.of(found.getFirst());
    }

    long lastSeq() {
        return bySeq.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}
