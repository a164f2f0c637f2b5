package dev.parley.testkit.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.ThreadId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
    private static final String ANA = "user:ana";
    private static final String TEXT = "نص 帮我查 👩‍👩‍👧 e\u0301 \"quoted\"\n";

    @TempDir
    private Path folder;

    /** Saves a clean history, and one with many violations. */
    @Test
    void aSavedHistoryIsJudgedAsItWasTheFirstTime() throws IOException {
        ThreadId thread = ThreadId.fresh();
        ThreadId empty = ThreadId.fresh();
        HistoryChecker checker = new HistoryChecker();
        WriterNotes writer = checker.writer("writer", ANA);
        writer.unknown(thread, "k1", TEXT);
        writer.write(thread, "k1", TEXT, new Outcome.Acknowledged("m1", 1, 0, true));
        writer.refused(thread, "k1", "another", "key-reused");
        writer.write(thread, "k2", "second", new Outcome.Acknowledged("m2", 2, 1, false));
        ReaderNotes reader = checker.reader("reader", thread);
        reader.resumed(0);
        reader.saw(new Seen(1, null, TEXT));
        reader.page(1, List.of(new Seen(2, "m2", "second")));
        reader.followedToTheEnd();
        checker.reader("nobody", empty).resumedLive();
        List<LogEntry> whole =
                List.of(new LogEntry(1, "m1", ANA, "k1", TEXT, 0), new LogEntry(2, "m2", ANA, "k2", "second", 1));
        assertThat(again(checker, Map.of(thread, whole, empty, List.of())))
                .isEqualTo(checker.check(Map.of(thread, whole, empty, List.of())))
                .matches(Verdict::clean);

        Map<ThreadId, List<LogEntry>> broken = Map.of(thread, List.of(whole.getFirst()), empty, List.of());
        assertThat(again(checker, broken).violations())
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(checker.check(broken).violations());
    }

    @Test
    void aFileThatIsNoHistoryIsRefused() throws IOException {
        Path file = folder.resolve("runs.jsonl.gz");
        for (String line : List.of("{\"asked\":{\"run\":\"r1\"}}", "{}")) {
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write((line + "\n").getBytes(UTF_8));
            }
            assertThatThrownBy(() -> HistoryFile.judge(file)).as(line).isInstanceOf(IOException.class);
        }
    }

    private Verdict again(HistoryChecker checker, Map<ThreadId, List<LogEntry>> logs) throws IOException {
        Path file = folder.resolve("history.jsonl.gz");
        checker.save(file, logs);
        return HistoryFile.judge(file);
    }
}
