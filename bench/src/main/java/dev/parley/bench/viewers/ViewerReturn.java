package dev.parley.bench.viewers;

import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.Latencies;

/**
 * The return of the viewers whose node was killed.
 *
 * @param viewers the number that had to reconnect
 * @param downSeconds from the kill until a node listens for them
 * @param caughtUp from the beginning of the reconnects until each viewer had all missed events
 * @param wholeSeconds from the kill until the last viewer had all missed events
 */
record ViewerReturn(
        int viewers, double downSeconds, Latencies caughtUp, double wholeSeconds, CpuUse cpu, int gaps, int repeats) {}
