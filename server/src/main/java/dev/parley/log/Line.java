package dev.parley.log;

import java.util.List;

/**
 * One line of a row of a run's events: an event, or several deltas of one text that compaction has put together.
 *
 * @param position the last position that it covers; whoever has read the line stands there
 * @param json a JSON object as text, without line breaks
 * @param lengths of deltas put together, how much of the text each position brought, in UTF-16 units; else empty
 */
public record Line(long position, String json, List<Integer> lengths) {
    public Line {
        lengths = lengths.size() < 2 ? List.of() : List.copyOf(lengths);
    }

    static Line of(long position, String json) {
        return new Line(position, json, List.of());
    }

    /** The first of the positions that it covers. */
    public long from() {
        return position - Math.max(lengths.size(), 1) + 1;
    }

    /** What a reader who stands at a position, perhaps inside this line, has not seen of it: the rest as one delta. */
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
