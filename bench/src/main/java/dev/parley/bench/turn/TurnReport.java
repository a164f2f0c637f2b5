package dev.parley.bench.turn;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.parley.bench.rig.Columns;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import dev.parley.bench.rig.Scenario;
import dev.parley.bench.rig.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The measured windows of all rounds. For each kind, the table shows the round with the median CPU time. */
record TurnReport(Machine machine, TurnBench.Plan plan, List<Window> windows) implements Scenario.Report {
    /**
     * The turns of one kind in one round.
     *
     * @param kind the age of the JVM, and the position in the conversation or the number of conversations
     * @param statements the number of PostgreSQL statements for one turn
     */
    record Window(
            String agent,
            String kind,
            int round,
            @JsonUnwrapped OperationCost cost,
            double statements,
            double turnsPerSecond,
            Latencies millis) {}

    private List<Window> medians() {
        Map<String, List<Window>> kinds = new LinkedHashMap<>();
        windows.forEach(window -> kinds.computeIfAbsent(window.agent() + window.kind(), kind -> new ArrayList<>())
                .add(window));
        return kinds.values().stream()
                .map(rounds -> rounds.stream()
                        .sorted(Comparator.comparingDouble(
                                window -> window.cost().cpuMicros()))
                        .toList()
                        .get(rounds.size() / 2))
                .toList();
    }

    @Override
    public String text() {
        Columns<Window> columns =
                OperationCost.columns("a turn", window -> window.agent() + ", " + window.kind(), Window::cost);
        Table table = columns.tenths("statements", Window::statements)
                .whole("turns/s", Window::turnsPerSecond)
                .tenths("p50 ms", window -> window.millis().p50())
                .tenths("p99 ms", window -> window.millis().p99())
                .of(medians());
        return """
                %s
                a turn: a short question over HTTP, and the answer followed to its end; server and PostgreSQL with all
                that they do beside it; statements as pg_stat_statements counts them; medians of %d rounds

                %s""".formatted(machine, plan.rounds(), table);
    }
}
