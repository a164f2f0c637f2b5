package dev.parley.bench.viewers;

import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.Latencies;

/**
 * The return of the viewers whose node was killed.
 *
 * @param viewers that had to come back
 * @param downSeconds from the kill until a node that takes them listens
 * @param caughtUp from when all were let back until each had all that it had missed
 * @param wholeSeconds from the kill until the last of them had
 */
record ViewerReturn(
        int viewers, double downSeconds, Latencies caughtUp, double wholeSeconds, CpuUse cpu, int gaps, int repeats) {}
