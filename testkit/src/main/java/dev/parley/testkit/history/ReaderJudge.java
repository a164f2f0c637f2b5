package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.ReaderNotes.Stretch;
import dev.parley.testkit.history.Violation.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares readers' notes with the log (I2, I5, I6). Within a stretch, each seq must be the successor of the seq
 * before. Each entry must be in the log.
 */
final class ReaderJudge {
    private final Map<ThreadId, LogIndex> logs;
    private final List<Violation> violations;
    private long seen;

    ReaderJudge(Map<ThreadId, LogIndex> logs, List<Violation> violations) {
        this.logs = logs;
        this.violations = violations;
    }

    void judge(ReaderNotes reader) {
        LogIndex log = logs.get(reader.thread());
        if (log == null) {
            throw new IllegalArgumentException("The final log of thread " + reader.thread() + " is missing");
        }
        String where = "reader " + reader.name() + " of thread " + reader.thread();
        long last = 0;
        for (Stretch stretch : reader.stretches()) {
            last = stretch.after();
            for (Seen entry : stretch.seen()) {
                seen++;
                if (last != ReaderNotes.LIVE) {
                    Order.check(last, entry.seq(), where, violations);
                }
                last = Math.max(last, entry.seq());
                judgeContent(entry, log, where);
            }
        }
        if (reader.complete() && last != ReaderNotes.LIVE && last < log.lastSeq()) {
            violations.add(new Violation(
                    Kind.GAP, where + " ended at seq " + last + " though the log goes on to " + log.lastSeq()));
        }
    }

    private void judgeContent(Seen entry, LogIndex log, String where) {
        Optional<LogEntry> stored = log.at(entry.seq());
        if (stored.isEmpty()) {
            violations.add(new Violation(Kind.LOST, where + " saw seq " + entry.seq() + ", which is not in the log"));
            return;
        }
        boolean sameId = entry.id() == null || entry.id().equals(stored.get().id());
        if (!sameId || !entry.content().equals(stored.get().content())) {
            violations.add(new Violation(Kind.CHANGED, where + " saw " + entry + " where the log has " + stored.get()));
        }
    }

    long seen() {
        return seen;
    }
}
