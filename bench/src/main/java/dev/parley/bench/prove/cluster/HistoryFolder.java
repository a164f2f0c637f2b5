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

/**
 * The folder of one proof. It contains the command, a history for each round, the findings of the rounds, and a note
 * that tells how to judge the histories again.
 */
public record HistoryFolder(Path path) {
    public static final BenchCommand JUDGE = new BenchCommand(
            "judge", "judges the histories that a proof has saved once more", """
                --history FOLDER     folder that ./parley prove has saved
            """, HistoryFolder::judge);

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private static final String MESSAGES = "round-";
    private static final String PACKED = ".jsonl.gz";

    /** Creates a folder that is named after the current date and time. */
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
            round-NNNN.jsonl.gz  notes of the writers and readers of a round, and the final log; JSON lines:
                                 {"wrote": …} an attempt and its outcome, {"read": …} a stretch of a
                                 reader, {"stored": …} an entry of the log
            runs-NNNN.jsonl.gz   the runs of a round: prompt, events of each viewer, answer to a cancel
            rounds.jsonl         the judged rounds: their faults and times, final states of runs, broken promises
            result.json          all of it together, with the final check of the database itself

            To judge the messages again (runs cannot be judged again without the server):

                ./parley prove judge --history %s
            """.formatted(folder);
    }

    /** The file with the history of a round's messages. */
    static Path messages(Path folder, int round) {
        return folder.resolve("%s%04d%s".formatted(MESSAGES, round, PACKED));
    }

    private static boolean isOfMessages(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.startsWith(MESSAGES) && name.endsWith(PACKED);
    }

    /** The file with the views of a round's runs. */
    static Path runs(Path folder, int round) {
        return folder.resolve("runs-%04d%s".formatted(round, PACKED));
    }

    /** Saves each round as soon as it is judged, because a proof that is broken off must keep its rounds. */
    static void add(Path folder, RoundFinding round) throws IOException {
        Files.writeString(folder.resolve("rounds.jsonl"), Json.MAPPER.writeValueAsString(round) + "\n", CREATE, APPEND);
    }

    void save(ClusterFinding finding) throws IOException {
        Figures.save(finding, path.resolve("result.json"));
    }

    /** Judges the saved messages of a proof once more. Runs cannot be judged again without the server. */
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
            out.println(
                    "Runs are not judged again: their judgement needs answers of the server that are not in the files.");
            return clean ? 0 : 1;
        } catch (IOException unreadable) {
            throw new UsageException("The histories in " + folder + " cannot be read: " + unreadable.getMessage());
        }
    }
}
