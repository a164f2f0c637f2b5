package dev.parley.bench.runs;

import dev.parley.bench.rig.Bus;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one run of the benchmark does.
 *
 * @param rate runs that are due a second
 * @param reads reads that are due a second beside them
 * @param hold how long the rate has to be held
 * @param threads in which the runs happen in turn, with one viewer each
 * @param step by how many runs a second the search goes up if the wanted rate is not held
 * @param stepWindow how long each step of the search is measured
 */
record RunsPlan(
        int rate,
        int reads,
        Duration hold,
        int nodes,
        Bus bus,
        int threads,
        int step,
        Duration stepWindow,
        Duration warmUp,
        Path json) {
    /** As many reads to a run as at the wanted rate. */
    int readsAt(int runs) {
        return (int) Math.round((double) reads * runs / rate);
    }
}
