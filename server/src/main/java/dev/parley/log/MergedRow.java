package dev.parley.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A row under construction from adjacent rows of a run. It contains all lines of these rows, but neighbouring deltas of
 * one text are one line.
 */
final class MergedRow {
    /** The approximate number of bytes that one length of a line takes. */
    private static final int LENGTH_BYTES = 4;

    private final long maxBytes;
    private final List<Event.Emitted> rows = new ArrayList<>();
    private final List<MergedLine> lines = new ArrayList<>();
    private long bytes;

    private MergedRow(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Merges rows of one run, in order, if they are adjacent and the result does not become too large. */
    static List<MergedRow> merge(List<Event.Emitted> rows, long maxBytes) {
        List<MergedRow> merged = new ArrayList<>();
        for (Event.Emitted row : rows) {
            if (merged.isEmpty() || !merged.getLast().takes(row)) {
                merged.add(new MergedRow(maxBytes));
            }
            merged.getLast().add(row);
        }
        return merged;
    }

    /**
     * True if the row is adjacent and fits. Rows with an entry or another event between them are not adjacent, because
     * that event has a position of its own.
     */
    private boolean takes(Event.Emitted row) {
        Event.Emitted before = rows.getLast();
        return row.from() == before.position() + 1
                && row.actor().equals(before.actor())
                && bytes + row.lines().stream().mapToLong(MergedRow::bytes).sum() <= maxBytes;
    }

    private void add(Event.Emitted row) {
        rows.add(row);
        row.lines().forEach(this::add);
    }

    private void add(Line line) {
        Delta delta = Delta.read(line.json()).orElse(null);
        if (delta != null && !lines.isEmpty() && lines.getLast().takes(delta)) {
            lines.getLast().add(delta);
            bytes += bytes(line) - bytes(delta.with("").json());
        } else {
            lines.add(new MergedLine(line, delta));
            bytes += bytes(line);
        }
    }

    private static long bytes(Line line) {
        return bytes(line.json()) + LENGTH_BYTES;
    }

    private static long bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The position of the last row that was merged. */
    long position() {
        return rows.getLast().position();
    }

    /** The positions of the other rows that were merged. */
    List<Long> replaced() {
        return rows.subList(0, rows.size() - 1).stream()
                .map(Event.Emitted::position)
                .toList();
    }

    List<Line> lines() {
        return lines.stream().map(MergedLine::toLine).toList();
    }
}
