package dev.parley.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A line under construction: an unchanged event, or a delta together with the deltas after it. */
final class MergedLine {
    private final Line first;
    private final @Nullable Delta delta;
    private final StringBuilder text = new StringBuilder();
    private final List<Integer> lengths = new ArrayList<>();

    MergedLine(Line first, @Nullable Delta delta) {
        this.first = first;
        this.delta = delta;
        if (delta != null) {
            add(delta);
        }
    }

    boolean takes(@Nullable Delta next) {
        return delta != null && next != null && delta.isLike(next);
    }

    void add(Delta next) {
        text.append(next.text());
        lengths.add(next.text().length());
    }

    Line toLine() {
        return delta == null || lengths.size() == 1
                ? first
                : new Line(
                        first.position() + lengths.size() - 1,
                        delta.with(text.toString()).json(),
                        lengths);
    }
}
