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
 * Gives each writer and each reader an object for its notes, and later compares all notes with the final log. The check
 * uses only the notes and the log, and neither a server nor a network.
 */
public final class HistoryChecker {
    private final Queue<WriterNotes> writers = new ConcurrentLinkedQueue<>();
    private final Queue<ReaderNotes> readers = new ConcurrentLinkedQueue<>();

    /** @param sender the actor of the writer */
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

    /** Saves the notes and the final logs, so that {@link HistoryFile#judge} can judge them again. */
    public void save(Path file, Map<ThreadId, List<LogEntry>> finalLogs) throws IOException {
        HistoryFile.write(file, List.copyOf(writers), List.copyOf(readers), finalLogs);
    }

    /**
     * Judges the notes against the whole log of each thread, with its entries in the order in which they were read. All
     * writers and readers must have finished.
     */
    public Verdict check(Map<ThreadId, List<LogEntry>> finalLogs) {
        List<Violation> violations = new ArrayList<>();
        Map<ThreadId, LogIndex> logs = new HashMap<>();
        finalLogs.forEach((thread, entries) -> logs.put(thread, LogIndex.of(thread, entries, violations)));
        WriterJudge writerJudge = new WriterJudge(logs, violations);
        writers.forEach(writerJudge::collect);
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
