package dev.parley.bench.viewers;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** All figures of a run, beside their goals. */
record ViewersReport(
        Machine machine,
        ViewersBench.Plan plan,
        double openingSeconds,
        ViewerMemory memory,
        IdleCost idle,
        ViewerReturn back,
        StartProbe.Times starts)
        implements Scenario.Report {
    private static final double MAX_KB_PER_VIEWER = 20;
    private static final double MAX_START_SECONDS = 3;

    /** Ratios to the goals; 1 or less reaches the goal. */
    record Ratios(double memory, double start, boolean whole) {}

    @Override
    public Map<String, ?> drawn() {
        double start = Figures.median(starts.starts());
        return Map.of(
                "ratios", new Ratios(memory.collectedKb() / MAX_KB_PER_VIEWER, start / MAX_START_SECONDS, holds()));
    }

    /** True if no viewer missed an event or saw an event twice. */
    @Override
    public boolean holds() {
        return back.gaps() == 0 && back.repeats() == 0;
    }

    @Override
    public String text() {
        return """
                %s
                %,d viewers on %d node(s): %,d of inboxes, the others of %,d threads; one process opens them all and is not
                counted. Memory is resident memory of the servers (PSS), without the kernel's memory for sockets; a heap's
                touched pages stay resident after a collection.

                %s""".formatted(machine, plan.viewers(), plan.nodes(), plan.inboxes(), plan.threads(), table());
    }

    private Table table() {
        Table table = new Table("figure", "measured", "to reach");
        table.add("memory a viewer, as is", kb(memory.asIsKb()), "-");
        table.add(
                "memory a viewer, after a collection",
                kb(memory.collectedKb()),
                goal(memory.collectedKb(), MAX_KB_PER_VIEWER, "KB"));
        table.add("of it objects in the heap", kb(memory.heapKb()), "-");
        table.add("servers without viewers", kb((double) memory.before().pssKb()), "-");
        table.add("opening all of them", seconds(openingSeconds), "-");
        table.add("idle: CPU of the servers", percent(idle.serverPercent()), "-");
        table.add("idle: CPU of PostgreSQL and Redis", percent(idle.databasePercent()), "-");
        table.add("idle: CPU a viewer and second", Figures.format("%.2f µs", idle.microsEach()), "-");
        table.add("killed: viewers that came back", Figures.whole(back.viewers()), "-");
        table.add("killed: until a node takes them", seconds(back.downSeconds()), "-");
        table.add("let back: half have caught up", seconds(back.caughtUp().p50() / 1e3), "-");
        table.add("let back: 99 % have caught up", seconds(back.caughtUp().p99() / 1e3), "-");
        table.add("let back: all have caught up", seconds(back.caughtUp().max() / 1e3), "-");
        table.add("killed: until all have caught up", seconds(back.wholeSeconds()), "-");
        table.add("CPU of the servers meanwhile", seconds(back.cpu().servers().toNanos() / 1e9), "-");
        table.add("gaps", Integer.toString(back.gaps()), "0");
        table.add("repeats", Integer.toString(back.repeats()), "0");
        if (!starts.starts().isEmpty()) {
            double start = Figures.median(starts.starts());
            table.add("start to first answer, median", seconds(start), goal(start, MAX_START_SECONDS, "s"));
            table.add("start to first answer, worst", worst(starts.starts()), "-");
            table.add("kill -9 to first append, median", seconds(Figures.median(starts.recoveries())), "-");
            table.add("kill -9 to first append, worst", worst(starts.recoveries()), "-");
        }
        return table;
    }

    private static String worst(List<Double> times) {
        return seconds(Collections.max(times));
    }

    private static String goal(double value, double most, String unit) {
        return "at most " + Figures.whole(most) + " " + unit + Figures.missed(value <= most);
    }

    private static String kb(double value) {
        return Double.isNaN(value) || value < 0 ? "not known here" : Figures.format("%,.1f KB", value);
    }

    private static String percent(double value) {
        return Figures.format("%.1f %% of a core", value);
    }

    private static String seconds(double value) {
        return Figures.format("%.2f s", value);
    }
}
