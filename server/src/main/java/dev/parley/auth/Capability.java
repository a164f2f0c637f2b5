package dev.parley.auth;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What somebody may do in a thread: a participant by its place in it, a token by its scopes. Stored as bits, in the order
 * of this list.
 */
public enum Capability {
    CAN_READ("observe"),
    CAN_SEND("speak"),
    CAN_RUN("run"),
    CAN_MANAGE_PARTICIPANTS("manage_thread");

    public static final Set<Capability> ALL = Set.copyOf(EnumSet.allOf(Capability.class));
    /** What whoever is brought into a thread may do there. */
    public static final Set<Capability> TAKE_PART = Set.of(CAN_READ, CAN_SEND, CAN_RUN);

    private final String scope;

    Capability(String scope) {
        this.scope = scope;
    }

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The same thing as a scope of a token. */
    public String scope() {
        return scope;
    }

    /** Reads either vocabulary. */
    public static Optional<Capability> parse(String text) {
        for (Capability capability : values()) {
            if (capability.scope.equals(text) || capability.wire().equals(text)) {
                return Optional.of(capability);
            }
        }
        return Optional.empty();
    }

    public static short toBits(Collection<Capability> capabilities) {
        int bits = 0;
        for (Capability capability : capabilities) {
            bits |= 1 << capability.ordinal();
        }
        return (short) bits;
    }

    public static List<Capability> fromBits(int bits) {
        List<Capability> capabilities = new ArrayList<>();
        for (Capability capability : values()) {
            if (capability.in(bits)) {
                capabilities.add(capability);
            }
        }
        return capabilities;
    }

    public boolean in(int bits) {
        return (bits & 1 << ordinal()) != 0;
    }
}
