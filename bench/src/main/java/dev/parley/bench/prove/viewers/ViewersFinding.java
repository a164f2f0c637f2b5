package dev.parley.bench.prove.viewers;

import dev.parley.bench.rig.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What became of the viewers.
 *
 * @param behind viewers that did not get to the end of their thread
 * @param longestSilence seconds between two events of one viewer, at most; threads that rest are part of it
 * @param caughtUp seconds from the last message until all viewers had everything
 * @param answers why viewers had to come back
 * @param violations broken promises in words
 */
record ViewersFinding(
        long seed,
        int nodes,
        int viewers,
        int kills,
        long messages,
        long deliveries,
        long reconnects,
        long gaps,
        long repeats,
        long behind,
        double longestSilence,
        double caughtUp,
        Map<String, Long> answers,
        List<String> violations) {
    Table table() {
        Table table = new Table(
                "nodes",
                "viewers",
                "kills",
                "messages",
                "deliveries",
                "reconnects",
                "gaps",
                "repeats",
                "behind",
                "longest silence s",
                "caught up s");
        table.add(
                Integer.toString(nodes),
                Integer.toString(viewers),
                Integer.toString(kills),
                Long.toString(messages),
                Long.toString(deliveries),
                Long.toString(reconnects),
                Long.toString(gaps),
                Long.toString(repeats),
                Long.toString(behind),
                String.format(Locale.ROOT, "%.1f", longestSilence),
                String.format(Locale.ROOT, "%.1f", caughtUp));
        return table;
    }
}
