package dev.parley.bench.rig;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The windows of a run, in the order of its rounds. Each window measured one side of a comparison. */
public record Sides<K, W>(List<W> windows, Function<W, K> side) {
    public Stream<W> of(K key) {
        return windows.stream().filter(window -> side.apply(window).equals(key));
    }

    public double median(K key, ToDoubleFunction<W> figure) {
        return Figures.median(each(key, figure));
    }

    public List<Double> each(K key, ToDoubleFunction<W> figure) {
        return of(key).map(figure::applyAsDouble).toList();
    }

    /** The ratio of one side to another in each round. */
    public Ratio ratio(String name, K above, K below, ToDoubleFunction<W> figure, @Nullable String target) {
        List<Double> first = each(above, figure);
        List<Double> second = each(below, figure);
        List<Double> ratios = IntStream.range(0, first.size())
                .mapToObj(round -> first.get(round) / second.get(round))
                .toList();
        return new Ratio(name, Figures.median(ratios), Collections.min(ratios), Collections.max(ratios), target);
    }

    /**
     * Ratios taken within each round: their median and their extremes.
     *
     * @param target the wanted ratio, in words
     */
    public record Ratio(
            String name,
            double median,
            double least,
            double most,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String target) {
        public static Columns<Ratio> columns(String title) {
            return new Columns<Ratio>()
                    .add(title, Ratio::name)
                    .hundredths("median", Ratio::median)
                    .hundredths("least", Ratio::least)
                    .hundredths("most", Ratio::most);
        }
    }
}
