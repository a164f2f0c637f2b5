package dev.parley.bench.rig;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The columns of a table. Each column has a function that gives its cell for a row. */
public final class Columns<R> {
    private final List<String> titles = new ArrayList<>();
    private final List<Function<R, ?>> cells = new ArrayList<>();

    public Columns<R> add(String title, Function<R, ?> cell) {
        titles.add(title);
        cells.add(cell);
        return this;
    }

    public Columns<R> whole(String title, ToDoubleFunction<R> cell) {
        return add(title, row -> Figures.whole(cell.applyAsDouble(row)));
    }

    public Columns<R> tenths(String title, ToDoubleFunction<R> cell) {
        return add(title, row -> Figures.tenths(cell.applyAsDouble(row)));
    }

    public Columns<R> hundredths(String title, ToDoubleFunction<R> cell) {
        return add(title, row -> Figures.hundredths(cell.applyAsDouble(row)));
    }

    public Table of(List<R> rows) {
        Table table = new Table(titles.toArray(String[]::new));
        rows.forEach(
                row -> table.add(cells.stream().map(cell -> cell.apply(row)).toArray()));
        return table;
    }
}
