package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Flags;
import dev.parley.bench.rig.UsageException;
import dev.parley.testkit.history.HistoryFile;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** {@code ./parley prove judge}: judges the saved messages of a proof once more; runs were judged live. */
public final class JudgeCommand {
    public static final String FLAGS = """
                --history FOLDER     what ./parley prove has saved
            """;

    private static final int SHOWN = 20;

    private JudgeCommand() {}

    public static int run(List<String> arguments, PrintStream out) {
        Flags flags = Flags.parse(arguments, Set.of("history"));
        Path folder = flags.path("history", Path.of("."));
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
                verdict.violations().stream().limit(SHOWN).forEach(violation -> out.println("  " + violation));
                clean &= verdict.clean();
            }
            out.println("Runs are not judged again: what their judgement needs of the server is not in the files.");
            return clean ? 0 : 1;
        } catch (IOException unreadable) {
            throw new UsageException("The histories in " + folder + " cannot be read: " + unreadable.getMessage());
        }
    }
}
