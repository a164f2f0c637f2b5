package dev.parley.bench.fanout;

import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** All windows of a run, with their medians and ratios. */
record FanoutReport(Machine machine, FanoutBench.Plan plan, int frameBytes, List<Window> windows)
        implements Scenario.Report {
    /**
     * One window of one peer.
     *
     * @param viewed false for a window with the same posts and no viewers, which measures the cost of posting alone
     * @param serverMillis the CPU time of the peer in the window
     * @param skewP50Millis the median time from an event's first viewer to its last, as the one thread that reads all
     *     streams measures it
     */
    record Window(
            String shape,
            String peer,
            boolean viewed,
            int round,
            double seconds,
            long posts,
            long deliveries,
            double serverMillis,
            double clientMillis,
            double skewP50Millis,
            double skewP99Millis) {
        double postsPerSecond() {
            return posts / seconds;
        }

        double deliveriesPerSecond() {
            return deliveries / seconds;
        }

        double clientMicros() {
            return clientMillis * 1e3 / deliveries;
        }

        double grossMicros() {
            return serverMillis * 1e3 / Math.max(1, deliveries);
        }

        /** CPU per delivery without the cost of posting. */
        double netMicros(Window postsOnly) {
            double posting = postsOnly.serverMillis * posts / Math.max(1, postsOnly.posts);
            return (serverMillis - posting) * 1e3 / Math.max(1, deliveries);
        }

        /** Both windows as one, with the larger skew. */
        Window plus(Window other) {
            return new Window(
                    shape,
                    peer,
                    viewed,
                    round,
                    seconds + other.seconds,
                    posts + other.posts,
                    deliveries + other.deliveries,
                    serverMillis + other.serverMillis,
                    clientMillis + other.clientMillis,
                    Math.max(skewP50Millis, other.skewP50Millis),
                    Math.max(skewP99Millis, other.skewP99Millis));
        }
    }

    /**
     * Parley's CPU time per delivery, divided by the CPU time per delivery of the bare server. The record has the ratio
     * over all rounds together, and the extremes among the single rounds.
     *
     * @param net true if both sides leave out the cost of posting
     */
    record Ratio(String shape, boolean net, double all, double least, double most) {}

    /** A peer under one shape of load, which is one row in the table of costs. */
    private record Side(FanoutBench.Plan.Shape shape, String peer) {}

    List<Ratio> ratios() {
        List<Ratio> ratios = new ArrayList<>();
        for (FanoutBench.Plan.Shape shape : plan.shapes()) {
            ratios.add(ratio(shape, false));
            ratios.add(ratio(shape, true));
        }
        return ratios;
    }

    private Ratio ratio(FanoutBench.Plan.Shape shape, boolean net) {
        Side parley = new Side(shape, FanoutPeer.PARLEY);
        Side bare = new Side(shape, FanoutPeer.BARE);
        List<Double> each = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            each.add(micros(parley, round, net) / micros(bare, round, net));
        }
        // This ratio is taken over all rounds, because the difference of two large figures is too noisy in a single
        // round.
        double all =
                micros(all(parley, true), all(parley, false), net) / micros(all(bare, true), all(bare, false), net);
        return new Ratio(shape.name(), net, all, Collections.min(each), Collections.max(each));
    }

    private static double micros(Window viewed, Window postsOnly, boolean net) {
        return net ? viewed.netMicros(postsOnly) : viewed.grossMicros();
    }

    private double micros(Side side, int round, boolean net) {
        return micros(window(side, round, true), window(side, round, false), net);
    }

    /** The windows of all rounds as one. */
    private Window all(Side side, boolean viewed) {
        return of(side, viewed).reduce(Window::plus).orElseThrow();
    }

    private Window window(Side side, int round, boolean viewed) {
        return of(side, viewed)
                .filter(each -> each.round() == round)
                .findFirst()
                .orElseThrow();
    }

    private Stream<Window> of(Side side, boolean viewed) {
        return windows.stream()
                .filter(each -> each.shape().equals(side.shape().name())
                        && each.peer().equals(side.peer())
                        && each.viewed() == viewed);
    }

    @Override
    public Map<String, ?> drawn() {
        return Map.of("ratios", ratios());
    }

    @Override
    public String text() {
        return "%s%n%d bytes an event, %d rounds of %d s; medians of the rounds; net: without the cost of posting%n%n%s%n%s"
                .formatted(machine, frameBytes, plan.rounds(), plan.window().toSeconds(), costTable(), ratioTable());
    }

    private Table costTable() {
        return new Columns<Side>()
                .add("shape", side -> side.shape().name() + ", " + side.peer())
                .tenths("posts/s", side -> median(side, Window::postsPerSecond))
                .tenths("deliveries/s", side -> median(side, Window::deliveriesPerSecond))
                .tenths("CPU µs each", side -> median(side, Window::grossMicros))
                .tenths("net µs each", side -> median(side, window -> micros(side, window.round(), true)))
                .tenths("client µs each", side -> median(side, Window::clientMicros))
                .add("skew p50 ms", side -> skew(side, Window::skewP50Millis))
                .add("skew p99 ms", side -> skew(side, Window::skewP99Millis))
                .of(plan.shapes().stream()
                        .flatMap(shape ->
                                Stream.of(FanoutPeer.PARLEY, FanoutPeer.BARE).map(peer -> new Side(shape, peer)))
                        .toList());
    }

    private double median(Side side, ToDoubleFunction<Window> figure) {
        return Figures.median(of(side, true).map(figure::applyAsDouble).toList());
    }

    private String skew(Side side, ToDoubleFunction<Window> figure) {
        return side.shape().channels() == 1 ? Figures.tenths(median(side, figure)) : "-";
    }

    private Table ratioTable() {
        return new Columns<Ratio>()
                .add(
                        "CPU per delivery, Parley / bare Vert.x",
                        ratio -> ratio.shape() + (ratio.net() ? ", net" : ", gross"))
                .hundredths("all rounds", Ratio::all)
                .hundredths("least", Ratio::least)
                .hundredths("most", Ratio::most)
                .add("to reach", ratio -> ratio.net() ? "at most 1.3, goal 1.1" : "-")
                .of(ratios());
    }
}
