package dev.parley.auth;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A right in a thread. Participants hold rights by their membership, and tokens hold rights by their scopes. Rights are
 * stored as bits in the order of this list.
 */
public enum Capability {
    CAN_READ("observe"),
    CAN_SEND("speak"),
    CAN_RUN("run"),
    CAN_MANAGE_PARTICIPANTS("manage_thread");

    public static final Set<Capability> ALL = Set.copyOf(EnumSet.allOf(Capability.class));
    /** The rights of a participant that another participant adds. */
    public static final Set<Capability> TAKE_PART = Set.of(CAN_READ, CAN_SEND, CAN_RUN);

    private final String scope;

    Capability(String scope) {
        this.scope = scope;
    }

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of this right as a scope of a token. */
    public String scope() {
        return scope;
    }

    /** Parses the name of a right or of a scope. */
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
