package dev.parley.bench.prove.cluster;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.parley.bench.prove.Proof;
import dev.parley.bench.rig.BenchCommand;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.UsageException;
import dev.parley.protocol.Json;
import dev.parley.testkit.history.HistoryFile;
import dev.parley.testkit.history.Verdict;
import dev.parley.testkit.history.Violation;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Where one proof is kept: what was asked for, a history per round, the rounds, and how to judge them again. */
public record HistoryFolder(Path path) {
    public static final BenchCommand JUDGE = new BenchCommand(
            "judge", "judges the histories that a proof has saved once more", """
                --history FOLDER     what ./parley prove has saved
            """, HistoryFolder::judge);

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final String MESSAGES = "round-";
    private static final String PACKED = ".jsonl.gz";

    /** A new one, named by the time of day. */
    static HistoryFolder make(Path parent, String command) throws IOException {
        Path folder =
                parent.resolve(LocalDateTime.now(ZoneOffset.UTC).format(NAME)).toAbsolutePath();
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("command.txt"), command + "\n" + Machine.here() + "\n");
        Files.writeString(folder.resolve("README.txt"), note(folder));
        return new HistoryFolder(folder);
    }

    private static String note(Path folder) {
        return """
            One run of `./parley prove`.

            command.txt          the command, with the seed that repeats the order of its faults
            round-NNNN.jsonl.gz  what writers and readers of a round saw, and the log in the end; JSON lines:
                                 {"wrote": …} an attempt and what the writer was told, {"read": …} a stretch of a
                                 reader, {"stored": …} an entry of the log
            runs-NNNN.jsonl.gz   the runs of a round: what was asked, what each viewer saw, how a cancel was answered
            rounds.jsonl         the rounds, as they were judged: their faults and times, how runs ended, what was broken
            result.json          all of it together, with what the database itself showed in the end

            To judge the messages again (runs are not judged again: that takes the server's own answers, too):

                ./parley prove judge --history %s
            """.formatted(folder);
    }

    /** The history of a round's messages. */
    static Path messages(Path folder, int round) {
        return folder.resolve("%s%04d%s".formatted(MESSAGES, round, PACKED));
    }

    private static boolean isOfMessages(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith(MESSAGES) && name.endsWith(PACKED);
    }

    /** What was seen of a round's runs. */
    static Path runs(Path folder, int round) {
        return folder.resolve("runs-%04d%s".formatted(round, PACKED));
    }

    /** Each round is kept as it is judged: a proof that is broken off has shown what it has shown. */
    static void add(Path folder, RoundFinding round) throws IOException {
        Files.writeString(folder.resolve("rounds.jsonl"), Json.MAPPER.writeValueAsString(round) + "\n", CREATE, APPEND);
    }

    void save(ClusterFinding finding) throws IOException {
        Figures.save(finding, path.resolve("result.json"));
    }

    /** Judges the saved messages of a proof once more; runs were judged live. */
    private static int judge(Flags flags, PrintStream out) {
        Path folder = flags.path("history");
        boolean clean = true;
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> histories =
                    files.filter(HistoryFolder::isOfMessages).sorted().toList();
            if (histories.isEmpty()) {
                throw new UsageException("There are no histories in " + folder + ".");
            }
            for (Path history : histories) {
                Verdict verdict = HistoryFile.judge(history);
                out.println(history.getFileName() + ": " + verdict.summary());
                Proof.show(
                        verdict.violations().stream().map(Violation::toString).toList(), out);
                clean &= verdict.clean();
            }
            out.println("Runs are not judged again: what their judgement needs of the server is not in the files.");
            return clean ? 0 : 1;
        } catch (IOException unreadable) {
            throw new UsageException("The histories in " + folder + " cannot be read: " + unreadable.getMessage());
        }
    }
}
