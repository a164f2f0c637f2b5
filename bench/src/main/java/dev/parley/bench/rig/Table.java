package dev.parley.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A table in plain text: the first column is aligned to the left, the others to the right. */
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... titles) {
        rows.add(List.of(titles));
    }

    public void add(Object... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("a row has as many cells as there are titles");
        }
        rows.add(Stream.of(cells).map(String::valueOf).toList());
    }

    @Override
    public String toString() {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < rows.getFirst().size(); column++) {
            int at = column;
            widths.add(rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0));
        }
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows.size(); row++) {
            text.append(line(rows.get(row), widths)).append('\n');
            if (row == 0) {
                int width = widths.stream().mapToInt(Integer::intValue).sum() + 2 * (widths.size() - 1);
                text.append("-".repeat(width)).append('\n');
            }
        }
        return text.toString();
    }

    private static String line(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            String cell = cells.get(column);
            String padding = " ".repeat(widths.get(column) - cell.length());
            line.append(column == 0 ? cell + padding : "  " + padding + cell);
        }
        return line.toString().stripTrailing();
    }
}
