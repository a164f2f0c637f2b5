package dev.parley.bench.rig;

import java.time.Duration;

/**
 * CPU time of each part of a cluster, and of the load generator beside it.
 *
 * @param servers all nodes together
 * @param database PostgreSQL with all its backends
 * @param redis zero where there is none
 * @param load this process, which is counted apart
 */
public record CpuUse(Duration servers, Duration database, Duration redis, Duration load) {
    static final CpuUse NONE = new CpuUse(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** The CPU time of a single process so far, and of this one. */
    public static CpuUse ofProcess(long pid) {
        return new CpuUse(CpuTime.ofProcess(pid), Duration.ZERO, Duration.ZERO, CpuTime.ofThisProcess());
    }

    public CpuUse since(CpuUse before) {
        return new CpuUse(
                servers.minus(before.servers),
                database.minus(before.database),
                redis.minus(before.redis),
                load.minus(before.load));
    }

    /** The cost of serving: all but the load generator. */
    public Duration serving() {
        return servers.plus(database).plus(redis);
    }

    /** The number of busy cores, those of the load generator included. */
    public double cores(double seconds) {
        return serving().plus(load).toNanos() / 1e9 / seconds;
    }

    /** Microseconds of each part for one operation. */
    public Each per(long operations) {
        double divisor = 1e3 * Math.max(1, operations);
        return new Each(
                servers.toNanos() / divisor,
                database.toNanos() / divisor,
                redis.toNanos() / divisor,
                load.toNanos() / divisor);
    }

    /** Microseconds of CPU time for one operation. */
    public record Each(double servers, double database, double redis, double load) {
        public double serving() {
            return servers + database + redis;
        }
    }
}
