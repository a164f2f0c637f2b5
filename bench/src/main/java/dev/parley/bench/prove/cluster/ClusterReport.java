package dev.parley.bench.prove.cluster;

import dev.parley.bench.rig.Figures;
import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.function.ToLongFunction;

/** The table of the proof: a row for each kind of fault, one for pairs, one for the final check, and the total. */
final class ClusterReport {
    private final ClusterFinding finding;
    private final Table table = new Table(
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

    private ClusterReport(ClusterFinding finding) {
        this.finding = finding;
    }

    static Table table(ClusterFinding finding) {
        ClusterReport report = new ClusterReport(finding);
        report.addAll();
        return report.table;
    }

    private void addAll() {
        for (FaultKind kind : finding.wanted()) {
            if (finding.possible().contains(kind)) {
                add(kind.word(), of(kind.word()), 0, 0, 0);
            } else {
                table.add(kind.word(), "not possible here", "-", "-", "-", "-", "-", "-", "-", "-", "-");
            }
        }
        if (!of(Round.TWO).isEmpty()) {
            add(Round.TWO, of(Round.TWO), 0, 0, 0);
        }
        int changed = finding.changed().size();
        int stuck = finding.stuck().size();
        int broken = finding.chains().violations().size();
        table.add("at the end", 1, finding.chains().entries(), "-", changed, 0, 0, stuck, broken, "-", "-");
        add("in all", finding.rounds(), changed, stuck, broken);
    }

    private List<RoundFinding> of(String row) {
        return finding.rounds().stream()
                .filter(round -> round.row().equals(row))
                .toList();
    }

    private void add(String name, List<RoundFinding> rounds, int lostLater, int stuckLater, int otherLater) {
        List<Double> silences =
                rounds.stream().map(RoundFinding::longestSilence).toList();
        List<Double> unavailable =
                rounds.stream().map(RoundFinding::unavailable).toList();
        table.add(
                name,
                rounds.size(),
                sum(rounds, RoundFinding::operations),
                sum(rounds, RoundFinding::acknowledged),
                sum(rounds, RoundFinding::lost) + lostLater,
                sum(rounds, RoundFinding::duplicated),
                sum(rounds, RoundFinding::reordered),
                sum(rounds, RoundFinding::stuck) + stuckLater,
                sum(rounds, RoundFinding::other) + otherLater,
                Figures.tenths(Figures.sum(unavailable)),
                Figures.tenths(Figures.max(silences)));
    }

    private static long sum(List<RoundFinding> rounds, ToLongFunction<RoundFinding> count) {
        return rounds.stream().mapToLong(count).sum();
    }
}
