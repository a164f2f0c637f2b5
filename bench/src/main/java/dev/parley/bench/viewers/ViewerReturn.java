package dev.parley.bench.viewers;

import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.Latencies;

/**
 * The return of the viewers whose node was killed.
 *
 * @param viewers the number of viewers that had to reconnect
 * @param downSeconds the time from the kill until a node listens for these viewers
 * @param caughtUp the times from the beginning of the reconnects until each viewer had all missed events
 * @param wholeSeconds the time from the kill until the last viewer had all missed events
 */
record ViewerReturn(
        int viewers, double downSeconds, Latencies caughtUp, double wholeSeconds, CpuUse cpu, int gaps, int repeats) {}
