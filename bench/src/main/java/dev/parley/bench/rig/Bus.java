package dev.parley.bench.rig;

import java.util.Locale;

/** The carrier of wake-ups between the nodes of a cluster. */
public enum Bus {
    /** No carrier: nodes poll for the writes of others about once a second. */
    NONE,
    POSTGRES,
    REDIS;

    /** Reads the flag {@code --bus}. The default is Redis, or none with one node. */
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
