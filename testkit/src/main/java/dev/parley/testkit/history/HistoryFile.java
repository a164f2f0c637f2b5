package dev.parley.testkit.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.ReaderNotes.Stretch;
import dev.parley.testkit.history.WriterNotes.Write;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A history as a file: compressed lines of JSON, each with a write, a read or a stored entry of the final log. A saved
 * history can be judged again.
 */
public final class HistoryFile {
    private HistoryFile() {}

    /** One line, with exactly one of the three parts. */
    private record Line(
            @Nullable Wrote wrote,
            @Nullable Read read,
            @Nullable Stored stored) {}

    /**
     * One attempt to write. The lines keep the order of each writer. The fields of the outcome are null if the writer
     * did not learn them.
     */
    private record Wrote(
            String writer,
            String sender,
            long atMillis,
            ThreadId thread,
            String key,
            String body,
            String outcome,
            @Nullable String slug,
            Outcome.@Nullable Acknowledged told) {}

    /** One stretch of a reader. */
    private record Read(String reader, ThreadId thread, boolean complete, long after, List<Seen> seen) {}

    /** One entry of the final log. */
    private record Stored(ThreadId thread, @Nullable LogEntry entry) {}

    /** The parts of a history while its file is read. */
    private static final class Reading {
        private final HistoryChecker checker = new HistoryChecker();
        private final Map<String, WriterNotes> writers = new HashMap<>();
        private final Map<String, ReaderNotes> readers = new HashMap<>();
        private final Map<ThreadId, List<LogEntry>> logs = new HashMap<>();

        private void take(Line line) throws IOException {
            Wrote wrote = line.wrote();
            Read read = line.read();
            Stored stored = line.stored();
            if (wrote != null && read == null && stored == null) {
                take(wrote);
            } else if (read != null && wrote == null && stored == null) {
                take(read);
            } else if (stored != null && wrote == null && read == null) {
                take(stored);
            } else {
                // If this line were skipped, the history could look clean without a judgement.
                throw new IOException("a line is nothing that was written, read or stored");
            }
        }

        private void take(Wrote wrote) {
            writers.computeIfAbsent(wrote.writer(), name -> checker.writer(name, wrote.sender()))
                    .write(wrote.atMillis(), wrote.thread(), wrote.key(), wrote.body(), outcome(wrote));
        }

        private void take(Read read) {
            ReaderNotes notes = readers.computeIfAbsent(read.reader(), name -> checker.reader(name, read.thread()));
            notes.page(read.after(), read.seen());
            if (read.complete()) {
                notes.followedToTheEnd();
            }
        }

        private void take(Stored stored) {
            List<LogEntry> log = logs.computeIfAbsent(stored.thread(), any -> new ArrayList<>());
            LogEntry entry = stored.entry();
            if (entry != null) {
                log.add(entry);
            }
        }
    }

    static void write(
            Path file, List<WriterNotes> writers, List<ReaderNotes> readers, Map<ThreadId, List<LogEntry>> logs)
            throws IOException {
        try (BufferedWriter out =
                new BufferedWriter(new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), UTF_8))) {
            for (WriterNotes writer : writers) {
                for (Write write : writer.writes()) {
                    add(out, new Line(wrote(writer, write), null, null));
                }
            }
            for (ReaderNotes reader : readers) {
                for (Stretch stretch : reader.stretches()) {
                    add(out, new Line(null, read(reader, stretch), null));
                }
            }
            for (Map.Entry<ThreadId, List<LogEntry>> log : logs.entrySet()) {
                // This line keeps a thread without entries in the file.
                add(out, new Line(null, null, new Stored(log.getKey(), null)));
                for (LogEntry entry : log.getValue()) {
                    add(out, new Line(null, null, new Stored(log.getKey(), entry)));
                }
            }
        }
    }

    private static void add(BufferedWriter out, Line line) throws IOException {
        out.write(Json.MAPPER.writeValueAsString(line));
        out.newLine();
    }

    private static Wrote wrote(WriterNotes writer, Write write) {
        return new Wrote(
                writer.name(),
                writer.sender(),
                write.atMillis(),
                write.thread(),
                write.key(),
                write.body(),
                switch (write.outcome()) {
                    case Outcome.Acknowledged told -> "acknowledged";
                    case Outcome.Refused no -> "refused";
                    case Outcome.Unknown nothing -> "unknown";
                },
                write.outcome() instanceof Outcome.Refused no ? no.slug() : null,
                write.outcome() instanceof Outcome.Acknowledged told ? told : null);
    }

    private static Outcome outcome(Wrote wrote) {
        Outcome.Acknowledged told = wrote.told();
        String slug = wrote.slug();
        return told != null ? told : slug != null ? new Outcome.Refused(slug) : new Outcome.Unknown();
    }

    private static Read read(ReaderNotes reader, Stretch stretch) {
        return new Read(reader.name(), reader.thread(), reader.complete(), stretch.after(), stretch.seen());
    }

    /** Judges a saved history again; throws an {@link IOException} for any other file. */
    public static Verdict judge(Path file) throws IOException {
        Reading reading = new Reading();
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                reading.take(Json.MAPPER.readValue(line, Line.class));
            }
        } catch (JacksonException unreadable) {
            throw new IOException(
                    file.getFileName() + " is no history: " + unreadable.getOriginalMessage(), unreadable);
        }
        return reading.checker.check(reading.logs);
    }
}
