package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The table of the proof: a row for each kind of fault, one for pairs, one for the look at the end, and the total. */
final class ClusterReport {
    private ClusterReport() {}

    static Table table(ClusterFinding finding) {
        Table table = new Table(
                "fault",
                "cycles",
                "operations",
                "acknowledged",
                "lost",
                "duplicated",
                "reordered",
                "stuck",
                "other",
                "unavailable s",
                "at most s");
        for (FaultKind kind : finding.wanted()) {
            if (finding.possible().contains(kind)) {
                add(table, kind.word(), of(finding, kind.word()));
            } else {
                table.add(kind.word(), "not possible here", "-", "-", "-", "-", "-", "-", "-", "-", "-");
            }
        }
        if (!of(finding, Round.TWO).isEmpty()) {
            add(table, Round.TWO, of(finding, Round.TWO));
        }
        long chains = finding.chains().violations().size();
        table.add(
                "at the end",
                "1",
                Long.toString(finding.chains().entries()),
                "-",
                Long.toString(finding.changed().size()),
                "0",
                "0",
                Long.toString(finding.stuck().size()),
                Long.toString(chains),
                "-",
                "-");
        addTotal(table, finding, chains);
        return table;
    }

    private static List<RoundFinding> of(ClusterFinding finding, String row) {
        return finding.rounds().stream()
                .filter(round -> round.row().equals(row))
                .toList();
    }

    private static void add(Table table, String name, List<RoundFinding> rounds) {
        add(table, name, rounds, 0, 0, 0);
    }

    private static void addTotal(Table table, ClusterFinding finding, long chains) {
        add(
                table,
                "in all",
                finding.rounds(),
                finding.changed().size(),
                finding.stuck().size(),
                chains);
    }

    private static void add(
            Table table, String name, List<RoundFinding> rounds, long lostLater, long stuckLater, long otherLater) {
        table.add(
                name,
                Integer.toString(rounds.size()),
                sum(rounds, RoundFinding::operations, 0),
                sum(rounds, RoundFinding::acknowledged, 0),
                sum(rounds, RoundFinding::lost, lostLater),
                sum(rounds, RoundFinding::duplicated, 0),
                sum(rounds, RoundFinding::reordered, 0),
                sum(rounds, RoundFinding::stuck, stuckLater),
                sum(rounds, RoundFinding::other, otherLater),
                seconds(rounds.stream().mapToDouble(RoundFinding::unavailable).sum()),
                seconds(rounds.stream()
                        .mapToDouble(RoundFinding::longestSilence)
                        .max()
                        .orElse(0)));
    }

    private static String sum(List<RoundFinding> rounds, ToLongFunction<RoundFinding> of, long more) {
        return Long.toString(rounds.stream().mapToLong(of).sum() + more);
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
