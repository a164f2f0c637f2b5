package dev.parley.bench.stream;

import dev.parley.bench.rig.CpuUse;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * A server that passes tokens of runs on to their viewers.
 *
 * @param used the CPU time that the server, its database (if it has one) and this process have used so far
 */
record StreamPeer(String name, InetSocketAddress address, Supplier<CpuUse> used, StreamRequests requests) {
    static final String PARLEY = "Parley";
    static final String DIRECT = "direct";
}
