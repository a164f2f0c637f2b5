package dev.parley.log;

import dev.parley.protocol.Split;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a run's events in one row. {@code payload} has one line per event or merged delta. {@code covers}
 * has the {@linkplain Line#lengths() lengths} of each line, such as {@code 3,5,2;;7,1}. A line that covers one position
 * has no lengths. {@code covers} is an empty text if every line covers one position, and null as long as the row is
 * unchanged since its append.
 */
final class EmittedRow {
    private EmittedRow() {}

    static List<Line> lines(String payload, @Nullable String covers, long position) {
        List<String> json = payload.lines().toList();
        List<List<Integer>> lengths = lengths(covers, json.size());
        List<Line> lines = new ArrayList<>(json.size());
        long at = position;
        for (int i = json.size() - 1; i >= 0; i--) {
            Line line = new Line(at, json.get(i), lengths.get(i));
            lines.add(line);
            at = line.from() - 1;
        }
        return lines.reversed();
    }

    private static List<List<Integer>> lengths(@Nullable String covers, int lines) {
        List<List<Integer>> lengths = covers == null || covers.isEmpty()
                ? Collections.nCopies(lines, List.of())
                : Split.at(';', covers).stream().map(EmittedRow::numbers).toList();
        if (lengths.size() != lines) {
            throw new IllegalStateException(lines + " lines, and lengths of " + lengths.size());
        }
        return lengths;
    }

    private static List<Integer> numbers(String text) {
        return text.isEmpty()
                ? List.of()
                : Split.at(',', text).stream().map(Integer::valueOf).toList();
    }

    static String payload(List<Line> lines) {
        return lines.stream().map(Line::json).collect(Collectors.joining("\n"));
    }

    static String covers(List<Line> lines) {
        return lines.stream().allMatch(line -> line.lengths().isEmpty())
                ? ""
                : lines.stream()
                        .map(line ->
                                line.lengths().stream().map(String::valueOf).collect(Collectors.joining(",")))
                        .collect(Collectors.joining(";"));
    }
}
