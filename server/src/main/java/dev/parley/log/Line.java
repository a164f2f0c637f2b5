package dev.parley.log;

import java.util.List;

/**
 * One line of a row of a run's events: an event, or several deltas of one text that compaction has merged.
 *
 * @param position the last position that the line covers, and the position of a reader who has read the line
 * @param json a JSON object as text, without line breaks
 * @param lengths for merged deltas, the UTF-16 units that each position added; otherwise empty
 */
public record Line(long position, String json, List<Integer> lengths) {
    public Line {
        lengths = lengths.size() < 2 ? List.of() : List.copyOf(lengths);
    }

    static Line of(long position, String json) {
        return new Line(position, json, List.of());
    }

    /** The first of the positions that the line covers. */
    public long from() {
        return position - Math.max(lengths.size(), 1) + 1;
    }

    /** The part of this line after a position. If the position lies inside the line, the part is one delta. */
    Line after(long seen) {
        if (seen < from()) {
            return this;
        }
        int parts = (int) (seen - from() + 1);
        int units =
                lengths.subList(0, parts).stream().mapToInt(Integer::intValue).sum();
        Delta whole = Delta.read(json)
                .orElseThrow(() -> new IllegalStateException("position " + position + " holds no deltas"));
        return new Line(
                position, whole.with(whole.text().substring(units)).json(), lengths.subList(parts, lengths.size()));
    }
}
