package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Where one proof is kept: what was asked for, a history per round, the rounds, and how to judge them again. */
final class HistoryFolder {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
    private final Path folder;

    private HistoryFolder(Path folder) {
        this.folder = folder;
    }

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
            rounds.jsonl         the rounds: their faults, when they began, how runs ended, what was broken
            result.json          all of it together, with what the database itself showed in the end

            To judge the histories again:

                ./parley prove judge --history %s
            """.formatted(folder);
    }

    Path path() {
        return folder;
    }

    void save(ClusterFinding finding) throws IOException {
        List<String> lines =
                finding.rounds().stream().map(Json.MAPPER::writeValueAsString).toList();
        Files.write(folder.resolve("rounds.jsonl"), lines);
        Figures.save(finding, folder.resolve("result.json"));
    }
}
