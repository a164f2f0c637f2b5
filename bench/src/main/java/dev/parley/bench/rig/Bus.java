package dev.parley.bench.rig;

import java.util.Locale;

/** The carrier of wake-ups between the nodes of a cluster. */
public enum Bus {
    /** No carrier. Each node polls about once a second for the writes of other nodes. */
    NONE,
    POSTGRES,
    REDIS;

    /** Reads the flag {@code --bus}. The default is Redis for several nodes, and no carrier for one node. */
    public static Bus of(Flags flags, int nodes) {
        String name = flags.given("bus") ? flags.text("bus") : nodes > 1 ? "redis" : "none";
        for (Bus bus : values()) {
            if (bus.words().equals(name)) {
                return bus;
            }
        }
        throw new UsageException("--bus is \"" + name + "\", but redis, postgres or none is expected.");
    }

    public String words() {
        return name().toLowerCase(Locale.ROOT);
    }
}
