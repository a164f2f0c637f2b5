package dev.parley.bench.viewers;

import dev.parley.bench.rig.Cluster;
import dev.parley.bench.rig.MemoryUse;
import java.io.IOException;

/**
 * The memory of all nodes together, without viewers and with them.
 *
 * @param before the memory without viewers, after a garbage collection
 * @param asIs the memory with all viewers, including the garbage from their connecting
 * @param collected the memory with all viewers, after a garbage collection
 */
record ViewerMemory(int viewers, MemoryUse before, MemoryUse asIs, MemoryUse collected) {
    /** Resident KB per viewer, including the garbage from its connecting. */
    double asIsKb() {
        return pss(asIs);
    }

    /** Resident KB per viewer after a garbage collection. The heap keeps all pages that it has once touched. */
    double collectedKb() {
        return pss(collected);
    }

    private double pss(MemoryUse with) {
        return before.pssKb() < 0 ? Double.NaN : (double) (with.pssKb() - before.pssKb()) / viewers;
    }

    /** KB of live objects in the heap per viewer. */
    double heapKb() {
        return (double) (collected.heapKb() - before.heapKb()) / viewers;
    }

    private interface Reading {
        MemoryUse of(long pid) throws IOException, InterruptedException;
    }

    static MemoryUse now(Cluster cluster) throws IOException, InterruptedException {
        return sum(cluster, MemoryUse::of);
    }

    static MemoryUse afterCollection(Cluster cluster) throws IOException, InterruptedException {
        return sum(cluster, MemoryUse::afterCollection);
    }

    private static MemoryUse sum(Cluster cluster, Reading reading) throws IOException, InterruptedException {
        MemoryUse all = new MemoryUse(0, 0);
        for (int node = 0; node < cluster.size(); node++) {
            all = all.plus(reading.of(cluster.node(node).pid()));
        }
        return all;
    }
}
