package dev.parley.delivery;

import java.util.Locale;

/** What became of one part of a reply. */
public enum DeliveryState {
    /** It waits for its turn. */
    WAITING,
    /** It was handed to the platform; whether it arrived is not known yet. */
    SENDING,
    /** The platform has it. */
    SENT,
    /** Nobody can find out whether the platform has it. It is shown, and not sent again by itself. */
    UNCERTAIN,
    /** The platform does not have it, and it is no longer tried. */
    DEAD;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static DeliveryState parse(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
