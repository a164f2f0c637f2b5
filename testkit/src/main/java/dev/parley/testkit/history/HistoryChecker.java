package dev.parley.testkit.history;

import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Hands out notebooks to writers and readers while they work, and compares all of them with the final log when they are
 * done. It knows no server and no network: only what was written down.
 */
public final class HistoryChecker {
    private final Queue<WriterNotes> writers = new ConcurrentLinkedQueue<>();
    private final Queue<ReaderNotes> readers = new ConcurrentLinkedQueue<>();

    /** @param sender the actor the writer writes as */
    public WriterNotes writer(String name, String sender) {
        WriterNotes notes = new WriterNotes(name, sender);
        writers.add(notes);
        return notes;
    }

    public ReaderNotes reader(String name, ThreadId thread) {
        ReaderNotes notes = new ReaderNotes(name, thread);
        readers.add(notes);
        return notes;
    }

    /** Saves what was written down, with the final logs, so that {@link HistoryFile#judge} can judge it again. */
    public void save(Path file, Map<ThreadId, List<LogEntry>> finalLogs) throws IOException {
        HistoryFile.write(file, List.copyOf(writers), List.copyOf(readers), finalLogs);
    }

    /** Judges the history against each thread's whole log, in the order it was read. All must be done by now. */
    public Verdict check(Map<ThreadId, List<LogEntry>> finalLogs) {
        List<Violation> violations = new ArrayList<>();
        Map<ThreadId, LogIndex> logs = new HashMap<>();
        finalLogs.forEach((thread, entries) -> logs.put(thread, LogIndex.of(thread, entries, violations)));
        WriterJudge writerJudge = new WriterJudge(logs, violations);
        writers.forEach(writerJudge::hear);
        writerJudge.judge();
        ReaderJudge readerJudge = new ReaderJudge(logs, violations);
        readers.forEach(readerJudge::judge);
        return new Verdict(
                writerJudge.operations(),
                writerJudge.acknowledged(),
                writerJudge.refused(),
                writerJudge.unknownWritten(),
                writerJudge.unknownAbsent(),
                finalLogs.values().stream().mapToLong(List::size).sum(),
                readerJudge.seen(),
                violations);
    }
}
