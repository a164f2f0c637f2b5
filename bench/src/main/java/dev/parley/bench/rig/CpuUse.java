package dev.parley.bench.rig;

import java.time.Duration;

/**
 * The CPU time of each part of a cluster, and of the load generator beside it.
 *
 * @param servers the time of all nodes together
 * @param database the time of PostgreSQL with all its backends
 * @param redis the time of Redis; zero if there is none
 * @param load the time of this process, which is counted apart
 */
public record CpuUse(Duration servers, Duration database, Duration redis, Duration load) {
    static final CpuUse NONE = new CpuUse(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** The CPU time so far of a single server process, and of this process. */
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

    /** The CPU time of all parts without the load generator. */
    public Duration serving() {
        return servers.plus(database).plus(redis);
    }

    /** The number of busy cores, including the cores that the load generator uses. */
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
