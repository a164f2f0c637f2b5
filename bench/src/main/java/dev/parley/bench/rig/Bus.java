package dev.parley.bench.rig;

import java.util.Locale;

/** The carrier of wake-ups between the nodes of a cluster. */
public enum Bus {
    /** Nothing: nodes find what others wrote when they look, about once a second. */
    NONE,
    POSTGRES,
    REDIS;

    /** The flag {@code --bus}; without it Redis, or nothing where there is one node only. */
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
