package dev.parley.bench.prove;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.protocol.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The saved notes on a crowd's runs: compressed lines of JSON, one for each run. */
final class RunNotes {
    private RunNotes() {}

    /**
     * One run.
     *
     * @param cancel the answer to the run's cancel; null if there is no answer
     * @param views the events that each viewer saw, with neighbouring deltas joined
     */
    private record Line(
            String thread,
            String runId,
            String task,
            String asked,
            @Nullable String cancel,
            List<List<String>> views) {}

    static void write(Path file, List<StartedRun> runs, List<RunViewer> viewers, List<RunCanceller> cancellers)
            throws IOException {
        try (BufferedWriter out =
                new BufferedWriter(new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), UTF_8))) {
            for (StartedRun run : runs) {
                out.write(Json.MAPPER.writeValueAsString(line(run, viewers, cancellers)));
                out.newLine();
            }
        }
    }

    private static Line line(StartedRun run, List<RunViewer> viewers, List<RunCanceller> cancellers) {
        return new Line(
                run.thread().toString(),
                run.runId(),
                run.task().toString(),
                run.prompt().text(),
                cancellers.stream()
                        .filter(canceller -> canceller.cancelled().equals(run))
                        .flatMap(canceller -> canceller.answer().stream())
                        .findFirst()
                        .orElse(null),
                viewers.stream()
                        .filter(viewer -> viewer.viewed().equals(run))
                        .map(viewer -> viewer.trace().steps().stream()
                                .map(RunTrace.Step::toString)
                                .toList())
                        .toList());
    }
}
