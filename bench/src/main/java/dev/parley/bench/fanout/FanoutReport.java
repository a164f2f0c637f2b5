package dev.parley.bench.fanout;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** All windows of a run, and what they come to. */
record FanoutReport(Machine machine, FanoutPlan plan, int frameBytes, List<Measured> windows) {
    private static final String PARLEY = "Parley";
    private static final String BARE = "bare Vert.x";

    /**
     * CPU per delivery, Parley's to the bare server's: of all rounds together, and the extremes of single ones.
     *
     * @param net whether what posting alone costs was taken off on both sides
     */
    record Ratio(String shape, boolean net, double all, double least, double most) {}

    List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (FanoutPlan.Shape shape : plan.shapes()) {
            ratios.add(ratio(shape.name(), false));
            ratios.add(ratio(shape.name(), true));
        }
        return ratios;
    }

    private Ratio ratio(String shape, boolean net) {
        List<Double> each = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            each.add(micros(shape, PARLEY, round, net) / micros(shape, BARE, round, net));
        }
        List<Double> sorted = each.stream().sorted().toList();
        double all = net
                ? all(shape, PARLEY, true).netMicros(all(shape, PARLEY, false))
                        / all(shape, BARE, true).netMicros(all(shape, BARE, false))
                : all(shape, PARLEY, true).grossMicros()
                        / all(shape, BARE, true).grossMicros();
        return new Ratio(shape, net, all, sorted.getFirst(), sorted.getLast());
    }

    /** The windows of all rounds as one: where two large figures are subtracted, single rounds say little. */
    private Measured all(String shape, String peer, boolean viewed) {
        return windows.stream()
                .filter(each -> each.shape().equals(shape) && each.peer().equals(peer) && each.viewed() == viewed)
                .reduce(Measured::plus)
                .orElseThrow();
    }

    private double micros(String shape, String peer, int round, boolean net) {
        Measured viewed = window(shape, peer, round, true);
        return net ? viewed.netMicros(window(shape, peer, round, false)) : viewed.grossMicros();
    }

    private Measured window(String shape, String peer, int round, boolean viewed) {
        return windows.stream()
                .filter(each -> each.shape().equals(shape)
                        && each.peer().equals(peer)
                        && each.round() == round
                        && each.viewed() == viewed)
                .findFirst()
                .orElseThrow();
    }

    /** The tables that the command prints. */
    String text() {
        return "%s%n%d bytes an event, %d rounds of %d s; medians of the rounds; net: without what posting alone costs%n%n%s%n%s"
                .formatted(machine, frameBytes, plan.rounds(), plan.window().toSeconds(), costTable(), ratioTable());
    }

    private Table costTable() {
        Table table = new Table(
                "shape",
                "posts/s",
                "deliveries/s",
                "CPU µs each",
                "net µs each",
                "client µs each",
                "skew p50 ms",
                "skew p99 ms");
        for (FanoutPlan.Shape shape : plan.shapes()) {
            for (String peer : List.of(PARLEY, BARE)) {
                table.add(
                        shape.name() + ", " + peer,
                        tenths(median(shape, peer, (window, round) -> window.posts() / window.seconds())),
                        tenths(median(shape, peer, (window, round) -> window.deliveries() / window.seconds())),
                        tenths(median(shape, peer, (window, round) -> window.grossMicros())),
                        tenths(median(shape, peer, (window, round) -> micros(shape.name(), peer, round, true))),
                        tenths(median(
                                shape, peer, (window, round) -> window.clientMillis() * 1e3 / window.deliveries())),
                        shape.channels() == 1
                                ? tenths(median(shape, peer, (window, round) -> window.skewP50Millis()))
                                : "-",
                        shape.channels() == 1
                                ? tenths(median(shape, peer, (window, round) -> window.skewP99Millis()))
                                : "-");
            }
        }
        return table;
    }

    private double median(FanoutPlan.Shape shape, String peer, BiFunction<Measured, Integer, Double> figure) {
        List<Double> each = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            each.add(figure.apply(window(shape.name(), peer, round, true), round));
        }
        return Figures.median(each);
    }

    private Table ratioTable() {
        Table table = new Table("CPU per delivery, Parley / bare Vert.x", "all rounds", "least", "most", "to reach");
        for (Ratio ratio : ratios()) {
            table.add(
                    ratio.shape() + (ratio.net() ? ", net" : ", gross"),
                    hundredths(ratio.all()),
                    hundredths(ratio.least()),
                    hundredths(ratio.most()),
                    ratio.net() ? "at most 1.3, goal 1.1" : "-");
        }
        return table;
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
