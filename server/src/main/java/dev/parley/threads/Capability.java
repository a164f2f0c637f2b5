package dev.parley.threads;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a participant may do in a thread. Stored as bits, in the order of this list. */
public enum Capability {
    CAN_READ,
    CAN_SEND,
    CAN_RUN,
    CAN_MANAGE_PARTICIPANTS;

    public static final Set<Capability> ALL = Set.copyOf(EnumSet.allOf(Capability.class));
    public static final Set<Capability> TALK = Set.of(CAN_READ, CAN_SEND);

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static short toBits(Set<Capability> capabilities) {
        int bits = 0;
        for (Capability capability : capabilities) {
            bits |= 1 << capability.ordinal();
        }
        return (short) bits;
    }

    static List<Capability> fromBits(int bits) {
        List<Capability> capabilities = new ArrayList<>();
        for (Capability capability : values()) {
            if (capability.in(bits)) {
                capabilities.add(capability);
            }
        }
        return capabilities;
    }

    boolean in(int bits) {
        return (bits & 1 << ordinal()) != 0;
    }
}
